"""Graphs with weights, and the powers of their matrices."""

from __future__ import annotations

import numpy as np

from linkwl.graph import Graph


def random_graph(num_nodes: int = 40, num_edges: int = 90, seed: int = 0) -> Graph:
    """Two components, a hub, isolated nodes."""
    generator = np.random.default_rng(seed)
    half = num_nodes // 2
    pairs = generator.integers(half - 2, size=(num_edges, 2)) + half * generator.integers(2, size=(num_edges, 1))
    hub = np.stack([np.zeros(half - 3, dtype=np.int64), np.arange(1, half - 2)], axis=1)
    return Graph.from_pairs(np.concatenate([pairs, hub]), num_nodes)


def symmetric_weight(graph: Graph) -> np.ndarray:
    degree = graph.degree.astype(np.float64)
    row = np.repeat(np.arange(graph.num_nodes), graph.degree)
    return 1 / np.sqrt(degree[row] * degree[graph.col])


def dense_powers(graph: Graph, weight: np.ndarray, steps: int) -> list[np.ndarray]:
    row = np.repeat(np.arange(graph.num_nodes), graph.degree)
    matrix = np.zeros((graph.num_nodes, graph.num_nodes))
    matrix[row, graph.col] = weight
    return [np.linalg.matrix_power(matrix, k) for k in range(2, steps + 1)]
