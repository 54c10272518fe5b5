from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from linkwl.graph import Graph
from linkwl.models.heuristics import entries


class Columns:
    """A symmetric matrix that counts how many of its columns are asked for."""

    def __init__(self, num_nodes):
        random = np.random.default_rng(0).random((num_nodes, num_nodes))
        self.matrix, self.asked = random + random.T, 0

    def read(self, sources, row, slot):
        self.asked += len(sources)
        return self.matrix[:, sources][row, slot]


@pytest.mark.parametrize("width", [1, 3, 64])
def test_entries_of_every_pair(width, every_pair, monkeypatch):
    monkeypatch.setattr(entries, "_MAX_WIDTH", width)
    columns = Columns(40)
    values = entries.symmetric_entries(every_pair, 40, columns.read)
    np.testing.assert_array_equal(values, columns.matrix.ravel())


def test_partners_of_one_node_need_one_column():
    columns = Columns(100)
    pairs = np.array([(57, v) for v in range(50)] + [(v, 57) for v in range(50, 100)])
    entries.symmetric_entries(pairs, 100, columns.read)
    assert columns.asked == 1


def test_inverse_entries(random_graph, every_pair):
    steps = 0.02 * random_graph.to_scipy()
    expected = np.linalg.inv(np.eye(40) - steps.toarray()).ravel()
    values = entries.InverseEntries(steps, sp.eye_array(40, format="csr"))(every_pair)
    np.testing.assert_allclose(values, expected, atol=1e-14)


def test_dense_only_where_it_is_quicker():
    path = Graph.from_pairs([(v, v + 1) for v in range(999)], num_nodes=1000)
    assert entries.prefers_dense(path, 6000) is False
    hubs = Graph.from_pairs([(hub, v) for hub in range(3) for v in range(3, 1000)], num_nodes=1000)
    assert entries.prefers_dense(hubs, 6000) is True
    assert entries.prefers_dense(hubs, 999) is False


def test_blocks_cover_every_column_within_bounded_memory():
    assert np.concatenate(list(entries.blocks(200, 10))).tolist() == list(range(200))
    assert list(entries.blocks(0, 0)) == []
    for num_nodes in (1, 20_000, 10**6, 10**9):
        assert entries.block_width(num_nodes) == 1 or entries.block_width(num_nodes) * num_nodes * 8 <= 2**25
