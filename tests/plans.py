"""Graphs with demanded pairs, and random terms, for the tests of plans and joins."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from linkwl.graph import Graph
from linkwl.sparse import Triples


@st.composite
def demands(draw: st.DrawFn, max_nodes: int = 7) -> tuple[Graph, np.ndarray]:
    """A graph, directed or not, and demanded pairs: copies, a node with itself, edges and non-edges.

    Empty and full graphs, hubs, isolated nodes and several components come up often.
    """
    num_nodes = draw(st.integers(1, max_nodes))
    is_directed = draw(st.booleans())
    everything = [(p, q) for p in range(num_nodes) for q in range(num_nodes) if p < q or (is_directed and p > q)]
    kind = draw(st.sampled_from(["any", "few", "full", "hub"]))
    if kind == "full":
        edges = everything
    elif kind == "hub":
        edges = [pair for pair in everything if 0 in pair]
    else:
        rare = st.integers(0, 1 if kind == "any" else 4)
        edges = [pair for pair in everything if draw(rare) == 0]
    node = st.integers(0, num_nodes - 1)
    pairs = draw(st.lists(st.tuples(node, node), max_size=8))
    graph = Graph.from_pairs(edges, num_nodes, is_directed=is_directed)
    return graph, np.array(pairs, dtype=np.int64).reshape(-1, 2)


def arguments(graph: Graph) -> tuple[tuple[np.ndarray, np.ndarray], dict[str, Any]]:
    """The rows of a graph, and the keyword that directed ones need."""
    if not graph.is_directed:
        return (graph.rowptr, graph.col), {}
    turned = Graph.from_pairs(graph.edges[:, ::-1], graph.num_nodes, is_directed=True)
    return (graph.rowptr, graph.col), {"transposed": (turned.rowptr, turned.col)}


def graph_with_hubs(num_nodes: int = 300, num_edges: int = 1500, *, seed: int = 0, is_directed: bool = False) -> Graph:
    """Nodes 0 .. 4 are in a third of the edges; the last ten are isolated. Large enough for several threads."""
    generator = np.random.default_rng(seed)
    ends = generator.integers(0, num_nodes - 10, (num_edges, 2))
    ends[::3, 0] = generator.integers(0, 5, len(ends[::3]))
    return Graph.from_pairs(ends, num_nodes, is_directed=is_directed)


def random_triples(
    num_out: int, num_left: int, num_right: int, num_terms: int, *, seed: int = 0, is_local: bool = False
) -> Triples:
    """Terms drawn at random; if local, nearby outputs have nearby left rows."""
    generator = np.random.default_rng(seed)
    out = np.sort(generator.integers(0, num_out, num_terms))
    left = generator.integers(0, num_left, num_terms)
    if is_local:
        left = np.minimum(num_left - 1, out * num_left // num_out + generator.integers(0, 3, num_terms))
    right = generator.integers(0, num_right, num_terms)
    ptr = np.concatenate([[0], np.cumsum(np.bincount(out, minlength=num_out))])
    return Triples(ptr, left.astype(np.int32), right.astype(np.int32), num_left, num_right)
