"""The pictures of a report, embedded in its page."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from linkwl.files import replaced
from linkwl.graph import Graph
from linkwl.predict import Explanation
from linkwl.predict.explanation import Effect
from linkwl.reports.labels import place_labels
from linkwl.reports.panels import BLUE, INK, ORANGE, SOFT
from linkwl.reports.themes import picture_address
from linkwl.typing import FloatArray

UNCLEAR = "#64748b"
STYLE: Any = {"svg.hashsalt": "linkwl", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
_MOST_OTHERS = 12
_CLEAR = 0.2
"""How far nodes between the two stay away from the line of the link in question."""


def image(figure: Figure) -> str:
    """A figure as a data URL."""
    stream = io.StringIO()
    with _drawing():
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return picture_address(stream.getvalue())


def save_figure(figure: Figure, path: Path) -> None:
    """Writes a figure atomically: SVG if the file name ends in ``.svg``, else PNG."""
    kind = "svg" if path.suffix.lower() == ".svg" else "png"
    with replaced(path) as temporary, _drawing():
        figure.savefig(temporary, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)


@contextmanager
def _drawing() -> Iterator[None]:
    """Our style; a glyph missing from the font is drawn as a box, without a warning."""
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        yield


def effect_colour(effect: Effect) -> str:
    """The colour of a group of evidence in a picture: orange raises the score, blue lowers it, grey is unclear."""
    return {"raises": ORANGE, "lowers": BLUE, "unclear": UNCLEAR}[effect]


def neighbourhood(graph: Graph, explanation: Explanation, axes: Axes | None = None) -> Figure:
    """The two nodes, the groups of evidence between them in colour, and some of their other neighbours.

    A group is orange if it raises the score, blue if it lowers it, and grey if its part and its removal disagree. The
    links of a directed graph are arrows. It is drawn on given or new axes.
    """
    p, q = explanation.pair
    links = graph.links
    joining = [part for part in explanation.parts if part.group.paths and not part.group.is_background]
    shown = [(part, path) for part in joining for path in part.group.paths]
    on_paths = list(dict.fromkeys(node for _, path in shown for node in path[1:-1]))
    others = [v for end in (p, q) for v in links.neighbours(end).tolist() if v not in (p, q, *on_paths)]
    drawn = [p, q, *on_paths, *list(dict.fromkeys(others))[:_MOST_OTHERS]]
    place = _places(links, drawn, p, q)
    number = {node: k for k, node in enumerate(drawn)}
    part_of = {edge: part for part, path in reversed(shown) for edge in _edges(path)}
    with matplotlib.rc_context(STYLE):
        axes = Figure(figsize=(5.6, 3.9), layout="constrained").add_subplot() if axes is None else axes
        inside = [(v, w) for v in drawn for w in links.neighbours(v).tolist() if w in number and v < w]
        draw_line = partial(_draw_line, axes, {node: place[k] for node, k in number.items()}, graph)
        if graph.is_directed:
            for edge in inside:
                if edge not in part_of and edge != (min(p, q), max(p, q)):
                    draw_line(edge, color=SOFT, linewidth=0.5, alpha=0.5)
        else:
            thin = [place[[number[v], number[w]]] for v, w in inside]
            axes.add_collection(LineCollection(thin, colors=SOFT, linewidths=0.5, alpha=0.5))
        largest = max((abs(part.contribution) for part in joining), default=1.0) or 1.0
        for edge, part in part_of.items():
            width = 0.8 + 2.5 * abs(part.contribution) / largest
            draw_line(edge, color=effect_colour(part.effect), linewidth=width)
        _draw_asked(axes, place[:2], is_directed=graph.is_directed)
        axes.scatter(
            place[:, 0], place[:, 1], s=[110, 110] + [28] * (len(drawn) - 2), color=INK, linewidths=0, zorder=3
        )
        axes.margins(0.12)
        axes.set_axis_off()
        named = [p, q, *on_paths]
        texts = [str(graph.ids[node])[:24] for node in named]
        spots, between = place[: len(named)], np.linspace(place[0], place[1], 24)[1:-1]
        dots = np.concatenate([place, between])  # the line between the two nodes stays visible
        place_labels(axes, spots, texts, dots=dots, distance=6, num_bold=2, fontsize=9, color=INK, zorder=4)
    return cast("Figure", axes.get_figure())


def _draw_line(axes: Axes, place: Mapping[int, FloatArray], graph: Graph, edge: tuple[int, int], **style: Any) -> None:
    """A line between two nodes; in a directed graph an arrow, with two heads if both directions are links."""
    if not graph.is_directed:
        axes.plot(*np.stack([place[node] for node in edge]).T, solid_capstyle="round", **style)
        return
    forth, back = graph.contains(np.array([edge, edge[::-1]], dtype=np.int32)).tolist()
    start, end = edge if forth else edge[::-1]
    _draw_arrow(axes, place[start], place[end], head="<|-|>" if forth and back else "-|>", **style)


def _draw_asked(axes: Axes, ends: FloatArray, *, is_directed: bool) -> None:
    """The link in question, dashed."""
    style: dict[str, Any] = {"color": ORANGE, "linestyle": (0, (2, 2)), "linewidth": 1.5}
    if is_directed:
        _draw_arrow(axes, *ends, head="-|>", shrink=7, **style)
    else:
        axes.plot(*ends.T, **style)


def _draw_arrow(
    axes: Axes, start: FloatArray, end: FloatArray, *, head: str, shrink: float = 5, linewidth: float, **style: Any
) -> None:
    """An arrow that ends beside the nodes."""
    axes.add_patch(
        FancyArrowPatch(
            (float(start[0]), float(start[1])),
            (float(end[0]), float(end[1])),
            arrowstyle=head,
            mutation_scale=5 + 2 * linewidth,
            shrinkA=shrink,
            shrinkB=shrink,
            linewidth=linewidth,
            zorder=2,
            **style,
        )
    )


def _places(graph: Graph, drawn: list[int], p: int, q: int) -> FloatArray:
    """Positions: the two nodes left and right, common neighbours and path nodes between, other neighbours around.

    Those between are above and below the line from one of the two to the other, never on it.
    """
    near = [set(graph.neighbours(end).tolist()) for end in (p, q)]
    sides: dict[int, list[int]] = {}
    for node in drawn[2:]:
        side = (node in near[1]) - (node in near[0])
        sides.setdefault(side if node in near[0] or node in near[1] else 0, []).append(node)
    spot = {p: (-1.0, 0.0), q: (1.0, 0.0)}
    for side, nodes in sides.items():
        for k, node in enumerate(nodes):
            if side == 0:
                # On one vertical line, so that no link of one of them passes through another.
                height = _CLEAR + (0.9 - _CLEAR) * (k // 2 + 0.5) / ((len(nodes) + 1) // 2)
                spot[node] = (0.0, height * (-1) ** k)
            else:
                angle = np.pi * ((k + 0.5) / len(nodes) - 0.5) * 1.3
                spot[node] = (side * (1.0 + 0.55 * np.cos(angle)), 0.95 * np.sin(angle))
    return np.array([spot[node] for node in drawn])


def _edges(nodes: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(min(a, b), max(a, b)) for a, b in zip(nodes, nodes[1:], strict=False)]
