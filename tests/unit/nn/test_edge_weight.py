from __future__ import annotations

import pytest
import torch

from adjacencies import GRAPHS, adjacency_of
from linkwl.nn.edge_weight import edge_weight


@pytest.mark.parametrize("name", GRAPHS)
def test_it_is_one_over_the_root_of_both_degrees(name):
    graph = GRAPHS[name]
    edges = [(p, int(q)) for p in range(graph.num_nodes) for q in graph.neighbours(p)]
    expected = [
        (sum(p == first for first, _ in edges) * sum(q == second for _, second in edges)) ** -0.5 for p, q in edges
    ]
    adjacency = adjacency_of(graph)
    weight = edge_weight(adjacency, adjacency.pairs, torch.float64)
    torch.testing.assert_close(weight, torch.tensor(expected, dtype=torch.float64))


def test_some_edges_in_any_order():
    adjacency = adjacency_of(GRAPHS["directed"])
    chosen = torch.tensor([5, 0, 5, 2])
    every = edge_weight(adjacency, adjacency.pairs, torch.float32)
    some = edge_weight(adjacency, adjacency.pairs[chosen], torch.float32)
    assert some.dtype == torch.float32
    assert torch.equal(some, every[chosen])
