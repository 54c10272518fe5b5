from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import KnowledgeGraph
from linkwl.models.base import FormulaScorer
from linkwl.predict import relation_figures as module
from linkwl.predict.relation_figures import RelationFigures, rank_tails, relation_figures
from triple_graphs import random_triples, relatives


def tail_number(graph):
    """Scores a triple by the number of its tail: entity 0 is first."""
    return FormulaScorer(graph, lambda queries: -queries[:, 2].astype(float))


def test_figures_by_hand():
    graph = KnowledgeGraph.from_triples([(0, 1, 1), (1, 1, 0), (0, 1, 2), (2, 1, 0), (0, 1, 3), (4, 0, 3)], 5, 3)
    assert relation_figures(graph) == [RelationFigures(1, 5, 3, 4, 4 / 5), RelationFigures(0, 1, 1, 1, 0)]


def test_figures_of_families():
    shares = {row.relation: row.symmetric for row in relation_figures(relatives(3))}
    assert shares == {0: 0, 1: 1, 2: 0, 3: 1}


def test_tails_are_ranked_among_entities_that_make_no_known_fact():
    # Of 0 .. 29, entity 2 is the hidden tail of head 20; 0 makes a known fact, so only 1 is before it.
    known = KnowledgeGraph.from_triples([(20, 0, 0), (20, 0, 2), (21, 1, 12)], 30, 2)
    hidden = np.array([(20, 0, 2), (21, 1, 12)], dtype=np.int32)
    hard, easy = rank_tails(tail_number(known), hidden, known)
    assert (easy.relation, easy.hidden, easy.tested, easy.candidates) == (0, 1, 1, 30)
    assert (easy.median_rank, easy.found) == (2, 1)
    assert (hard.relation, hard.median_rank, hard.found) == (1, 13, 0)


def test_ranks_are_those_of_a_plain_count():
    graph = random_triples(25, 3, 200, 1)
    hidden, scorer = graph.triples[::9], tail_number(graph)
    facts = {tuple(fact) for fact in graph.triples.tolist()}
    for test in rank_tails(scorer, hidden, graph):
        ranks = [
            1 + sum((h, r, t) not in facts and t != h for t in range(tail))
            for h, r, tail in hidden.tolist()
            if r == test.relation
        ]
        assert test.tested == len(ranks) == test.hidden
        assert test.median_rank == np.median(ranks)
        assert test.found == pytest.approx(np.mean(np.array(ranks) <= 10))


def test_large_graphs_are_sampled(monkeypatch):
    graph = random_triples(50, 6, 400, 2)
    monkeypatch.setattr(module, "MOST_RELATIONS", 4)
    monkeypatch.setattr(module, "MOST_ENTITIES", 20)
    monkeypatch.setattr(module, "MOST_SCORED", 4 * 20 * 5)
    tests = rank_tails(tail_number(graph), graph.triples, graph, seed=3)
    assert [(test.tested, test.candidates) for test in tests] == [(5, 20)] * 4
    assert tests == rank_tails(tail_number(graph), graph.triples, graph, seed=3)


def test_without_hidden_facts_there_is_nothing_to_test():
    graph = relatives(2)
    assert rank_tails(tail_number(graph), graph.triples[:0], graph) == []
