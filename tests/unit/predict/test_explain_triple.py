from __future__ import annotations

import json
from functools import partial

import numpy as np
import pyarrow as pa
import pytest

from fitting import fit
from linkwl import create_model
from linkwl.graph import KnowledgeGraph
from linkwl.graph.node_ids import NodeIds
from linkwl.models.base import FormulaScorer, LinkModel
from linkwl.predict.explain import explain_query
from linkwl.predict.explain_triple import TripleExplanation, explain_triple
from linkwl.predict.fact_groups import fact_groups
from linkwl.protocols import find_protocol
from triple_model import ToyTriple, family

NETWORKS = {
    "toy-triple": ToyTriple,
    "walk-2fwl": partial(create_model, "walk-2fwl", "triples", training={"max_steps": 6}, network={"members": 1}),
}


class SharedCount(LinkModel):
    """Twice the number of facts between head and tail, and the entities that facts join to both."""

    id, title, reference, task = "shared", "Shared", "None, 2022.", "triples"

    def prepare(self, observed):
        def score(queries):
            links = observed.links
            ends = queries[:, [0, 2]]
            joined = [((observed.triples[:, [0, 2]] == [h, t]).all(1)).sum() for h, t in ends]
            shared = [len(np.intersect1d(links.neighbours(h), links.neighbours(t))) for h, t in ends]
            return 2.0 * np.array(joined) + np.array(shared)

        return FormulaScorer(observed, score)

    def describe(self, observed):
        return "exact"


@pytest.fixture(scope="module")
def families():
    return family()


@pytest.fixture(scope="module", params=NETWORKS)
def model(request, families):
    network = NETWORKS[request.param]()
    fit(network, find_protocol("paper").apply(families, 0))
    return network


@pytest.fixture(scope="module")
def union():
    """Cities, their countries, and a union of countries; `located in` is known of one city."""
    names = ["EU", "France", "Italy", "Lyon", "Paris", "Rome"]
    facts = [(4, 0, 1), (5, 0, 2), (1, 2, 0), (2, 2, 0), (5, 1, 0), (4, 3, 3), (3, 3, 4)]
    relations = ["capital of", "located in", "member of", "twin of"]
    ids = NodeIds(pa.array(names))
    kinds = NodeIds(pa.array(relations), kind="relation")
    return KnowledgeGraph.from_triples(facts, 6, 4, ids=ids, relations=kinds, name="union")


def queries_of(graph, count=4):
    """Facts and other triples, each of two different entities."""
    generator = np.random.default_rng(0)
    facts = graph.triples[generator.choice(graph.num_facts, count, replace=False)]
    others = graph.absent(np.sort(generator.choice(graph.num_absent, 3 * count)))
    rows = np.concatenate([facts, others[others[:, 0] != others[:, 2]][:count]])
    return [tuple(row) for row in rows.tolist()]


def test_the_parts_add_up_to_the_score(model, families):
    for query in queries_of(families):
        found = explain_query(model, families, query)
        assert isinstance(found, TripleExplanation)
        total = found.baseline + sum(part.contribution for part in found.parts)
        assert total == pytest.approx(found.score, abs=1e-9)
        assert found.num_scores <= 16
        assert not found.has_errors


def test_deleting_a_group_changes_the_score_as_stated(model, families):
    number = 0
    for query in queries_of(families):
        found, triple = explain_query(model, families, query), np.array([query])
        graph = families.without(triple)
        exact = model.exact()
        assert found.score == exact(graph)(triple)[0]
        for part in found.parts:
            assert part.score_without == exact(graph.without(np.array(sorted(part.group.facts))))(triple)[0]
            number += 1
    assert number > 10


def test_the_baseline_is_the_score_of_entities_without_facts(model, families):
    query = tuple(families.triples[5].tolist())
    found = explain_query(model, families, query)
    groups = fact_groups(families.without(np.array([query])), query, 4)
    gone = [fact for group in groups for fact in group.facts]
    graph = families.without(np.array([query, *gone]))
    assert not np.isin(graph.triples[:, [0, 2]], query[::2]).any()
    assert found.baseline == model.exact()(graph)(np.array([query]))[0]


def test_contributions_of_a_count_are_its_terms():
    # 0 and 3 are joined by a fact of relation 1, and share 1 and 2.
    graph = KnowledgeGraph.from_triples([(0, 1, 3), (0, 1, 1), (1, 0, 3), (0, 0, 2), (3, 0, 2), (0, 0, 3)], 5, 2)
    found = explain_triple(SharedCount(), graph, (0, 0, 3))
    assert found.is_link
    assert found.score == 2 + 2
    paths = [(part.group.paths[0].nodes, part.group.paths[0].roles, part.contribution) for part in found.parts]
    assert sorted(paths) == [
        ((0, 1, 3), (1, 0), pytest.approx(1)),
        ((0, 2, 3), (0, 2 + 0), pytest.approx(1)),
        ((0, 3), (1,), pytest.approx(2)),
    ]
    assert (found.baseline, found.share) == (0, 1)
    assert found.degrees == (3, 3)


def test_a_fact_is_explained_as_if_it_were_not_there(model, families):
    query = tuple(families.triples[100].tolist())
    found = explain_query(model, families, query)
    hidden = explain_query(model, families.without(np.array([query])), query)
    assert found.is_link
    assert not hidden.is_link
    assert (found.score, found.parts, found.roles) == (hidden.score, hidden.parts, hidden.roles)


def test_the_text_says_why(union):
    query = (4, 1, 0)
    found = explain_triple(SharedCount(), union, query)
    text = found.to_text(union)
    assert text.startswith("Paris -located in-> EU: score 1.000\n  Paris has 3 facts, EU has 3.")
    assert "+1.000    +1.000  Paris -capital of-> France -member of-> EU\n" in text
    assert "X -capital of-> Y -member of-> Z  =>  X located in Z: holds for 1 of 2 such paths, 50%" in text
    assert "+0.000            baseline: the score without all of this" in text
    assert "Paris is a head of capital of: of 2 such entities 1 are heads of located in" in text


def test_json_has_names_and_rules(union):
    found = explain_triple(SharedCount(), union, (4, 1, 0)).to_json(union)
    assert found == json.loads(json.dumps(found))
    assert found["triple"] == ["Paris", "located in", "EU"]
    facts = [["Paris", "capital of", "France"], ["France", "member of", "EU"]]
    text = "Paris -capital of-> France -member of-> EU"
    assert found["groups"][0] == {
        "kind": "rule",
        "text": text,
        "count": 1,
        "paths": [{"text": text, "nodes": ["Paris", "France", "EU"], "facts": facts}],
        "cut": sorted(facts),
        "rule": {
            "text": "X -capital of-> Y -member of-> Z  =>  X located in Z",
            "relation": "located in",
            "paths": 2,
            "support": 1,
            "confidence": 0.5,
        },
        "contribution": 1.0,
        "error": 0.0,
        "score_without": 0.0,
        "drop": 1.0,
        "effect": "raises",
        "note": "",
        "interaction": 0.0,
    }
    assert found["roles"][0]["role"] == "a head of capital of"


def test_entities_without_a_path(union):
    found = explain_triple(SharedCount(), union.without(np.array([(4, 0, 1)])), (4, 1, 0))
    assert found.parts == ()
    assert "nothing that could be removed changes the score" in found.to_text(union)


def test_an_observed_fact_is_named(union):
    text = explain_triple(SharedCount(), union, (5, 1, 0)).to_text(union)
    assert "(an observed fact, removed to explain it)" in text
    assert "Rome has 1 fact, EU has 2. The fact itself is not counted." in text


def test_progress_ends_with_all(model, families):
    seen = []
    explain_query(
        model, families, families.triples[3].tolist(), groups=3, on_progress=lambda *report: seen.append(report)
    )
    assert [done for done, _ in seen] == list(range(1, len(seen) + 1))
    assert {total for _, total in seen} == {len(seen)}


def test_an_entity_and_itself_are_refused(model, families):
    with pytest.raises(ValueError, match="two different nodes"):
        explain_query(model, families, (3, 0, 3))


class EitherRule(LinkModel):
    """A capital of a member, or of a neighbour of a member: each is enough, and both are a little too much."""

    id, title, reference, task = "either", "Either", "None, 2026.", "triples"

    def prepare(self, observed):
        def scores(triples):
            left = set(map(tuple, observed.triples.tolist()))
            first, second = (0, 0, 1) in left, (0, 1, 2) in left
            return np.full(len(triples), 5.0 * (first or second) - 2.0 * (first and second))

        return FormulaScorer(observed, scores)

    def describe(self, observed):
        return "two rules"


def test_rules_that_replace_each_other_are_one_row():
    facts = [(0, 0, 1), (1, 1, 3), (0, 1, 2), (2, 0, 3)]
    graph = KnowledgeGraph.from_triples(facts, 4, 3)
    found = explain_triple(EitherRule(), graph, (0, 2, 3)).named_by(graph)
    (part,) = found.parts
    assert (part.group.kind, part.contribution, part.drop) == ("together", 3, 3)
    assert len(part.group.rules) == 2
    assert all(rule.to_text(graph) in str(found) for rule in part.group.rules)
    values = found.to_json()["groups"][0]
    assert [member["kind"] for member in values["members"]] == ["rule", "rule"]
    assert "; and " in values["text"]
