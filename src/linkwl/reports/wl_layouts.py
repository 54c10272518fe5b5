"""Positions of the nodes of the witness graphs and curves of their lines, chosen to show the symmetry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwl.graph import Graph
from linkwl.typing import BoolArray, FloatArray, Pairs

GAP = 0.9
"""Space between two graphs side by side."""

CLEARANCE = 0.15
"""How close a line may pass to a node, as a fraction of the smallest distance between nodes."""


@dataclass(frozen=True, eq=False)
class Scene:
    """Graphs side by side, with consecutive node numbers; curves as in :func:`draw_curves`."""

    place: FloatArray
    edges: FloatArray
    links: FloatArray
    middles: tuple[float, ...]
    """The x coordinate of the centre of each graph."""
    width: float
    """Starts at x = 0."""
    height: float
    """Half of it is below y = 0."""


def set_scene(graphs: Sequence[Graph], links: Sequence[Pairs]) -> Scene:
    """Places graphs from left to right, with all their edges and the given links of each."""
    parts, middles, left, height = [], [], 0.0, 0.0
    for graph, pairs in zip(graphs, links, strict=True):
        place, bend = place_nodes(graph), bend_of(graph)
        part = place, draw_curves(place, graph.edges, bend), draw_curves(place, pairs, bend)
        tops = [np.einsum("kij,i->kj", curves, [0.25, 0.5, 0.25]) for curves in part[1:]]
        reach = np.concatenate([place, *tops])
        low, high = reach.min(axis=0), reach.max(axis=0)
        shift = np.array([left - low[0], -(low[1] + high[1]) / 2])
        parts.append([points + shift for points in part])
        width = float(high[0] - low[0])
        middles.append(left + width / 2)
        left, height = left + width + GAP, max(height, float(high[1] - low[1]))
    place, edges, curves = (np.concatenate(points) for points in zip(*parts, strict=True))
    return Scene(place, edges, curves, tuple(middles), left - GAP, height)


def place_nodes(graph: Graph) -> FloatArray:
    """Positions, shape ``(num_nodes, 2)``: chosen by hand for the graphs of :data:`LAYOUTS`, else on a circle."""
    known = LAYOUTS.get(graph.name)
    return _circle(range(graph.num_nodes)) if known is None or len(known) != graph.num_nodes else known.copy()


def bend_of(graph: Graph) -> float:
    """How much lines of the graph bend around nodes: paths in wide arcs, crowded graphs little or not at all."""
    if graph.name in ("p4", "p6"):
        return 0.9
    return 0.42 if graph.num_nodes <= 8 else 0.24 if graph.num_nodes <= 16 else 0.0


def draw_curves(place: FloatArray, pairs: Pairs, bend: float) -> FloatArray:
    """The line of each pair as a quadratic curve: start, control and end point, shape ``(num_pairs, 3, 2)``.

    A line is straight, with its control point half-way, unless it would cross a third node. Then it is an arc that
    bends away from the centre of the drawing, or upwards if the centre is on the line; longer lines make higher arcs.
    """
    start, end = place[pairs[:, 0]], place[pairs[:, 1]]
    half_way, along = (start + end) / 2, end - start
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    side = np.zeros(len(pairs))
    for towards in (half_way - place.mean(axis=0), np.array([0.0, 1.0]), np.array([1.0, 0.0])):
        side = np.where(np.abs(side) > 1e-9, side, (across * towards).sum(axis=1))
    height = bend * np.sign(side) * _is_blocked(place, pairs)
    return np.stack([start, half_way + height[:, None] * across, end], axis=1)


def _is_blocked(place: FloatArray, pairs: Pairs) -> BoolArray:
    """Which straight lines cross a node that is not one of their ends."""
    start, along = place[pairs[:, 0]], place[pairs[:, 1]] - place[pairs[:, 0]]
    to_node = place[None] - start[:, None]  # (num_pairs, num_nodes, 2)
    share = np.einsum("kvi,ki->kv", to_node, along) / (along**2).sum(axis=1, keepdims=True)
    distance = np.linalg.norm(to_node - share.clip(0, 1)[:, :, None] * along[:, None], axis=2)
    np.put_along_axis(distance, pairs.astype(np.int64), np.inf, axis=1)
    apart = np.linalg.norm(place[:, None] - place[None], axis=2)
    return (distance < CLEARANCE * apart[apart > 0].min(initial=np.inf)).any(axis=1)


def _circle(order: Sequence[int], radius: float = 1.0, top: float = 90.0) -> FloatArray:
    """Nodes clockwise on a circle in the given order, the first at the angle ``top``."""
    place = np.empty((len(order), 2))
    angle = np.radians(top - 360 / max(len(order), 1) * np.arange(len(order)))
    place[np.asarray(order, dtype=np.int64)] = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return place


def _rows(*rows: Sequence[float], apart: float = 1.0) -> FloatArray:
    """Nodes numbered along rows from the top, each at its x; the rows are ``apart`` and centred."""
    top = apart * (len(rows) - 1) / 2
    return np.array([(x, top - apart * i) for i, row in enumerate(rows) for x in row], dtype=np.float64)


def _mirrored(*left: tuple[float, float]) -> FloatArray:
    """These nodes, followed by their mirror images to the right."""
    return np.array([*left, *((-x, y) for x, y in left)])


def _shrikhande() -> FloatArray:
    """Two rings of eight, a staircase on the torus and its complement: rotation by an eighth is a symmetry."""
    outer = [(-(j // 2), -((j + 1) // 2)) for j in range(8)]
    inner = [(a + (3 if j % 2 else 1), b + (1 if j % 2 else 3)) for j, (a, b) in enumerate(outer)]
    place = np.empty((16, 2))
    for ring, radius in ((outer, 1.12), (inner, 0.66)):
        place[[4 * (a % 4) + b % 4 for a, b in ring]] = _circle(range(8), radius)
    return place


def _gadget() -> FloatArray:
    """Three hubs at the corners of a triangle and the middles on its sides: rotation by a third is a symmetry.

    Complementary words are opposite in a hub. The first hub lists the middles that it shares with the next hub first,
    the others list them last, so their words are reversed.
    """
    orders = [0, 1, 4, 5, 7, 6, 3, 2], [0, 6, 3, 5, 7, 1, 4, 2], [0, 6, 3, 5, 7, 1, 4, 2]
    hubs = [
        1.75 * _circle([0], top=corner) + _circle(order, 0.72, corner)
        for corner, order in zip((90, 210, 330), orders, strict=True)
    ]
    middles = [_circle([0], radius, side) for side in (150, 270, 30) for radius in (0.5, 0.7, 1.0, 1.2)]
    return np.concatenate(hubs + middles)


_TWO_ROWS = _rows((-1, 0, 1), (-1, 0, 1), apart=1.3)
_BOARD = _rows(*[(-0.99, -0.33, 0.33, 0.99)] * 4, apart=0.66)
_SQUARE = _rows((-0.5, 0.5), (-0.5, 0.5))

LAYOUTS: dict[str, FloatArray] = {
    "2k1": _rows((-0.5, 0.5)),
    "3k1": _circle(range(3), 0.75),
    "4k1": _SQUARE,
    "2k1+k2": _SQUARE,
    "p3": _rows((-1, 0, 1)),
    "p4": _rows((-1.5, -0.5, 0.5, 1.5)),
    "p6": _rows((-2.5, -1.5, -0.5, 0.5, 1.5, 2.5)),
    "2p3": _TWO_ROWS,
    "p3+k2": _rows((-1, 0, 1), (-0.5, 0.5)),
    "double-star": _mirrored((-0.6, 0), (-1.3, 0.8), (-1.3, -0.8)),
    "c4": _circle(range(4)),
    "c5": _circle(range(5)),
    "c6": _circle(range(6)),
    # A star of two triangles: the edges of each are links of the hexagon.
    "2c3": _circle([0, 5, 1, 3, 2, 4]),
    "k33": _TWO_ROWS,
    "prism": np.concatenate([_circle(range(3), 1.35), _circle(range(3), 0.55)]),
    # Two hexagons with two chords, which cross in one and are parallel in the other.
    "k33-e": _circle([0, 4, 1, 3, 2, 5]),
    "prism-rung": _circle([0, 1, 4, 3, 5, 2]),
    "domino": _rows((-1, 0, 1), (-1, 0, 1))[[1, 0, 3, 4, 5, 2]],
    "barbell": _mirrored((-0.45, 0), (-1.2, 0.65), (-1.2, -0.65)),
    "regular-8": _circle([0, 6, 2, 3, 4, 5, 1, 7]),
    "chorded-c8": _circle(range(8)),
    "rook": _BOARD,
    "shrikhande": _shrikhande(),
    "latin-klein": _BOARD,
    "latin-cyclic": _BOARD,
    "gadget36": _gadget(),
    "gadget36-twisted": _gadget(),
}
"""Positions by the name of the graph, about two units wide."""
