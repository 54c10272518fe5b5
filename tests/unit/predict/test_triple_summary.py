from __future__ import annotations

import numpy as np
import pytest

from linkwl.predict import summary
from linkwl.predict import triple_summary as module
from linkwl.predict.explain_triple import TripleExplanation
from linkwl.predict.triple_summary import best_rules, known_roles
from linkwl.protocols import protocol_for
from triple_graphs import random_triples, relatives


def test_the_top_is_that_of_all_triples_with_known_roles(fact_predictor, fact_summary):
    graph, found = fact_predictor.graph_, fact_summary.triples
    heads, tails = ([set(graph.triples[graph.triples[:, 1] == r, end]) for r in range(4)] for end in (0, 2))
    every = np.array([(h, r, t) for r in range(4) for h in heads[r] for t in tails[r] if h != t])
    missing = every[~graph.contains(every)]
    missing = missing[missing[:, 1] != 1]  # everyone who is married has one partner
    scores = np.sort(fact_predictor.rank_indices(missing, graph=graph).scores)[::-1]
    assert found.top.scores.tolist() == scores[: summary.LISTED].tolist()
    assert not graph.contains(found.top.queries).any()
    assert found.num_ranked == sum(len(h) * len(t) for h, t in zip(heads, tails, strict=True))
    assert found.num_with_roles == found.num_ranked
    assert found.num_left_out == len(heads[1]) * (len(tails[1]) - 2)  # neither the partner nor himself


def test_of_a_small_graph_all_triples_are_ranked(fact_predictor, fact_summary, monkeypatch):
    assert fact_summary.is_whole
    assert fact_summary.top.scores.tolist() == fact_predictor.recommend(15).scores.tolist()
    monkeypatch.setattr(summary, "LARGEST_RANKED", 10)
    large = summary.summarise(fact_predictor)
    assert not large.is_whole
    assert large.listed is large.triples.top
    assert large.top.scores.tolist() == large.listed.scores[:15].tolist()


def test_the_best_of_each_relation(fact_predictor, fact_summary):
    best = fact_summary.triples.best
    assert sorted(best.queries[:, 1].tolist()) == [0, 2, 3]
    assert best.scores.tolist() == sorted(best.scores, reverse=True)
    for query, score in zip(best.queries, best.scores, strict=True):
        of_relation = fact_summary.triples.top.scores[fact_summary.triples.top.queries[:, 1] == query[1]]
        assert score >= of_relation.max(initial=-np.inf)


def test_the_first_of_several_relations_are_explained(fact_summary):
    assert all(isinstance(found, TripleExplanation) for found in fact_summary.explanations)
    expected = [tuple(query) for query in fact_summary.triples.best.queries[:3].tolist()]
    assert [found.query for found in fact_summary.explanations] == expected


def test_hidden_facts_are_those_of_the_split(fact_predictor, fact_summary):
    split = protocol_for(fact_predictor.graph_).apply(fact_predictor.graph_, 0)
    hidden = np.bincount(split.test.positives[:, 1], minlength=4)
    assert {test.relation: test.hidden for test in fact_summary.triples.tests} == dict(enumerate(hidden))
    found = [test.found for test in fact_summary.triples.tests]
    assert found == sorted(found)


def test_rules_hold_often_and_are_listed_once(monkeypatch):
    graph = relatives(10)
    monkeypatch.setattr(module, "MOST_RULES", 1000)
    rules = best_rules(graph)
    order = [(-rule.confidence, -rule.support) for rule in rules]
    assert order == sorted(order)
    assert all(rule.support >= 5 for rule in rules)
    bodies = {(rule.body, rule.relation) for rule in rules}
    assert ((4 + 2,), 0) in bodies  # child of is parent of turned round
    assert ((0, 2), 3) in bodies  # children of the same parent are siblings
    assert not any(role >= 4 for body, _ in bodies if len(body) == 2 for role in body)
    monkeypatch.setattr(module, "MOST_RULES", 3)
    assert best_rules(graph) == rules[:3]


def test_rules_that_hold_rarely_are_left_out(monkeypatch):
    graph = random_triples(30, 3, 60, 0)
    monkeypatch.setattr(module, "FEWEST_HOLDING", 1)
    assert best_rules(graph)
    monkeypatch.setattr(module, "FEWEST_HOLDING", 10**6)
    assert best_rules(graph) == []


@pytest.mark.parametrize("most", [1, 7, 50, 10_000])
def test_large_grids_are_sampled(most):
    graph = random_triples(60, 2, 400, 0)
    heads, tails = known_roles(graph, 1, most, seed=0)
    assert 0 < len(heads) * len(tails) <= most
    facts = graph.triples[graph.triples[:, 1] == 1]
    every_head, every_tail = np.unique(facts[:, 0]), np.unique(facts[:, 2])
    assert np.isin(heads, every_head).all()
    assert np.isin(tails, every_tail).all()
    is_whole = len(heads) == len(every_head) and len(tails) == len(every_tail)
    assert is_whole == (most >= len(every_head) * len(every_tail))
