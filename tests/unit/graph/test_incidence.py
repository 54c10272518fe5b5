from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwl.graph import KnowledgeGraph
from linkwl.graph.incidence import find_incidence


def plain_incidence(triples, num_nodes, num_relations):
    """The entries of every node, one fact at a time."""
    entries = [[] for _ in range(num_nodes)]
    for head, relation, tail in triples:
        entries[head].append((tail, relation))
        entries[tail].append((head, num_relations + relation))
    return [sorted(row) for row in entries]


def rows(incidence):
    entries = list(zip(incidence.other.tolist(), incidence.role.tolist(), strict=True))
    return [entries[start:stop] for start, stop in zip(incidence.ptr, incidence.ptr[1:], strict=False)]


def test_a_fact_has_an_entry_at_both_ends_and_a_loop_has_two_at_one():
    graph = KnowledgeGraph.from_triples([(0, 1, 2), (2, 0, 0), (1, 1, 1)], 4, 2)
    assert rows(graph.incidence) == [[(2, 1), (2, 2)], [(1, 1), (1, 3)], [(0, 0), (0, 3)], []]
    assert [array.dtype for array in graph.incidence] == [np.int64, np.int32, np.int32]
    assert graph.incidence is graph.incidence


@st.composite
def triples(draw):
    num_nodes, num_relations = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    node = st.integers(0, num_nodes - 1)
    found = draw(st.lists(st.tuples(node, st.integers(0, num_relations - 1), node), max_size=30))
    return num_nodes, num_relations, sorted(set(found))


@given(triples())
@settings(max_examples=150, deadline=None)
def test_it_equals_the_plain_reference(sample):
    num_nodes, num_relations, facts = sample
    graph = KnowledgeGraph.from_triples(facts, num_nodes, num_relations)
    assert rows(graph.incidence) == plain_incidence(facts, num_nodes, num_relations)


def test_entries_whose_numbers_do_not_fit_in_64_bits():
    num_nodes, num_relations = 2_000_000, 2_000_000
    facts = np.random.default_rng(0).integers(num_nodes - 5, num_nodes, (60, 3))
    graph = KnowledgeGraph.from_triples(facts, num_nodes, num_relations)
    first = num_nodes - 5
    plain = plain_incidence([(h - first, r, t - first) for h, r, t in graph.triples.tolist()], 5, num_relations)
    found = rows(graph.incidence._replace(ptr=graph.incidence.ptr[first:]))
    assert found == [[(other + first, role) for other, role in row] for row in plain]
    assert graph.incidence.ptr[first] == 0


def test_no_facts_and_no_nodes():
    for num_nodes in (0, 3):
        incidence = KnowledgeGraph.from_triples([], num_nodes, 2).incidence
        assert incidence.ptr.tolist() == [0] * (num_nodes + 1)
        assert len(incidence.other) == len(incidence.role) == 0


def test_arrays_cannot_be_written():
    for array in KnowledgeGraph.from_triples([(0, 0, 1)], 2, 1).incidence:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_too_many_roles_are_refused():
    with pytest.raises(ValueError, match="at most"):
        find_incidence(np.empty((0, 3), dtype=np.int32), 1, 2**30 + 1)
