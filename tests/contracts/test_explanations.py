"""What the explanations of every model must satisfy: parts that add up, and groups whose removal matters."""

from __future__ import annotations

import numpy as np
import pytest

from fitting import fit
from linkwl.datasets import load_airports, load_dataset
from linkwl.models import create_model
from linkwl.models.gradient import GradientModel
from linkwl.models.registry import ROWS, model_ids
from linkwl.predict.explain import explain_query
from linkwl.protocols import PAPER, protocol_for

FEW_STEPS = {"training": {"max_steps": 30, "evaluate_every": 30}}
SMALL = {
    "node2vec": {"channels": 8, "walks": 2, "length": 10, "parts": 2},
    "seal-node2vec": {"vectors": {"channels": 8, "walks": 2, "length": 10}},
}
QUICK = ("local-2fwl", "walk-2fwl")


def cases(task):
    """Every model; those that are trained are slow, but for two."""
    found = []
    for name in model_ids(task=task):
        is_formula = ROWS[name].family == "heuristic"
        mark = pytest.mark.thorough if name in QUICK and task == "pairs" else pytest.mark.slow
        found.append(pytest.param(name, marks=() if is_formula else mark))
    return found


def trained(name, graph):
    """The model after a few steps of training."""
    row = ROWS[name]
    is_network = issubclass(row.load_class(graph.task), GradientModel)
    model = create_model(name, graph.task, **SMALL.get(name, {}), **(FEW_STEPS if is_network else {}))
    if row.family != "heuristic":
        protocol = PAPER if graph.task == "pairs" else protocol_for(graph)
        fit(model, protocol.apply(graph, 0), protocol=protocol)
    return model


def near(graph, query):
    """The facts at the neighbours of the two nodes, and at these themselves."""
    ends = [query[0], query[-1]]
    around = np.unique(np.concatenate([ends, *(graph.links.neighbours(end) for end in ends)]))
    return graph.facts[np.isin(graph.facts[:, [0, -1]], around).any(axis=1)]


def deletions(model, graph, query, generator):
    """How far the score moves without the group that contributes most, and without as many random facts nearby."""
    found = explain_query(model, graph, query)
    total = found.baseline + sum(part.contribution for part in found.parts)
    assert total == pytest.approx(found.score, rel=1e-9, abs=1e-9)
    assert found.num_scores <= 16
    if not found.parts:
        return 0.0, 0.0
    top = max(found.parts, key=lambda part: abs(part.contribution))
    gone = top.group.edges if graph.task == "pairs" else top.group.facts
    hidden = graph.without(np.array([query]))
    places = {tuple(fact) for fact in near(hidden, query).tolist()}
    left = np.array(sorted(places - {tuple(fact) for fact in gone} - {tuple(fact[::-1]) for fact in gone}))
    score, fact = model.exact(), np.array([query], dtype=np.int32)
    moved = []
    for _ in range(3):
        chosen = generator.choice(len(left), min(len(gone), len(left)), replace=False) if len(left) else []
        moved.append(abs(found.score - score(hidden.without(left[chosen]))(fact)[0]))
    return abs(top.drop), float(np.mean(moved))


def check(model, graph, queries):
    """Removing the top groups moves scores more than removing as much at random."""
    generator = np.random.default_rng(0)
    top, other = np.mean([deletions(model, graph, query, generator) for query in queries], axis=0)
    assert top > other


@pytest.mark.parametrize("name", cases("pairs"))
def test_the_top_group_matters_more_than_a_random_one(name):
    graph = load_airports().with_attributes(None)
    model = trained(name, graph)
    edges = graph.edges[np.random.default_rng(1).choice(graph.num_edges, 4, replace=False)].tolist()
    others = [tuple(map(int, graph.ids.indices(pair))) for pair in (("JNU", "WRG"), ("ORD", "SFB"))]
    if name in ("mf", "node2vec"):  # their scores do not depend on the graph
        assert all(explain_query(model, graph, pair).parts == () for pair in others)
        return
    check(model, graph, [*map(tuple, edges), *others])


@pytest.mark.parametrize("name", cases("triples"))
def test_the_top_rule_matters_more_than_random_facts(name):
    graph = load_dataset("world")
    model = trained(name, graph)
    rows = graph.triples[np.random.default_rng(0).choice(graph.num_facts, 8, replace=False)].tolist()
    check(model, graph, [tuple(row) for row in rows if row[0] != row[2]])
