from __future__ import annotations

import numpy as np
import pytest

from facts import random_facts
from linkwl.sparse import ordered_pairs, unordered_pairs

TRIPLES = np.array([(0, 0, 1), (1, 2, 0), (1, 0, 0), (2, 1, 0), (2, 2, 2)])


def columns(pairs):
    """The columns of each pair."""
    return {
        tuple(pair): pairs.col[pairs.rowptr[i] : pairs.rowptr[i + 1]].tolist()
        for i, pair in enumerate(pairs.pairs.tolist())
    }


def test_unordered_pairs_have_one_half_for_each_direction():
    assert columns(unordered_pairs(TRIPLES, 3, 3)) == {(0, 1): [0, 3, 5], (0, 2): [4], (2, 2): [2, 5]}


def test_ordered_pairs_have_swapped_halves():
    found = columns(ordered_pairs(TRIPLES, 3, 3))
    assert found == {(0, 1): [0, 3, 5], (1, 0): [0, 2, 3], (0, 2): [4], (2, 0): [1], (2, 2): [2, 5]}
    for (p, q), own in found.items():
        assert found[q, p] == sorted((column + 3) % 6 for column in own)


def test_further_pairs_and_loops_have_no_columns():
    also = np.array([(2, 1), (1, 0)])
    assert columns(unordered_pairs(TRIPLES[:1], 3, 3, also=also)) == {(0, 1): [0], (1, 2): []}
    assert columns(ordered_pairs(TRIPLES[:1], 3, 3, also=also)) == {(0, 1): [0], (1, 0): [3], (1, 2): [], (2, 1): []}
    assert columns(unordered_pairs(TRIPLES[:1], 2, 3, loops=True)) == {(0, 0): [], (0, 1): [0], (1, 1): []}


@pytest.mark.parametrize("collect", [unordered_pairs, ordered_pairs])
def test_no_facts(collect):
    pairs = collect(np.empty((0, 3), dtype=np.int32), 4, 2)
    assert pairs.pairs.shape == (0, 2)
    assert pairs.rowptr.tolist() == [0]
    assert pairs.find(np.array([(0, 1)])).tolist() == [-1]


def test_pairs_are_found():
    graph = random_facts()
    pairs = ordered_pairs(graph.triples, graph.num_nodes, graph.num_relations)
    np.testing.assert_array_equal(pairs.find(pairs.pairs), np.arange(len(pairs.pairs)))
    everything = np.stack(np.divmod(np.arange(graph.num_nodes**2), graph.num_nodes), axis=1)
    known = {tuple(pair) for pair in pairs.pairs.tolist()}
    assert [place >= 0 for place in pairs.find(everything)] == [tuple(pair) in known for pair in everything.tolist()]
