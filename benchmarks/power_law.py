"""Synthetic graphs with hubs."""

from __future__ import annotations

import numpy as np

from linkwl import Graph


def power_law_graph(num_nodes: int, num_edges: int, generator: np.random.Generator) -> Graph:
    """Exactly ``num_edges`` edges, degrees with exponent 3.

    Ends are drawn with weight rank^(-1/2). Loops and copies are merged, so a few more are drawn than needed, and the
    surplus is dropped at random.
    """
    weight = np.arange(1, num_nodes + 1) ** -0.5
    cumulative = np.cumsum(weight) / weight.sum()
    draws = num_edges
    while True:
        draws += draws // 8
        ends = np.searchsorted(cumulative, generator.random((draws, 2))).astype(np.int32)
        graph = Graph.from_pairs(ends.clip(max=num_nodes - 1), num_nodes, name=f"power law, {num_edges} edges")
        if graph.num_edges >= num_edges:
            break
    keep = np.zeros(graph.num_edges, dtype=bool)
    keep[generator.permutation(graph.num_edges)[:num_edges]] = True
    return graph.select(keep)
