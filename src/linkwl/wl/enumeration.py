"""All graphs on a few nodes, up to isomorphism."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from linkwl.graph import Graph
from linkwl.graph.node_ids import NodeIds

Rows = tuple[int, ...]
"""A small graph: bit u of row v is 1 if u and v are adjacent."""


def all_graphs(num_nodes: int) -> list[Graph]:
    """All simple graphs on ``num_nodes`` nodes up to isomorphism, by number of edges.

    A graph is found by adding a node of largest degree to a graph with one node less, and kept if its canonical form is
    new. Each is in canonical form and named by its graph6 text, the usual format for lists of small graphs. There are
    1044 on 7 nodes and 12,346 on 8, found in seconds; 274,668 on 9.

    Example:
        >>> [(graph.name, graph.edges.tolist()) for graph in all_graphs(3)]
        [('B?', []), ('BG', [[1, 2]]), ('BW', [[0, 2], [1, 2]]), ('Bw', [[0, 1], [0, 2], [1, 2]])]
    """
    return [_to_graph(rows) for rows in _all_rows(num_nodes)]


def canonical_form(graph: Graph) -> Graph:
    """The graph with its nodes numbered so that isomorphic graphs, and no others, get the same edges.

    For small graphs only: the time grows with the symmetries, as in strongly regular graphs.

    Example:
        >>> canonical_form(Graph.from_pairs([(0, 1), (0, 2)], 3)).edges.tolist()
        [[0, 2], [1, 2]]
    """
    return _to_graph(
        _canonical(tuple(sum(1 << u for u in graph.neighbours(v).tolist()) for v in range(graph.num_nodes)))
    )


@cache
def _all_rows(num_nodes: int) -> list[Rows]:
    if num_nodes == 0:
        return [()]
    found = {_canonical(rows) for smaller in _all_rows(num_nodes - 1) for rows in _extensions(smaller)}
    return sorted(found, key=lambda rows: (sum(row.bit_count() for row in rows), rows))


def _extensions(rows: Rows) -> Iterator[Rows]:
    """The graph with one more node of largest degree: every graph arises this way, by removing such a node first."""
    new = 1 << len(rows)
    for members in range(new):
        extended = [row | new if members >> v & 1 else row for v, row in enumerate(rows)]
        degree = members.bit_count()
        if all(row.bit_count() <= degree for row in extended):
            yield (*extended, members)


def _canonical(rows: Rows) -> Rows:
    """The least of all numberings that the search reaches; it does not depend on the initial numbering."""
    near = [[u for u in range(len(rows)) if row >> u & 1] for row in rows]
    return min(_renumber(near, place) for place in _numberings(rows, near, [0] * len(rows)))


def _numberings(rows: Rows, near: list[list[int]], colour: list[int]) -> Iterator[list[int]]:
    """Numberings of the nodes: refine, individualise each node of the first shared colour in turn, and repeat."""
    colour = _refine(near, colour)
    shared = next((c for c in range(len(rows)) if colour.count(c) > 1), None)
    if shared is None:
        yield colour
        return
    tried: list[int] = []
    for v in (v for v, c in enumerate(colour) if c == shared):
        # Two nodes with the same other neighbours are interchangeable: it is enough to try one of them.
        if all((rows[u] ^ rows[v]) & ~(1 << u | 1 << v) for u in tried):
            tried.append(v)
            yield from _numberings(rows, near, [2 * c + (u != v) for u, c in enumerate(colour)])


def _refine(near: list[list[int]], colour: list[int]) -> list[int]:
    """1-WL; colours are numbered in the order of their signatures, so a number means the same in every graph."""
    count = 0
    while True:
        signatures = [(c, tuple(sorted([colour[u] for u in own]))) for c, own in zip(colour, near, strict=True)]
        number = {signature: i for i, signature in enumerate(sorted(set(signatures)))}
        colour = [number[signature] for signature in signatures]
        if len(number) in (count, len(near)):
            return colour
        count = len(number)


def _renumber(near: list[list[int]], place: list[int]) -> Rows:
    rows = [0] * len(near)
    for v, own in enumerate(near):
        rows[place[v]] = sum([1 << place[u] for u in own])
    return tuple(rows)


def _to_graph(rows: Rows) -> Graph:
    near = [[u for u in range(len(rows)) if row >> u & 1] for row in rows]
    rowptr = np.cumsum([0, *map(len, near)], dtype=np.int64)
    col = np.array([u for own in near for u in own], dtype=np.int32)
    return Graph(rowptr, col, NodeIds(len(rows)), name=_graph6(rows))


def _graph6(rows: Rows) -> str:
    """Columns of the upper triangle, six bits per letter."""
    bits = "".join(str(row >> u & 1) for v, row in enumerate(rows) for u in range(v))
    sixes = [int(bits[i : i + 6].ljust(6, "0"), 2) for i in range(0, len(bits), 6)]
    return "".join(chr(63 + six) for six in (len(rows), *sixes))
