"""A handful of tiny named graphs, checkable on paper, and random ones."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from linkwl.graph import Graph

TRIANGLE = [(0, 1), (0, 2), (1, 2)]
PATH = [(0, 1), (1, 2), (2, 3)]
STAR = [(0, 1), (0, 2), (0, 3)]


def path_graph() -> Graph:
    """0 - 1 - 2 - 3."""
    return Graph.from_pairs(PATH, 4)


def random_rows(num_nodes: int, num_rows: int, seed: int = 0) -> np.ndarray:
    """Raw rows of node indices, loops and copies among them."""
    return np.random.default_rng(seed).integers(0, num_nodes, (num_rows, 2))


@st.composite
def raw_rows(draw: st.DrawFn, max_nodes: int = 9, max_rows: int = 40) -> tuple[int, list[tuple[int, int]]]:
    """A number of nodes and rows among them: loops, copies, reversed copies and isolated nodes come up often."""
    num_nodes = draw(st.integers(1, max_nodes))
    node = st.integers(0, num_nodes - 1)
    return num_nodes, draw(st.lists(st.tuples(node, node), max_size=max_rows))


@st.composite
def small_graphs(draw: st.DrawFn, min_nodes: int = 1, max_nodes: int = 8) -> Graph:
    """A graph in which sparse, dense and symmetric ones come up often."""
    num_nodes = draw(st.integers(min_nodes, max_nodes))
    pairs = [(p, q) for q in range(num_nodes) for p in range(q)]
    return Graph.from_pairs([pair for pair in pairs if draw(st.booleans())], num_nodes)


@st.composite
def labelled_graphs(draw: st.DrawFn, max_nodes: int = 8) -> tuple[Graph, list[int]]:
    """A graph and a label for every node; few labels, so that nodes share them."""
    graph = draw(small_graphs(max_nodes=max_nodes))
    return graph, [draw(st.integers(0, 1)) for _ in range(graph.num_nodes)]


def from_networkx(graph: nx.Graph) -> Graph:
    """The nodes numbered in their order."""
    number = {node: i for i, node in enumerate(graph)}
    return Graph.from_pairs([(number[u], number[v]) for u, v in graph.edges], len(number))


def to_networkx(graph: Graph) -> nx.Graph:
    """The same nodes and edges."""
    other = nx.empty_graph(graph.num_nodes)
    other.add_edges_from(graph.edges.tolist())
    return other


def atlas(max_nodes: int) -> list[Graph]:
    """Every graph with 1 to ``max_nodes`` nodes, at most 7, once."""
    return [from_networkx(graph) for graph in nx.graph_atlas_g() if 1 <= len(graph) <= max_nodes]


def all_links(graph: Graph) -> np.ndarray:
    """Every ordered pair of different nodes."""
    return np.argwhere(~np.eye(graph.num_nodes, dtype=bool))


def all_pairs(graph: Graph) -> np.ndarray:
    """Every ordered pair of nodes, row by row."""
    return np.argwhere(np.ones((graph.num_nodes,) * 2, dtype=bool))


def relabelled(graph: Graph, new_number: np.ndarray) -> Graph:
    """The graph in which node v is called ``new_number[v]``."""
    return Graph.from_pairs(np.asarray(new_number)[graph.edges], graph.num_nodes)


def classes(values: Iterable[Hashable]) -> list[int]:
    """Equal values get equal numbers, counted from 0 as they appear: equal lists are equal partitions."""
    number: dict[Hashable, int] = {}
    flat = values.reshape(-1).tolist() if isinstance(values, np.ndarray) else values
    return [number.setdefault(value, len(number)) for value in flat]


def refines(fine: Iterable[Hashable], coarse: Iterable[Hashable]) -> bool:
    """Whether things in one class of the first partition are in one class of the second."""
    both = list(zip(classes(fine), classes(coarse), strict=True))
    return len(set(both)) == len({first for first, _ in both})


def circulant(num_nodes: int, steps: list[int]) -> Graph:
    """Node v is joined to v + s for every step s, around the circle."""
    return from_networkx(nx.circulant_graph(num_nodes, steps))


def rook() -> Graph:
    """The fields of a 4 x 4 board, joined along rows and columns; strongly regular (16, 6, 2, 2)."""
    return from_networkx(nx.line_graph(nx.complete_bipartite_graph(4, 4)))


def shrikhande() -> Graph:
    """The other strongly regular graph with the rook's parameters."""
    steps = [(1, 0), (0, 1), (1, 1)]
    pairs = [(4 * a + b, 4 * ((a + i) % 4) + (b + j) % 4) for a in range(4) for b in range(4) for i, j in steps]
    return Graph.from_pairs(pairs, 16)


SYMMETRIC: dict[str, Graph] = {
    "c8": circulant(8, [1]),
    "c9": circulant(9, [1]),
    "2 c4": from_networkx(nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(4))),
    "c3 + c5": from_networkx(nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(5))),
    "circulant 10": circulant(10, [1, 3]),
    "circulant 13": circulant(13, [1, 5]),
    "prism 10": from_networkx(nx.circular_ladder_graph(5)),
    "moebius 8": circulant(8, [1, 4]),
    "cube": from_networkx(nx.hypercube_graph(3)),
    "petersen": from_networkx(nx.petersen_graph()),
    "petersen complement": from_networkx(nx.complement(nx.petersen_graph())),
    "paley 13": circulant(13, [1, 3, 4]),
    "rook": rook(),
    "shrikhande": shrikhande(),
    "k333": from_networkx(nx.complete_multipartite_graph(3, 3, 3)),
    "k2222": from_networkx(nx.complete_multipartite_graph(2, 2, 2, 2)),
    "3-regular 10": from_networkx(nx.random_regular_graph(3, 10, seed=1)),
    "3-regular 12": from_networkx(nx.random_regular_graph(3, 12, seed=2)),
    "4-regular 9": from_networkx(nx.random_regular_graph(4, 9, seed=3)),
    "frucht": from_networkx(nx.frucht_graph()),
}
"""Regular graphs of 8 to 16 nodes, most of them vertex-transitive: 1-WL sees nothing in any of them."""
