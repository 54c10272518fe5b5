"""Named graphs and pairs of links that one test distinguishes and another does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations, product

from linkwl.graph import Graph
from linkwl.wl.case import Link

Edges = list[Link]


def path(num_nodes: int) -> Edges:
    """0 - 1 - ... - n-1."""
    return [(v, v + 1) for v in range(num_nodes - 1)]


def cycle(num_nodes: int) -> Edges:
    """The path with its ends joined."""
    return [*path(num_nodes), (0, num_nodes - 1)]


def beside(edges: Edges, shift: int, others: Edges) -> Edges:
    """The disjoint union of two graphs; the nodes of the second are numbered from ``shift``."""
    return edges + [(p + shift, q + shift) for p, q in others]


def on_board(is_adjacent: Callable[[int, int, int, int], bool]) -> Edges:
    """Edges between the cells 4 a + b of a 4 x 4 board, by a rule on (a, b) and (a', b')."""
    cells = list(product(range(4), repeat=2))
    return [(4 * a + b, 4 * c + d) for (a, b), (c, d) in combinations(cells, 2) if is_adjacent(a, b, c, d)]


def latin_square(symbol: Callable[[int, int], int]) -> Edges:
    """Cells of a Latin square, adjacent in the same row, in the same column or with the same symbol."""
    return on_board(lambda a, b, c, d: a == c or b == d or symbol(a, b) == symbol(c, d))


def shrikhande() -> Edges:
    """Cells of a toroidal board, adjacent along rows, columns and one of the two diagonals."""
    steps = {(1, 0), (3, 0), (0, 1), (0, 3), (1, 1), (3, 3)}
    return on_board(lambda a, b, c, d: ((c - a) % 4, (d - b) % 4) in steps)


def gadget(*, twist: bool = False) -> Edges:
    """Three hubs of eight nodes, joined through six middles of two nodes each.

    A node of a hub represents a word of four bits with even parity, one bit per middle of that hub, and is adjacent to
    the node of each middle that its bit selects. Every two hubs share two middles. The twist flips the bit of the first
    hub at the first middle.
    """
    hubs_of_middle = [(0, 1), (0, 1), (1, 2), (1, 2), (0, 2), (0, 2)]
    words = [word for word in product((0, 1), repeat=4) if sum(word) % 2 == 0]
    edges = []
    for hub in range(3):
        middles = [m for m, hubs in enumerate(hubs_of_middle) if hub in hubs]
        for i, word in enumerate(words):
            for middle, bit in zip(middles, word, strict=True):
                flip = twist and hub == 0 and middle == 0
                edges.append((8 * hub + i, 24 + 2 * middle + (bit ^ flip)))
    return edges


def without(edges: Edges, *dropped: Link) -> Edges:
    """The other edges."""
    return [edge for edge in edges if edge not in dropped]


K33: Edges = list(product(range(3), range(3, 6)))
PRISM: Edges = beside(cycle(3), 3, cycle(3)) + [(0, 3), (1, 4), (2, 5)]
REGULAR_8: Edges = [
    *((0, 1), (0, 2), (0, 6), (0, 7), (1, 4), (1, 5), (1, 7), (2, 3)),
    *((2, 4), (2, 6), (3, 4), (3, 6), (3, 7), (4, 5), (5, 6), (5, 7)),
]


def _named(rows: Iterable[tuple[str, int, Edges]]) -> dict[str, Graph]:
    return {name: Graph.from_pairs(edges, num_nodes, name=name) for name, num_nodes, edges in rows}


GRAPHS: dict[str, Graph] = _named(
    [
        ("2k1", 2, []),
        ("3k1", 3, []),
        ("4k1", 4, []),
        ("2k1+k2", 4, [(2, 3)]),
        ("p3", 3, path(3)),
        ("p4", 4, path(4)),
        ("p6", 6, path(6)),
        ("2p3", 6, beside(path(3), 3, path(3))),
        ("p3+k2", 5, beside(path(3), 3, path(2))),
        ("double-star", 6, [(0, 1), (0, 2), (0, 3), (3, 4), (3, 5)]),
        ("c4", 4, cycle(4)),
        ("c5", 5, cycle(5)),
        ("c6", 6, cycle(6)),
        ("2c3", 6, beside(cycle(3), 3, cycle(3))),
        ("k33", 6, K33),
        ("k33-e", 6, without(K33, (0, 3))),
        ("prism", 6, PRISM),
        ("prism-rung", 6, without(PRISM, (0, 3))),
        ("domino", 6, [*cycle(6), (0, 3)]),
        ("barbell", 6, [*beside(cycle(3), 3, cycle(3)), (0, 3)]),
        ("regular-8", 8, REGULAR_8),
        ("chorded-c8", 8, [*cycle(8), (1, 7), (3, 5)]),
        ("rook", 16, on_board(lambda a, b, c, d: a == c or b == d)),
        ("shrikhande", 16, shrikhande()),
        ("latin-klein", 16, latin_square(lambda row, column: row ^ column)),
        ("latin-cyclic", 16, latin_square(lambda row, column: (row + column) % 4)),
        ("gadget36", 36, gadget()),
        ("gadget36-twisted", 36, gadget(twist=True)),
    ]
)
"""Small graphs by name: ``k`` complete, ``p`` path, ``c`` cycle; a leading number is the number of copies."""


@dataclass(frozen=True, eq=False)
class Witness:
    """Two links that some of the tests distinguish and others do not."""

    id: str
    title: str
    first: tuple[Graph, Link]
    second: tuple[Graph, Link]
    """Has the same graph object as ``first`` if both links lie in one graph."""


_ROWS: list[tuple[str, str, str, Link, str, Link]] = [
    ("W1", "two steps or three along a path", "p6", (0, 2), "p6", (0, 3)),
    ("W1b", "leaves of the same star or of the other", "double-star", (1, 2), "double-star", (1, 4)),
    ("W1c", "ends of the same path or of two paths", "2p3", (0, 2), "2p3", (0, 3)),
    ("W2", "no edges, and two nodes or three", "2k1", (0, 1), "3k1", (0, 1)),
    ("W2a", "ends of a path, alone or beside an edge", "p3", (0, 2), "p3+k2", (0, 2)),
    ("W2b", "isolated nodes, beside two more or beside an edge", "4k1", (0, 1), "2k1+k2", (0, 1)),
    ("W2c", "two steps along a square or a pentagon", "c4", (0, 2), "c5", (0, 2)),
    ("W3", "a non-edge of K33 or of the prism", "k33", (0, 1), "prism", (0, 4)),
    ("W4", "the edge that K33 lacks or the rung that the prism lacks", "k33-e", (0, 3), "prism-rung", (0, 3)),
    ("W4s", "two non-edges of one regular graph on eight nodes", "regular-8", (0, 4), "regular-8", (1, 2)),
    ("W4c", "opposite on a hexagon or in two triangles", "c6", (0, 3), "2c3", (0, 3)),
    ("W4d", "across two squares or two triangles joined at the middle", "domino", (1, 4), "barbell", (1, 4)),
    ("W4e", "tips of two triangles or middles of the paths between", "chorded-c8", (0, 4), "chorded-c8", (2, 6)),
    ("W5", "common neighbours apart or adjacent, in two graphs", "rook", (0, 5), "shrikhande", (0, 6)),
    ("W5s", "common neighbours apart or adjacent, in one graph", "shrikhande", (0, 2), "shrikhande", (0, 6)),
    ("W5L", "cells of two Latin squares of order four", "latin-klein", (0, 6), "latin-cyclic", (0, 5)),
    (
        "W6",
        "two nodes of a hub that differ towards one other hub, or towards both",
        "gadget36",
        (0, 6),
        "gadget36",
        (0, 5),
    ),
    ("W6x", "the same two nodes without and with the twist", "gadget36", (0, 6), "gadget36-twisted", (0, 6)),
]

WITNESSES: dict[str, Witness] = {
    id: Witness(id, title, (GRAPHS[first], link), (GRAPHS[second], other))
    for id, title, first, link, second, other in _ROWS
}
"""The witnesses by id; every link is a non-edge."""
