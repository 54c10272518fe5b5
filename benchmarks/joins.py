"""Joins and sums over neighbours with their gradients, against plain torch."""

from __future__ import annotations

import json
import warnings

import numpy as np
import torch
from measure import ratio
from power_law import power_law_graph

from linkwl import Graph
from linkwl.nn import Adjacency, join, neighbour_sum, reference
from linkwl.sparse import plan_walks

NUM_NODES, NUM_ROWS, NUM_PAIRS, CHANNELS = 1200, 22_000, 8000, 32


def web_graph(generator: np.random.Generator) -> Graph:
    """As large and as uneven as a network of political blogs."""
    weight = np.arange(1, NUM_NODES + 1) ** -0.7
    cumulative = np.cumsum(weight) / weight.sum()
    return Graph.from_pairs(np.searchsorted(cumulative, generator.random((NUM_ROWS, 2))), NUM_NODES)


def joins(generator: np.random.Generator) -> list[dict[str, object]]:
    """The largest round of two between random pairs, against gather, multiply and index_add."""
    graph = web_graph(generator)
    pairs = generator.integers(0, NUM_NODES, (NUM_PAIRS, 2))
    triples = max(plan_walks(graph.rowptr, graph.col, pairs, 2).joins, key=lambda terms: terms.num_terms)
    factors = [torch.randn(rows, CHANNELS, requires_grad=True) for rows in (triples.num_left, triples.num_right)]
    fixed = [factor.detach() for factor in factors]
    weight = torch.randn(triples.num_out, CHANNELS)

    def forward(function) -> torch.Tensor:
        return function(*fixed, triples)

    def both(function) -> tuple[torch.Tensor, ...]:
        return torch.autograd.grad(function(*factors, triples), factors, weight)

    what = f"{triples.num_terms // 1000} thousand terms, {CHANNELS} channels"
    figures = []
    for run, way, least in ((forward, "forward", 4), (both, "forward and backward", 4)):
        for one, other in zip(_as_list(run(join)), _as_list(run(reference.join)), strict=True):
            assert torch.allclose(one, other, rtol=1e-3, atol=1e-3 * float(other.abs().max()))
        value, times = ratio(lambda run=run: run(reference.join), lambda run=run: run(join))
        title = f"times faster than gather, multiply and index_add in torch: a join, {way}; {what}"
        figures.append({"what": title, "value": value, "at_least": least, "seconds": times})
    return figures


def _as_list(result: torch.Tensor | tuple[torch.Tensor, ...]) -> list[torch.Tensor]:
    return [result] if isinstance(result, torch.Tensor) else list(result)


def neighbour_sums(generator: np.random.Generator) -> list[dict[str, object]]:
    """Sums over neighbours, against torch's sparse product."""
    graph = power_law_graph(200_000, 1_000_000, generator)
    adjacency = Adjacency.from_csr(graph.rowptr, graph.col, is_symmetric=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch calls compressed rows a beta
        matrix = torch.sparse_csr_tensor(adjacency.rowptr, adjacency.col, torch.ones(adjacency.num_entries))
    x = torch.randn(graph.num_nodes, CHANNELS, requires_grad=True)
    weight = torch.randn(graph.num_nodes, CHANNELS)

    def ours() -> torch.Tensor:
        return torch.autograd.grad(neighbour_sum(x, adjacency), x, weight)[0]

    def torchs() -> torch.Tensor:
        return torch.autograd.grad(matrix @ x, x, weight)[0]

    assert torch.allclose(ours(), torchs(), atol=1e-2)
    value, times = ratio(torchs, ours)
    title = (
        "times faster than torch's product with compressed rows: sums over neighbours, forward and backward; "
        f"1 million edges, {CHANNELS} channels"
    )
    return [{"what": title, "value": value, "at_least": 3, "seconds": times}]


def main() -> None:
    """Writes the figures to standard output."""
    torch.manual_seed(0)
    generator = np.random.default_rng(0)
    print(json.dumps(joins(generator) + neighbour_sums(generator)))


if __name__ == "__main__":
    main()
