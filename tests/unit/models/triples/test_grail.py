from __future__ import annotations

import json

import numpy as np
import pytest
import torch

from facts import random_facts
from fitting import fit, same_state
from linkwl.errors import SplitError
from linkwl.graph import KnowledgeGraph
from linkwl.metrics import find_metric
from linkwl.models import create_model
from linkwl.models.triples import grail
from linkwl.models.triples.grail import CorruptedBatches, query_graph
from linkwl.protocols import TrainingData
from linkwl.sparse.subgraphs import enclosing_subgraphs
from linkwl.splits import Fold, Split, Targets
from triple_model import family

SHORT = {"max_steps": 40, "patience": 40, "evaluate_every": 10, "max_batch": 32}


def started(graph, **settings):
    model = create_model("grail", **settings)
    model.start(graph, 0)
    model.trained.double()
    return model


@pytest.fixture(scope="module")
def split():
    graph = family()
    generator = np.random.default_rng(0)
    is_valid = generator.random(graph.num_facts) < 0.1
    train = graph.select(~is_valid)
    absent = graph.absent(np.sort(generator.choice(graph.num_absent, 2000, replace=False)))
    valid = Fold(train, Targets(graph.triples[is_valid], absent[1::2]))
    return Split(Fold(train, Targets(train.triples, absent[::2])), valid, valid, "test", 0)


def test_training_finds_what_makes_a_fact(split):
    model = create_model("grail", training=SHORT)
    history = fit(model, split)
    assert history.metric == "auc"
    assert history.best_valid > 0.9
    assert np.mean(history.losses[-5:]) < 0.7 * np.mean(history.losses[:5])


def test_a_killed_run_ends_with_the_same_bits(split, tmp_path):
    whole, resumed, path, steps = (
        create_model("grail", training=SHORT),
        create_model("grail", training=SHORT),
        tmp_path / "checkpoint.safetensors",
        [],
    )
    fit(whole, split)

    def kill(report):
        steps.append(report.step)
        if len(steps) == 12:
            raise RuntimeError("killed")

    with pytest.raises(RuntimeError, match="killed"):
        fit(resumed, split, checkpoint=path, checkpoint_seconds=0, on_step=kill)
    fit(resumed, split, checkpoint=path, resume=True, on_step=kill)
    assert same_state(resumed, whole)


def test_a_triple_scores_the_same_whether_it_is_known_or_not():
    graph = random_facts()
    model = started(graph)
    for fact in graph.triples[::7]:
        without = model(graph.without(fact[None]), fact[None])
        np.testing.assert_allclose(model(graph, fact[None]), without, rtol=1e-9)


def test_the_graph_of_queries():
    graph = KnowledgeGraph.from_triples([(0, 0, 1), (0, 1, 1), (0, 0, 2), (2, 1, 1), (3, 0, 0)], 5, 2)
    pairs = np.array([(0, 1), (4, 4)])
    found = enclosing_subgraphs(grail._fact_rows(graph), pairs, 2, 10)
    merged = query_graph(found, np.array([0, 1, 0]), np.array([0, 1, 1]), 2)
    # Entities 0, 1 and 2 for the first query and for the last, entity 4 alone for the second.
    assert merged.node_ptr.tolist() == [0, 3, 4, 7]
    assert merged.first.tolist() == [0, 3, 4]
    assert merged.second.tolist() == [1, 3, 5]
    assert merged.target.tolist() == [0, 1, 1]
    assert merged.label.tolist() == [1, 3, 4, 0, 1, 3, 4]  # (0, 1), (1, 0), (1, 1); (0, 0)
    facts = list(zip(merged.head.tolist(), merged.relation.tolist(), merged.tail.tolist(), strict=True))
    own = [(0, 0, 1), (0, 1, 1), (2, 1, 1), (0, 0, 2)]
    assert sorted(facts) == sorted([*own, (3, 1, 3), *((h + 4, r, t + 4) for h, r, t in own)])
    assert merged.tail.tolist() == sorted(merged.tail.tolist())
    for v in range(7):
        assert merged.tail[merged.ptr[v] : merged.ptr[v + 1]].tolist() == [v] * int(merged.ptr[v + 1] - merged.ptr[v])


def test_few_facts_at_a_time_give_the_same_scores(monkeypatch):
    graph = random_facts()
    model = started(graph)
    queries = np.random.default_rng(0).integers(0, [30, 4, 30], (60, 3))
    whole = model(graph, queries)
    monkeypatch.setattr(grail, "_EDGES", 40)
    np.testing.assert_allclose(model(graph, queries), whole, rtol=1e-9, atol=1e-12)


def test_the_hinge_compares_every_fact_with_every_negative(split):
    graph = split.train.observed
    model = started(graph, edge_dropout=0.0)
    batch = next(model.batches(TrainingData(split.train, split.valid, split.reserved, find_metric("auc")), 0))
    with torch.no_grad():
        positive, negative = (model.logits(graph, queries) for queries in (batch.positives, batch.negatives))
        expected = sum(max(0.0, 10 - p + n) for p in positive.tolist() for n in negative.tolist()) / 16
        assert model.loss(batch).item() == pytest.approx(expected)


def test_batches_have_one_fixed_negative_for_each_fact(split):
    data = TrainingData(split.train, split.valid, split.reserved, find_metric("auc"))
    batches, negative_of = CorruptedBatches(data, 50, seed=0), {}
    for _ in range(3 * (len(split.train.positives) // 50)):
        batch = next(batches)
        assert batch.observed is split.train.observed
        for fact, negative in zip(batch.positives.tolist(), batch.negatives.tolist(), strict=True):
            assert negative_of.setdefault(tuple(fact), negative) == negative
            assert sum(a != b for a, b in zip(fact, negative, strict=True)) == 1
            assert fact[1] == negative[1]
        assert not split.reserved.contains(batch.negatives).any()
    state = json.loads(json.dumps(batches.state()))
    other = CorruptedBatches(data, 50, seed=0)
    other.restore(state)
    np.testing.assert_array_equal(next(other).queries, next(batches).queries)


def test_nothing_to_train_on_or_to_compare_with():
    nothing = np.empty((0, 3), dtype=np.int32)
    for triples, message in (([], "no fact to train on"), ([(0, 0, 0)], "nearly every triple")):
        graph = KnowledgeGraph.from_triples(triples, 1, 1)
        fold = Fold(graph, Targets(graph.triples, nothing))
        with pytest.raises(SplitError, match=message):
            CorruptedBatches(TrainingData(fold, fold, graph, find_metric("auc")), 1, seed=0)


def test_the_cost_is_bounded_by_the_largest_subgraph():
    graph = random_facts()
    small, large = (create_model("grail", max_nodes=count).cost(graph, 100) for count in (5, 20))
    assert 0 < small.memory < large.memory
    assert create_model("grail").is_small(graph, 32)
    assert not create_model("grail").is_small(graph, 1000)
