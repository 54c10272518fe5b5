from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwl.errors import MemoryLimitError, SplitError
from linkwl.graph import Division, KnowledgeGraph, Labelled
from linkwl.protocols import PROTOCOLS, Protocol
from linkwl.splits import CoveringSplit, LabelledNegatives, audit_split
from linkwl.splits.labelled_negatives import other_relations, uniform_triples
from triple_graphs import fact_set, random_triples, relatives, small_knowledge_graphs

INDIGO = PROTOCOLS["indigo"]


@given(small_knowledge_graphs(), st.integers(0, 99))
def test_uniform_triples_are_distinct_unknown_and_of_the_relations(graph, seed):
    relations = np.unique(graph.triples[:, 1])[::2]
    count = min(10, len(relations) * graph.num_nodes**2 - int(np.isin(graph.triples[:, 1], relations).sum()))
    found = uniform_triples(graph, relations, count, np.random.default_rng(seed))
    assert len(fact_set(found)) == count
    assert not graph.contains(found).any()
    assert np.isin(found[:, 1], relations).all()


def test_all_triples_that_are_not_known_can_be_drawn():
    graph = KnowledgeGraph.from_triples([(0, 0, 1), (1, 2, 1)], 2, 3)
    found = uniform_triples(graph, np.array([0, 2]), 6, np.random.default_rng(0))
    assert fact_set(found) == {(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 2, 0), (0, 2, 1), (1, 2, 0)}
    with pytest.raises(SplitError, match="too dense"):
        uniform_triples(graph, np.array([0, 2]), 7, np.random.default_rng(0))


def test_triples_are_uniform():
    graph = KnowledgeGraph.from_triples([(0, 0, 1)], 3, 2)
    generator = np.random.default_rng(0)
    draws = np.concatenate([uniform_triples(graph, np.arange(2), 1, generator) for _ in range(3400)])
    _, counts = np.unique(draws, axis=0, return_counts=True)
    assert len(counts) == 17
    assert np.abs(counts - 200).max() < 5 * np.sqrt(200)


@given(small_knowledge_graphs())
def test_other_relations_are_all_that_are_not_known(graph):
    facts, relations = graph.triples[::3], np.unique(graph.triples[:, 1])
    found = other_relations(graph, facts, relations)
    known = fact_set(graph.triples)
    for i, (h, r, t) in enumerate(facts.tolist()):
        rows = found.queries[found.offsets[i] : found.offsets[i + 1]].tolist()
        assert rows == [[h, s, t] for s in relations.tolist() if s != r and (h, s, t) not in known]


def test_lists_that_do_not_fit_are_refused_with_a_remedy(monkeypatch):
    monkeypatch.setattr("linkwl.memory.available_memory", lambda: 1000)
    graph = relatives(5)
    with pytest.raises(MemoryLimitError, match=r"4 relations for each of 150 facts .* use the protocol `entities-50`"):
        other_relations(graph, graph.triples, np.arange(4))


def test_targets_of_a_graph_without_a_division():
    graph = relatives()
    split = INDIGO.apply(graph, 0)
    train, valid, test = (fold.targets for fold in split.folds.values())
    assert len(train.negatives) == 0
    assert len(valid.negatives) == len(valid.positives)
    assert valid.pools is None
    assert np.diff(test.pools).tolist() == [len(test.positives)] * 10
    for targets in (valid, test):
        assert not graph.contains(targets.negatives).any()
        assert not graph.contains(targets.relations.queries).any()
        assert np.diff(targets.relations.offsets).tolist() == [3] * len(targets.positives)
    pools = [fact_set(pool) for pool in np.split(test.negatives, test.pools[1:-1])]
    assert len({frozenset(pool) for pool in pools}) == 10
    assert not fact_set(valid.negatives) & set.union(*pools)
    assert audit_split(split, graph).passed


def test_published_labels_are_the_pools():
    graph, unseen = random_triples(30, 4, 400), random_triples(20, 4, 200, seed=1, first=100)
    targets = unseen.triples[-20:]
    division = Division(
        graph.triples[:-20].copy(),
        graph.triples[-20:].copy(),
        unseen=unseen.without(targets),
        unseen_test=targets.copy(),
    )
    generator = np.random.default_rng(0)
    samples = tuple(
        Labelled(generator.permutation(targets), uniform_triples(unseen, np.arange(4), 20, generator)) for _ in range(3)
    )
    graph = replace(graph, division=division.with_labels(samples))
    split = INDIGO.apply(graph, 0)
    test = split.test.targets
    assert np.array_equal(test.positives, targets)
    assert test.pools.tolist() == [0, 20, 40, 60]
    assert np.array_equal(test.negatives, np.concatenate([sample.negatives for sample in samples]))
    assert audit_split(split, graph).passed
    assert INDIGO.apply(graph, 0).digest == split.digest
    assert fact_set(INDIGO.apply(graph, 1).test.negatives) == fact_set(test.negatives)


def test_relations_that_training_never_saw_are_no_candidates():
    graph = relatives(10)
    unseen = KnowledgeGraph.from_triples([(0, 4, 1), (1, 2, 2), (2, 2, 0)], 3, 5)
    wider = KnowledgeGraph.from_triples(graph.triples, graph.num_nodes, 5)
    division = Division(
        graph.triples[::2].copy(), graph.triples[1::2].copy(), unseen=unseen, unseen_test=np.array([(0, 2, 1)])
    )
    split = Protocol("p", INDIGO.splitter, LabelledNegatives(2), ("auc",)).apply(replace(wider, division=division), 0)
    assert split.test.targets.relations.queries.tolist() == [[0, 0, 1], [0, 1, 1], [0, 3, 1]]
    assert set(split.test.negatives[:, 1].tolist()) <= {2, 4}


def test_a_graph_with_too_few_relations_is_refused():
    graph = random_triples(30, 2, 300)
    with pytest.raises(SplitError, match=r"relation Hits@3 of protocol `indigo` needs 3 other relations"):
        INDIGO.apply(graph, 0)
    split = Protocol("p", CoveringSplit(), LabelledNegatives(), ("acc", "relation-hits@1")).apply(graph, 0)
    assert np.diff(split.test.targets.relations.offsets).max() == 1
