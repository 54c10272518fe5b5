from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from linkwl.graph import Division, KnowledgeGraph, Labelled

FACTS = np.array([(0, 0, 1), (1, 0, 2), (2, 1, 0)], dtype=np.int32)


def divided() -> KnowledgeGraph:
    graph = KnowledgeGraph.from_triples(FACTS, 3, 2)
    return replace(graph, division=Division(FACTS[:1].copy(), FACTS[1:2].copy(), FACTS[2:].copy()))


def test_the_digest_does_not_see_the_division():
    graph = divided()
    assert graph.digest == replace(graph, division=None).digest
    assert graph.with_features(np.ones((3, 1), dtype=np.float32)).division is graph.division


def test_graphs_of_other_facts_are_not_divided():
    graph = divided()
    others = [
        graph.without(FACTS[:1]),
        graph.with_(np.array([(0, 1, 0)])),
        graph.cut(np.array([(0, 1)])),
        graph.reserve(FACTS[:1]),
        graph.of_nodes(np.array([0, 1])),
        *graph.subgraphs(np.array([0, 1, 2]), [(0,), (0, 1, 2)]),
    ]
    assert all(other.division is None for other in others)


def test_the_facts_to_predict():
    division = divided().division
    assert not division.is_inductive
    assert division.test_facts.tolist() == [[2, 1, 0]]
    unseen = KnowledgeGraph.from_triples([(0, 0, 1)], 2, 2)
    inductive = replace(division, unseen=unseen, unseen_test=np.array([(1, 0, 0)]))
    assert inductive.is_inductive
    assert inductive.test_facts.tolist() == [[1, 0, 0]]


def test_labels_have_the_facts_to_predict_in_any_order():
    facts = np.array([(0, 0, 1), (1, 0, 2)])
    division = Division(FACTS[2:].copy(), FACTS[2:].copy(), facts)
    sample = Labelled(facts[::-1], FACTS[2:])
    assert division.with_labels((sample,)).labels == (sample,)
    for wrong in (facts[:1], facts[[0, 0]], facts[[0, 1, 1]]):
        with pytest.raises(ValueError, match="`labels` must have the facts to predict as positives, each once"):
            division.with_labels((sample, Labelled(wrong, FACTS[2:])))


def test_divisions_are_sealed():
    with pytest.raises(ValueError, match="read-only"):
        divided().division.train[0] = 1
