from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from linkwl import Graph, RandomSplit, audit_split
from linkwl.datasets import load_airports
from linkwl.protocols import PROTOCOLS
from triple_graphs import relatives, twice_named


@pytest.fixture(scope="module")
def graph():
    return load_airports()


@pytest.fixture(scope="module")
def split(graph):
    return RandomSplit().apply(graph, seed=0)


def broken(split, graph):
    return {check.name: check for check in audit_split(split, graph).checks if not check.passed}


def with_fold(split, name, **changes):
    fold = getattr(split, name)
    targets = replace(fold.targets, **{key: changes.pop(key) for key in ("positives", "negatives") if key in changes})
    return replace(split, **{name: replace(fold, targets=targets, **changes)})


def test_our_split_is_clean(split, graph):
    audit = audit_split(split, graph)
    assert audit.passed
    assert len(audit.checks) == 24
    assert audit.left_out == 0
    assert audit.counts["test"] == {"observed": 2716, "positives": 301, "negatives": 301}
    assert audit.to_json()["checks"][0]["passed"] is True


@pytest.mark.parametrize("turn", [slice(None), slice(None, None, -1)], ids=["as listed", "reversed"])
def test_a_test_edge_among_the_train_edges(split, graph, turn):
    leaked = split.test.positives[:2, turn]
    found = broken(with_fold(split, "train", positives=np.concatenate([split.train.positives, leaked])), graph)
    assert set(found) == {"train and test share no positive"}
    assert found["train and test share no positive"].offenders == 2
    expected = set(map(str, graph.ids.take(split.test.positives[0]).to_pylist()))
    assert set(found["train and test share no positive"].example) == expected


@pytest.mark.parametrize("fold", ["train", "valid", "test"])
def test_a_held_out_edge_that_is_observed(split, graph, fold):
    found = broken(with_fold(split, fold, observed=graph), graph)
    count = 301 if fold == "test" else 451
    assert {name: check.offenders for name, check in found.items()} == {f"{fold}: no held-out edge is observed": count}


def test_a_negative_that_is_an_edge_the_other_way_round(split, graph):
    negatives = split.test.negatives.copy()
    negatives[0] = split.train.positives[5][::-1]
    assert set(broken(with_fold(split, "test", negatives=negatives), graph)) == {"test: no negative is an edge"}


def test_a_negative_shared_between_folds(split, graph):
    negatives = split.train.negatives.copy()
    negatives[7] = split.valid.negatives[0]
    found = broken(with_fold(split, "train", negatives=negatives), graph)
    assert set(found) == {"train and valid share no negative"}


def test_copies_and_loops_among_targets(split, graph):
    positives = np.concatenate([split.valid.positives, split.valid.positives[:3, ::-1]])
    found = broken(with_fold(split, "valid", positives=positives), graph)
    assert {name: check.offenders for name, check in found.items()} == {"valid: every target is listed once": 3}
    negatives = np.concatenate([split.valid.negatives, [[4, 4]]])
    found = broken(with_fold(split, "valid", negatives=negatives), graph)
    assert set(found) == {"valid: no target joins a node to itself"}


def test_positives_that_are_no_edges(split, graph):
    positives = split.test.positives.copy()
    positives[0] = split.test.negatives[0]
    found = broken(with_fold(split, "test", positives=positives, negatives=split.test.negatives[1:]), graph)
    assert set(found) == {"test: every positive is an edge of the graph"}


def test_edges_in_no_fold_are_counted_but_are_no_leak(split, graph):
    audit = audit_split(with_fold(split, "train", positives=split.train.positives[10:]), graph)
    assert audit.passed
    assert audit.left_out == 10


def test_an_invented_observed_edge(split, graph):
    rows = np.concatenate([split.train.observed.edges, split.test.negatives[:1]])
    observed = Graph.from_pairs(rows, graph.num_nodes, ids=graph.ids)
    found = broken(with_fold(split, "train", observed=observed), graph)
    assert set(found) == {"train: every observed edge is an edge of the graph"}


@pytest.fixture(scope="module")
def triples():
    return relatives()


@pytest.fixture(scope="module")
def by_relation(triples):
    return PROTOCOLS["indigo"].apply(triples, 0)


def test_findings_about_triples_are_no_leaks(by_relation, triples):
    audit = audit_split(by_relation, triples)
    assert audit.passed
    assert [(pair.relation, pair.inverse) for pair in audit.inverses][1] == ("child of", "parent of")
    reverse = by_relation.test.positives[:, ::-1].copy()
    reverse[:, 1] = np.array([2, 1, 0, 3])[by_relation.test.positives[:, 1]]
    given_away = int(by_relation.test.observed.contains(reverse).sum())
    assert 0 < given_away < len(reverse)
    assert audit.findings == {
        "test facts whose reverse is observed, with any relation": given_away,
        "test facts whose reverse is observed, with an inverse relation": given_away,
        "test facts whose pair is observed, with a near-duplicate relation": 0,
        "test negatives that are listed again in their pool": 0,
    }
    values = audit.to_json()
    assert values["inverses"][0]["is_symmetric"]
    assert values["findings"] == audit.findings


def test_relations_that_are_nearly_the_same_are_found():
    graph = twice_named()
    split = PROTOCOLS["entities-50"].apply(graph, 0)
    audit = audit_split(split, graph)
    assert [(pair.relation, pair.duplicate) for pair in audit.duplicates] == [("0", "1")]
    facts = np.unique(split.test.positives, axis=0)
    other = facts.copy()
    other[:, 1] = np.array([1, 0, 2])[facts[:, 1]]
    given_away = int((split.test.observed.contains(other) & (facts[:, 1] < 2)).sum())
    assert 0 < given_away < len(facts)
    assert audit.findings["test facts whose pair is observed, with a near-duplicate relation"] == given_away
    assert audit.to_json()["duplicates"][0]["duplicate"] == "1"
    assert audit.passed


def test_pairs_have_no_findings(split, graph):
    assert (audit_split(split, graph).inverses, audit_split(split, graph).findings) == ((), {})


def test_another_relation_that_is_observed(by_relation, triples):
    others = by_relation.test.targets.relations
    queries = others.queries.copy()
    queries[0] = by_relation.train.positives[0]
    targets = replace(by_relation.test.targets, relations=replace(others, queries=queries))
    leaky = replace(by_relation, test=replace(by_relation.test, targets=targets))
    assert set(broken(leaky, triples)) == {"test: no relation that a positive is ranked against is a fact"}


def test_negatives_of_a_pool_that_are_facts_or_listed_again(by_relation, triples):
    targets = by_relation.test.targets
    negatives = targets.negatives.copy()
    negatives[3] = negatives[2]
    again = with_fold(by_relation, "test", negatives=negatives)
    audit = audit_split(again, triples)
    assert audit.passed
    assert audit.findings["test negatives that are listed again in their pool"] == 1
    negatives[3] = by_relation.valid.positives[0]
    assert set(broken(with_fold(by_relation, "test", negatives=negatives), triples)) == {"test: no negative is an edge"}


def test_entity_ranking_lists_each_fact_twice_and_no_more(triples):
    split = PROTOCOLS["entities-50"].apply(triples, 0)
    assert audit_split(split, triples).passed
    positives = split.test.positives.copy()
    positives[1] = positives[0]
    found = broken(with_fold(split, "test", positives=positives), triples)
    assert {name: check.offenders for name, check in found.items()} == {"test: every target is listed once": 1}
    negatives = split.test.negatives.copy()
    negatives[49] = negatives[0]
    found = broken(with_fold(split, "test", negatives=negatives), triples)
    assert {name: check.offenders for name, check in found.items()} == {"test: every target is listed once": 1}


@pytest.fixture
def directed():
    """Many edges in both directions."""
    pairs = np.random.default_rng(0).integers(0, 40, (300, 2))
    return Graph.from_pairs(np.concatenate([pairs, pairs[:100, ::-1]]), 40, is_directed=True)


def test_the_reverse_of_a_directed_target_is_no_leak_and_the_target_is(directed):
    split = PROTOCOLS["paper"].apply(directed, 0)
    assert audit_split(split, directed).passed
    test = split.test
    assert test.observed.has_edges(test.positives[:, ::-1]).any()
    assert directed.has_edges(test.negatives[:, ::-1]).any()
    leaking = replace(split, test=replace(test, observed=test.observed.with_(test.positives[:1])))
    failed = [check for check in audit_split(leaking, directed).checks if not check.passed]
    assert [check.offenders for check in failed] == [1]


def test_both_directions_of_a_pair_can_be_hidden(directed):
    """Then neither is seen."""
    both = [edge for edge in directed.edges if directed.has_edges(edge[None, ::-1])[0]]
    for seed in range(20):
        test = PROTOCOLS["paper"].apply(directed, seed).test
        hidden = Graph.from_pairs(test.positives, 40, is_directed=True)
        pairs = [edge for edge in both if hidden.has_edges(edge[None])[0] and hidden.has_edges(edge[None, ::-1])[0]]
        if pairs:
            assert not test.observed.has_edges(np.array(pairs)).any()
            return
    raise AssertionError("no such pair among twenty splits")
