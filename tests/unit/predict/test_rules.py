from __future__ import annotations

from itertools import permutations

import pytest

from linkwl.datasets import load_world
from linkwl.graph import KnowledgeGraph
from linkwl.predict import rules
from linkwl.predict.rules import Rule, count_rule, rules_of
from triple_graphs import random_triples, relatives


def plain_rules(graph: KnowledgeGraph, length: int) -> dict[tuple[tuple[int, ...], int], tuple[int, int]]:
    """Follows every path of the graph: number of paths and support by body and relation."""
    count = graph.num_relations
    facts = {tuple(fact) for fact in graph.triples.tolist()}
    steps = facts | {(t, r + count, h) for h, r, t in facts}
    roles = {(a, b): [role for x, role, y in steps if (x, y) == (a, b)] for a, _, b in steps}
    found: dict[tuple[tuple[int, ...], int], list[int]] = {}
    for nodes in permutations(range(graph.num_nodes), length + 1):
        bodies = [()]
        for pair in zip(nodes, nodes[1:], strict=False):
            bodies = [(*body, role) for body in bodies for role in roles.get(pair, [])]
        for body in bodies:
            for relation in range(count):
                counts = found.setdefault((body, relation), [0, 0])
                counts[0] += 1
                counts[1] += (nodes[0], relation, nodes[-1]) in facts
    return {key: (paths, support) for key, (paths, support) in found.items()}


@pytest.fixture(scope="module")
def capitals():
    """Three cities and their countries, two of which are in a union; one city is known to be in it."""
    facts = [(0, 0, 3), (1, 0, 4), (2, 0, 5), (3, 1, 6), (4, 1, 6), (0, 2, 6), (3, 3, 4), (4, 3, 3)]
    return KnowledgeGraph.from_triples(facts, 7, 4)


def test_rules_counted_by_hand(capitals):
    found = {(rule.body, rule.relation): (rule.paths, rule.support) for rule in rules_of(capitals)}
    assert found[(0, 1), 2] == (2, 1)  # X -capital of-> Y -member of-> Z: two cities, one of which is in the union
    assert found[(7,), 3] == (2, 2)  # neighbours are neighbours
    assert found[(3, 1), 1] == (2, 2)  # the neighbour of a member is one
    assert found[(1, 5), 3] == (2, 2)  # members of the same union are neighbours; X = Z does not count
    assert ((3,), 3) not in found  # a fact is no evidence for itself


@pytest.mark.parametrize("seed", range(3))
def test_rules_are_those_of_every_path(seed):
    graph = random_triples(8, 3, 30, seed)
    expected = {}
    for length in (1, 2):
        expected |= {key: value for key, value in plain_rules(graph, length).items() if value[1] and key[0] != key[1:]}
    assert {(rule.body, rule.relation): (rule.paths, rule.support) for rule in rules_of(graph)} == expected


def test_the_rules_of_one_relation():
    graph = random_triples(8, 3, 30, 0)
    assert rules_of(graph, 1) == [rule for rule in rules_of(graph) if rule.relation == 1]


@pytest.mark.parametrize("length", [1, 2, 3])
def test_one_rule_is_counted_alike(length):
    graph = random_triples(7, 2, 25, 1)
    for (body, relation), (paths, support) in plain_rules(graph, length).items():
        assert count_rule(graph, body, relation) == Rule(body, relation, paths, support)


def test_on_a_graph_of_thousands_of_facts_both_ways_agree():
    graph = load_world()
    found = rules_of(graph)
    assert len(found) > 30
    for rule in found:
        assert count_rule(graph, rule.body, rule.relation) == rule


def test_confidence_and_words(capitals):
    rule = Rule((0, 1), 2, 2, 1)
    assert rule.confidence == 0.5
    assert rule.to_text(capitals) == "X -0-> Y -1-> Z  =>  X 2 Z"
    assert rule.to_json(capitals) == {
        "text": rule.to_text(capitals),
        "relation": 2,
        "paths": 2,
        "support": 1,
        "confidence": 0.5,
    }


def test_a_rule_with_too_many_paths_is_not_counted(monkeypatch):
    graph = relatives(2)
    assert count_rule(graph, [3, 3, 3], 3) is not None
    monkeypatch.setattr(rules, "MOST_WALKS", 10)
    assert count_rule(graph, [3, 3, 3], 3) is None


def test_a_graph_without_facts_has_no_rules():
    graph = KnowledgeGraph.from_triples([(0, 0, 0)], 3, 2)
    assert rules_of(graph) == []
    assert count_rule(graph, [0], 1) == Rule((0,), 1, 0, 0)


def test_in_a_sample_of_the_facts_no_rule_holds_more_often_than_it_applies(monkeypatch):
    graph = load_world()
    exact = {(rule.body, rule.relation): rule for rule in rules_of(graph)}
    monkeypatch.setattr("linkwl.sparse.rules.MOST_COUNTED", 500)
    found = rules_of(graph)
    assert found
    for rule in found:
        assert 0 < rule.support <= rule.paths == exact[rule.body, rule.relation].paths
