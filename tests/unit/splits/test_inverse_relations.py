from __future__ import annotations

import numpy as np
from hypothesis import given

from linkwl.graph import KnowledgeGraph
from linkwl.splits.inverse_relations import (
    DuplicateRelations,
    InverseRelations,
    duplicated_facts,
    find_duplicates,
    find_inverses,
    reversed_facts,
)
from triple_graphs import fact_set, relatives, small_knowledge_graphs


def test_inverse_and_symmetric_relations_are_found():
    found, pairs = find_inverses(relatives())
    assert [(pair.relation, pair.inverse) for pair in found] == [
        ("sibling of", "sibling of"),
        ("child of", "parent of"),
        ("married to", "married to"),
    ]
    assert pairs.tolist() == [[3, 3], [0, 2], [1, 1]]
    assert found[1] == InverseRelations("child of", "parent of", 320, 1.0, 320, 1.0)
    assert [pair.is_symmetric for pair in found] == [True, False, True]


def test_both_shares_and_the_number_of_facts_count():
    forward = [(v, 0, v + 50) for v in range(50)]
    back = [(v + 50, 1, v) for v in range(40)]

    def found(rows):
        return find_inverses(KnowledgeGraph.from_triples(rows, 100, 3))[0]

    assert [(pair.share, pair.inverse_share) for pair in found(forward + back)] == [(0.8, 1.0)]
    assert found(forward + back[:-1]) == []  # 78 % of the facts
    assert len(found(forward[:10] + back[:10])) == 1
    assert found(forward[:9] + back[:9]) == []
    loops = [(v, 2, v) for v in range(30)]
    assert found(loops) == []


def test_relations_that_are_nearly_the_same():
    assert find_duplicates(relatives())[0] == []  # an inverse is not a duplicate, nor is a symmetric relation

    def found(num_copies):
        rows = [(v, 0, v + 50) for v in range(50)] + [(v, 1, v + 50) for v in range(num_copies)]
        return find_duplicates(KnowledgeGraph.from_triples(rows, 100, 2))

    pairs, indices = found(40)
    assert (pairs, indices.tolist()) == ([DuplicateRelations("0", "1", 50, 0.8, 40, 1.0)], [[0, 1]])
    assert found(39)[0] == []


@given(small_knowledge_graphs())
def test_duplicated_facts_equal_the_plain_search(graph):
    observed, facts = graph.select(np.arange(graph.num_facts) % 2 == 0), graph.triples[1::2]
    seen, last = fact_set(observed.triples), graph.num_relations - 1
    allowed = {(0, last), (last, 0)}
    expected = [any((h, s, t) in seen and (r, s) in allowed for s in {0, last}) for h, r, t in facts.tolist()]
    assert duplicated_facts(facts, observed, np.array([(0, last)])).tolist() == expected


@given(small_knowledge_graphs())
def test_reversed_facts_equal_the_plain_search(graph):
    observed, facts = graph.select(np.arange(graph.num_facts) % 2 == 0), graph.triples[1::2]
    seen = fact_set(observed.triples)
    relations = range(graph.num_relations)
    expected = [any((t, s, h) in seen for s in relations) for h, _, t in facts.tolist()]
    assert reversed_facts(facts, observed).tolist() == expected
    inverses = np.array([(0, graph.num_relations - 1)])
    allowed = {(0, graph.num_relations - 1), (graph.num_relations - 1, 0)}
    expected = [any((t, s, h) in seen and (r, s) in allowed for s in relations) for h, r, t in facts.tolist()]
    assert reversed_facts(facts, observed, inverses).tolist() == expected
