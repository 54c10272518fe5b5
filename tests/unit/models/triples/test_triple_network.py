from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from linkwl.models.triples.triple_network import TripleNetwork


class Table(TripleNetwork):
    """A vector for every pair in a table, and a shared weight for the sum of a triple's numbers."""

    def __init__(self, *, is_ordered: bool, has_features: bool = False) -> None:
        super().__init__(3, is_ordered=is_ordered)
        self.has_features = has_features
        self.table = nn.Parameter(torch.arange(50.0, dtype=torch.float64).reshape(5, 5, 2))
        self.weight = nn.Parameter(torch.arange(2.0 * self.num_columns, dtype=torch.float64).reshape(-1, 2))

    def read(self, triples, num_nodes, also=None):
        return None

    def place(self, graph, pairs):
        assert len(np.unique(pairs, axis=0)) == len(pairs)
        return torch.from_numpy(pairs)

    def find(self, graph, pairs):
        return pairs @ np.array([5, 1]), 25

    def encode(self, graph):
        return self.table

    def states(self, encoding, placed):
        return encoding.reshape(25, 2) if placed is None else encoding[placed[:, 0], placed[:, 1]]

    def columns(self, encoding):
        return self.weight, torch.arange(self.num_columns, dtype=torch.float64)

    def features(self, graph, queries):
        return queries.sum(1, keepdims=True).astype(np.float32) if self.has_features else None

    def relation_features(self, graph, pairs):
        sums = pairs.sum(1)[:, None, None] + np.arange(3)[:, None]
        return sums.astype(np.float32) if self.has_features else None

    def shared(self, features):
        return 100 * features[..., 0]


QUERIES = np.array([(0, 0, 1), (1, 0, 0), (0, 2, 1), (4, 1, 4), (0, 0, 1)])


def test_ordered_pairs_have_a_column_for_each_relation():
    network = Table(is_ordered=True)
    pairs, columns = network.slots(QUERIES)
    assert pairs.tolist() == [[0, 1], [1, 0], [0, 1], [4, 4], [0, 1]]
    assert columns.tolist() == [0, 0, 2, 1, 0]


def test_unordered_pairs_have_a_column_for_each_direction():
    network = Table(is_ordered=False)
    pairs, columns = network.slots(QUERIES)
    assert pairs.tolist() == [[0, 1], [0, 1], [0, 1], [4, 4], [0, 1]]
    assert columns.tolist() == [0, 3, 2, 1, 0]


@pytest.mark.parametrize("is_ordered", [True, False])
@pytest.mark.parametrize("has_features", [True, False])
def test_logits(is_ordered, has_features):
    network = Table(is_ordered=is_ordered, has_features=has_features)
    encoding = network.encode(None)
    expected = []
    for (a, b), column, query in zip(*network.slots(QUERIES), QUERIES, strict=True):
        own = float((network.table[a, b] * network.weight[column]).sum().detach()) + column
        expected.append(own + 100 * query.sum() * has_features)
    with torch.no_grad():
        found = network.logits(encoding, network.locate(None, QUERIES))
        assert found.tolist() == expected
        if not has_features:
            assert network.logits(encoding, network.locate_members(None, QUERIES)).tolist() == expected
        everything = network.relation_logits(None, encoding, QUERIES[:, [0, 2]])
    assert [row[r] for row, r in zip(everything.tolist(), QUERIES[:, 1], strict=True)] == expected


def test_no_triples():
    network = Table(is_ordered=True)
    nothing = np.empty((0, 3), dtype=np.int32)
    assert network.logits(network.encode(None), network.locate(None, nothing)).shape == (0,)
