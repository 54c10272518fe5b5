from __future__ import annotations

import numpy as np
import pytest
from networkx import path_graph as nx_path

from graphs import from_networkx, path_graph
from linkwl.wl.case import build_cases
from linkwl.wl.engine import ENGINES, start
from linkwl.wl.refinement import Refinement, until_stable


class Scripted(Refinement):
    """Has as many classes in each round as it is told."""

    def __init__(self, counts, num_coloured):
        super().__init__([])
        self.counts, self.num_coloured, self.num_classes = counts, num_coloured, counts[0]

    def step(self):
        self.round += 1
        self.num_classes = self.counts[self.round]

    def count(self, case):
        return self.num_classes

    def links(self, case, *, masked=False):
        return np.empty(0)

    @classmethod
    def memory(cls, cases):
        return 0


@pytest.mark.parametrize(
    ("counts", "num_coloured", "yielded", "steps"),
    [
        ([1, 1], 5, [1], 1),
        ([1, 2, 2], 5, [1, 2], 2),
        ([1, 2, 3, 4, 4], 9, [1, 2, 3, 4], 4),
        ([5], 5, [5], 0),
        ([1, 3, 5], 5, [1, 3, 5], 2),
        ([0], 0, [0], 0),
    ],
)
def test_rounds_go_on_until_one_splits_nothing(counts, num_coloured, yielded, steps):
    refinement = Scripted(counts, num_coloured)
    assert list(until_stable(refinement)) == yielded
    assert refinement.round == steps


def test_colours_can_be_read_between_rounds():
    refinement = Scripted([1, 2, 3, 3], 9)
    assert [(count, refinement.round) for count in until_stable(refinement)] == [(1, 0), (2, 1), (3, 2)]


def test_a_test_has_no_node_colours_and_no_matrix_unless_it_says_so():
    refinement = Scripted([1], 1)
    assert not refinement.keeps_pairs
    assert refinement.error_bound == 0
    for read in (refinement.nodes, refinement.matrix):
        with pytest.raises(NotImplementedError):
            read(0)


@pytest.mark.parametrize("engine", ENGINES)
def test_graphs_take_their_rounds_together(engine):
    """Each path alone is stable after round 1 (P3, P4); together only in round 3."""
    graphs = [from_networkx(nx_path(3)), path_graph()]
    together = start("1-wl", build_cases(graphs, [None, None]), engine=engine)
    counts = [(count, together.count(0), together.count(1)) for count in until_stable(together)]
    assert counts == [(1, 1, 1), (2, 2, 2), (3, 2, 2), (4, 2, 2)]
    for graph in graphs:
        assert list(until_stable(start("1-wl", build_cases([graph], [None]), engine=engine))) == [1, 2]


@pytest.mark.parametrize("engine", ENGINES)
def test_rounds_are_counted(engine):
    refinement = start("1-wl", build_cases([path_graph()], [None]), engine=engine)
    assert refinement.round == 0
    refinement.step()
    refinement.step()
    assert refinement.round == 2
