from __future__ import annotations

import numpy as np
import pytest

from graphs import path_graph
from linkwl.graph import Graph
from linkwl.wl.case import build_cases
from linkwl.wl.mixing import COLLISION, round_keys
from linkwl.wl.words import WordRefinement


class Halving(WordRefinement):
    """Words that are the labels, halved in every round; keeps the keys that it was given."""

    id, unit = "halving", "node"

    def _first(self, case):
        return case.labels.astype(np.uint64)

    def _refined(self, case, words, keys):
        self.keys = keys
        return words // np.uint64(2)

    def _missed_split(self):
        return 0.25

    def links(self, case, *, masked=False):
        raise NotImplementedError

    @classmethod
    def memory(cls, cases):
        return 0


@pytest.fixture
def refinement():
    graphs = [Graph.from_pairs([], 4), Graph.from_pairs([(0, 1), (0, 2)], 3)]
    return Halving(build_cases(graphs, [[0, 1, 2, 3], [3, 3, 4]]))


def test_classes_are_counted_in_each_graph_and_in_all_together(refinement):
    assert (refinement.num_coloured, refinement.num_classes) == (7, 5)
    assert (refinement.count(0), refinement.count(1)) == (4, 2)
    refinement.step()
    assert refinement.num_classes == 3
    assert (refinement.count(0), refinement.count(1)) == (2, 2)


def test_every_round_has_its_own_keys(refinement):
    refinement.step()
    first = refinement.keys
    refinement.step()
    assert refinement.round == 2
    np.testing.assert_array_equal(first, round_keys(1))
    np.testing.assert_array_equal(refinement.keys, round_keys(2))


def test_the_error_bound_is_a_missed_split_or_two_classes_fallen_together(refinement):
    assert refinement.error_bound == 0.25 + 5**2 / 2 * COLLISION


def test_the_largest_degree_is_at_least_one(refinement):
    assert refinement._largest_degree() == 2
    assert Halving(build_cases([Graph.from_pairs([], 3)], [None]))._largest_degree() <= 1
    assert Halving(build_cases([], []))._largest_degree() == 1


def test_no_graphs_at_all():
    refinement = Halving([])
    assert (refinement.num_coloured, refinement.num_classes) == (0, 0)
    refinement.step()


def test_one_graph_is_counted_once():
    refinement = Halving(build_cases([path_graph()], [[1, 1, 2, 5]]))
    assert refinement.count(0) == refinement.num_classes == 3
