"""The pictures of a report, embedded in its page."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

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

    A group is orange if it raises the score, blue if it lowers it, and grey if its part and its removal disagree. It is
    drawn on given or new axes.
    """
    p, q = explanation.pair
    joining = [part for part in explanation.parts if part.group.paths and not part.group.is_background]
    shown = [(part, path) for part in joining for path in part.group.paths]
    on_paths = list(dict.fromkeys(node for _, path in shown for node in path[1:-1]))
    others = [v for end in (p, q) for v in graph.neighbours(end).tolist() if v not in (p, q, *on_paths)]
    drawn = [p, q, *on_paths, *list(dict.fromkeys(others))[:_MOST_OTHERS]]
    place = _places(graph, drawn, p, q)
    number = {node: k for k, node in enumerate(drawn)}
    part_of = {edge: part for part, path in reversed(shown) for edge in _edges(path)}
    with matplotlib.rc_context(STYLE):
        axes = Figure(figsize=(5.6, 3.9), layout="constrained").add_subplot() if axes is None else axes
        inside = [(number[v], number[w]) for v in drawn for w in graph.neighbours(v).tolist() if w in number and v < w]
        axes.add_collection(LineCollection([place[[a, b]] for a, b in inside], colors=SOFT, linewidths=0.5, alpha=0.5))
        largest = max((abs(part.contribution) for part in joining), default=1.0) or 1.0
        for (v, w), part in part_of.items():
            width = 0.8 + 2.5 * abs(part.contribution) / largest
            line = place[[number[v], number[w]]]
            axes.plot(*line.T, color=effect_colour(part.effect), linewidth=width, solid_capstyle="round")
        axes.plot(*place[:2].T, color=ORANGE, linestyle=(0, (2, 2)), linewidth=1.5)
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


def _places(graph: Graph, drawn: list[int], p: int, q: int) -> FloatArray:
    """Positions: the two nodes left and right, common neighbours and path nodes between, other neighbours around."""
    near = [set(graph.neighbours(end).tolist()) for end in (p, q)]
    sides: dict[int, list[int]] = {}
    for node in drawn[2:]:
        side = (node in near[1]) - (node in near[0])
        sides.setdefault(side if node in near[0] or node in near[1] else 0, []).append(node)
    spot = {p: (-1.0, 0.0), q: (1.0, 0.0)}
    for side, nodes in sides.items():
        for k, node in enumerate(nodes):
            share = (k + 0.5) / len(nodes) - 0.5
            if side == 0:
                spot[node] = (0.3 * (-1) ** k, 1.8 * share)
            else:
                angle = np.pi * share * 1.3
                spot[node] = (side * (1.0 + 0.55 * np.cos(angle)), 0.95 * np.sin(angle))
    return np.array([spot[node] for node in drawn])


def _edges(nodes: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(min(a, b), max(a, b)) for a, b in zip(nodes, nodes[1:], strict=False)]
