"""Observed edges as the layers see them, and what it takes to compare a fast way with a plain one."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from torch import Tensor, nn

from linkwl.graph import Graph
from linkwl.nn.adjacency import Adjacency


def adjacency_of(graph: Graph) -> Adjacency:
    """The edges of a graph."""
    return Adjacency.from_csr(graph.rowptr, graph.col, is_symmetric=not graph.is_directed)


def two_components(*, is_directed: bool = False, seed: int = 0) -> Graph:
    """A hub with its leaves, some of them joined, a second component, and an isolated node between and at the end."""
    generator = np.random.default_rng(seed)
    hub = [(0, v) for v in range(1, 8)]
    around = generator.integers(1, 8, (6, 2)).tolist()
    other = [(9, 10), (10, 11), (11, 12), (12, 9), (9, 11)]
    pairs = np.array([*hub, *around, *other])
    if is_directed:
        turned = generator.random(len(pairs)) < 0.5
        pairs = np.concatenate([np.where(turned[:, None], pairs[:, ::-1], pairs), [(0, 3), (3, 0), (12, 10)]])
    return Graph.from_pairs(pairs, num_nodes=14, is_directed=is_directed)


GRAPHS: dict[str, Graph] = {
    "undirected": two_components(),
    "directed": two_components(is_directed=True),
    "complete": Graph.from_pairs([(p, q) for q in range(5) for p in range(q)], num_nodes=5),
    "one edge": Graph.from_pairs([(0, 1)], num_nodes=2),
    "one directed edge": Graph.from_pairs([(1, 0)], num_nodes=3, is_directed=True),
    "no edges": Graph.from_pairs([], num_nodes=3),
    "no directed edges": Graph.from_pairs([], num_nodes=3, is_directed=True),
    "one node": Graph.from_pairs([], num_nodes=1),
}
"""Small graphs on which shortcuts go wrong first."""

UNDIRECTED = [name for name, graph in GRAPHS.items() if not graph.is_directed]


def normal(*shape: int, seed: int = 0, requires_grad: bool = True) -> Tensor:
    """A float64 tensor of random numbers."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, dtype=torch.float64, generator=generator).requires_grad_(requires_grad)


def randomised(module: nn.Module, seed: int = 0, scale: float = 1.0) -> nn.Module:
    """The module in float64 with random numbers for all weights: none is zero or one, so none can be left out."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in module.double().parameters():
            weight.copy_(scale * torch.randn(weight.shape, dtype=torch.float64, generator=generator))
    return module


def all_pairs_of(num_nodes: int) -> Tensor:
    """Every ordered pair, row by row."""
    return torch.cartesian_prod(torch.arange(num_nodes), torch.arange(num_nodes))


def dense(values: Tensor, adjacency: Adjacency) -> Tensor:
    """Values of the edges in a table of all pairs, zero elsewhere."""
    table = values.new_zeros(adjacency.num_nodes, adjacency.num_nodes, values.shape[1])
    return table.index_put((adjacency.row, adjacency.col), values)


def assert_same_function(fast: Tensor, plain: Tensor, inputs: Iterable[Tensor], tolerance: float = 1e-10) -> None:
    """Equal values, and equal gradients of a random linear function of them by every input."""
    assert fast.shape == plain.shape
    scale = float(plain.detach().abs().max()) if plain.numel() else 0.0
    torch.testing.assert_close(fast, plain, rtol=0, atol=tolerance * max(1.0, scale))
    inputs = list(inputs)
    weight = normal(*plain.shape, seed=99, requires_grad=False)
    gradients = [
        torch.autograd.grad((way * weight).sum(), inputs, retain_graph=True, allow_unused=True, materialize_grads=True)
        for way in (fast, plain)
    ]
    for one, other in zip(*gradients, strict=True):
        scale = float(other.abs().max()) if other.numel() else 0.0
        torch.testing.assert_close(one, other, rtol=0, atol=tolerance * max(1.0, scale))
