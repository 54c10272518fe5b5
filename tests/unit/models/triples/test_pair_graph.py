from __future__ import annotations

import numpy as np
import pytest

from facts import random_facts
from linkwl.models.triples.pair_graph import place_pairs, read_pairs


@pytest.mark.parametrize("is_ordered", [False, True])
def test_members_are_placed_where_they_stand(is_ordered):
    graph = random_facts()
    read = read_pairs(graph.triples, graph.num_nodes, graph.num_relations, is_ordered=is_ordered, loops=False)
    placed = place_pairs(read, read.pairs.pairs)
    np.testing.assert_array_equal(placed.index, np.arange(len(read.pairs.pairs)))
    np.testing.assert_array_equal(placed.places.weight, read.members.weight)
    np.testing.assert_array_equal(placed.places.own, read.members.own)


def test_other_pairs_meet_the_members_at_their_ends():
    triples = np.array([(0, 0, 1), (1, 0, 2)])
    read = read_pairs(triples, 4, 1, is_ordered=False, loops=False)
    placed = place_pairs(read, np.array([(0, 2), (1, 3), (3, 3)]))
    assert placed.index.tolist() == [-1, -1, -1]
    assert placed.places.weight.tolist() == [1 / 5, 1 / 5, 1]  # two neighbours, two, none
    assert placed.places.own.tolist() == [1, 1, 1]


def test_loops_and_further_pairs_are_members():
    triples = np.array([(0, 0, 1)])
    read = read_pairs(triples, 3, 1, is_ordered=False, loops=True, also=np.array([(2, 1)]))
    assert read.pairs.pairs.tolist() == [[0, 0], [0, 1], [1, 1], [1, 2], [2, 2]]
    assert read.rows.value.tolist() == [1]
