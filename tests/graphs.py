"""A handful of tiny named graphs, checkable on paper, and random ones."""

from __future__ import annotations

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
