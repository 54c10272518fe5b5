from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from linkwl import KnowledgeGraph
from linkwl.graph import NodeIds, functional
from linkwl.graph.functional import FEWEST, find_functional
from triple_graphs import small_knowledge_graphs


def graph_of(facts, num_relations=1):
    return KnowledgeGraph.from_triples(facts, 400, num_relations)


def one_tail(graph):
    return find_functional(graph).one_tail.tolist()


def test_a_relation_needs_enough_heads():
    facts = [(k, 0, 300 + k % 3) for k in range(FEWEST)]
    assert one_tail(graph_of(facts)) == [True]
    assert one_tail(graph_of(facts[:-1])) == [False]


def test_a_few_heads_may_have_two_tails():
    facts = [(k, 0, 300) for k in range(100)]
    assert one_tail(graph_of([*facts, (0, 0, 301), (1, 0, 301)])) == [True]
    assert one_tail(graph_of([*facts, (0, 0, 301), (1, 0, 301), (2, 0, 301)])) == [False]


def test_the_two_directions_are_told_apart():
    many_heads = [(k, 0, 300 + k % 30) for k in range(90)]
    many_tails = [(k % 30, 1, 100 + k) for k in range(90)]
    pairs = [(k, 2, 200 + k) for k in range(30)]
    found = find_functional(graph_of(many_heads + many_tails + pairs, 3))
    assert found.one_tail.tolist() == [True, False, True]
    assert found.one_head.tolist() == [False, True, True]
    assert found.to_json() == {"one_tail": ["0", "2"], "one_head": ["1", "2"]}
    assert found.to_text() == "each head has one tail under 0, 2; each tail has one head under 1, 2"


def test_long_lists_of_relations_are_shortened():
    facts = [(k, r, 300) for k in range(20) for r in range(7)]
    assert find_functional(graph_of(facts, 7)).to_text() == "each head has one tail under 0, 1, 2, 3, 4, ..."


@settings(max_examples=40, deadline=None)
@given(small_knowledge_graphs())
def test_the_same_as_one_by_one(graph):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(functional, "FEWEST", 2)
        patch.setattr(functional, "LEAST_SHARE", 0.6)
        found = find_functional(graph)
    facts = [tuple(fact) for fact in graph.triples.tolist()]
    n = graph.num_nodes
    queries = [(h, r, t) for h in range(n) for r in range(graph.num_relations) for t in range(n)]
    for end, is_second in ((0, found.second_tails), (2, found.second_heads)):
        expected = []
        for query in queries:
            relation = query[1]
            counts = [sum((f[end], f[1]) == (node, relation) for f in facts) for node in range(n)]
            known = [count for count in counts if count]
            is_single = len(known) >= 2 and known.count(1) >= 0.6 * len(known)
            expected.append(is_single and counts[query[end]] > 0)
        assert is_second(np.array(queries, dtype=np.int32).reshape(-1, 3)).tolist() == expected


def test_nothing_is_functional_without_facts():
    graph = KnowledgeGraph.from_triples(np.empty((0, 3), dtype=int), 0, 0, relations=NodeIds(0, kind="relation"))
    found = find_functional(graph)
    assert not found
    assert found.to_text() == ""
