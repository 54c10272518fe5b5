"""Walks back to a node against dense powers."""

from __future__ import annotations

import numpy as np
import pytest

from linkwl.sparse import closed_walks
from linkwl.sparse.closed_walks import ClosedWalks
from walk_cases import dense_powers, random_graph, symmetric_weight


@pytest.mark.parametrize("steps", [2, 3, 4, 7, 12])
@pytest.mark.parametrize("kept", [0, 1 << 30])
def test_walks_are_the_diagonals_of_powers(monkeypatch, steps, kept):
    monkeypatch.setattr(closed_walks, "BYTES_KEPT", kept)
    graph = random_graph()
    weight = symmetric_weight(graph)
    walks = ClosedWalks(graph.rowptr, graph.col, weight, steps)
    expected = np.stack([np.diag(power) for power in dense_powers(graph, weight, steps)], axis=1)
    for nodes in ([3, 0, 3], range(40), [39]):
        chosen = np.array(nodes)
        assert np.allclose(walks.at(chosen), expected[chosen], rtol=1e-12, atol=1e-15)


def test_kept_walks_are_not_computed_again(monkeypatch):
    graph = random_graph()
    walks = ClosedWalks(graph.rowptr, graph.col, symmetric_weight(graph), 5)
    asked = []
    compute = walks._computed
    monkeypatch.setattr(walks, "_computed", lambda nodes: asked.extend(nodes.tolist()) or compute(nodes))
    first = walks.at(np.array([5, 2]))
    assert np.array_equal(walks.at(np.array([2, 5, 9]))[:2], first[::-1])
    assert asked == [2, 5, 9]
