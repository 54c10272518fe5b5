"""The picture of an explained triple: head, tail, and the paths of facts between them."""

from __future__ import annotations

from typing import cast

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from linkwl.graph import KnowledgeGraph
from linkwl.predict.explain_triple import TripleExplanation
from linkwl.predict.explanation import Part
from linkwl.predict.fact_paths import FactPath
from linkwl.reports.labels import place_labels
from linkwl.reports.panels import INK, ORANGE
from linkwl.reports.report_figures import STYLE, effect_colour

Point = tuple[float, float]
_MOST_LETTERS = 24
_MOST_PATHS = 8
_SHARES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78)
"""Of an arrow, at which its name can be."""


def fact_paths(graph: KnowledgeGraph, explanation: TripleExplanation, axes: Axes | None = None) -> Figure:
    """Head and tail, the triple in question between them, and the listed paths with an arrow for each fact.

    A rule that raises the score is orange, one that lowers it is blue, and grey ones act only together with others;
    thicker arrows contribute more.
    """
    head, relation, tail = explanation.query
    place = _places(explanation)
    shown = _shown_paths(explanation)
    largest = max((abs(part.contribution) for part, _ in shown), default=1.0) or 1.0
    heights = [y for _, y in place.values()]
    with matplotlib.rc_context(STYLE):
        if axes is None:
            size = 7.6, 1.4 + 0.5 * (max(heights) - min(heights))
            axes = Figure(figsize=size, layout="constrained").add_subplot()
        _arrow(axes, place[head], place[tail], str(graph.relations[relation]), ORANGE, 1.6, is_asked=True)
        drawn, num_direct = set(), 0
        for part, path in shown:
            colour = effect_colour(part.effect)
            width = 0.7 + 2.3 * abs(part.contribution) / largest
            for a, role, b, step in zip(path.nodes, path.roles, path.nodes[1:], path.steps, strict=False):
                if frozenset(step) in drawn:
                    continue
                drawn.add(frozenset(step))
                num_direct += len(path.nodes) == 2
                lower = 0.45 * num_direct if len(path.nodes) == 2 else 0.0  # beside the triple, one below the other
                ends = [(x, y - lower) for x, y in (place[a], place[b])]
                start, end = ends if role < graph.num_relations else ends[::-1]
                name = str(graph.relations[role % graph.num_relations])
                _arrow(axes, start, end, name, colour, width, is_both=len(step) == 2)
        points = np.array(list(place.values()))
        sizes = [90 if node in (head, tail) else 26 for node in place]
        axes.scatter(points[:, 0], points[:, 1], s=sizes, color=INK, linewidths=0, zorder=3)
        axes.set(xlim=(-0.12, 1.12), ylim=(min(heights) - 0.7, max(heights) + 0.9))
        axes.set_axis_off()
        # The names of entities keep off those of relations and off the arrows.
        names = [_short(str(graph.ids[node])) for node in place]
        beside = np.array([(x + step, y) for x, y in _written(axes) for step in (-0.03, 0.0, 0.03)]).reshape(-1, 2)
        arrows = [np.linspace(arrow.xyann, arrow.xy, 24)[1:-1] for arrow in axes.texts if isinstance(arrow, Annotation)]
        dots = np.concatenate([points, beside, *arrows])
        place_labels(axes, points, names, dots=dots, distance=6, num_bold=2, fontsize=8, color=INK, zorder=5)
    return cast("Figure", axes.get_figure())


def _shown_paths(explanation: TripleExplanation) -> list[tuple[Part, FactPath]]:
    """The paths to draw, each with its part."""
    shown = [(part, path) for part in explanation.parts for path in part.group.paths]
    return shown[:_MOST_PATHS]


def _places(explanation: TripleExplanation) -> dict[int, Point]:
    """Head and tail left and right; the entities of a path on a line of their own, the first paths in the middle."""
    head, _, tail = explanation.query
    inner = [path.nodes[1:-1] for _, path in _shown_paths(explanation)]
    place: dict[int, Point] = {head: (0.0, 0.0), tail: (1.0, 0.0)}
    num_direct = sum(len(nodes) == 0 for nodes in inner)
    number = 0
    for nodes in inner:
        new = [node for node in nodes if node not in place]
        if not new:
            continue
        number += 1
        line = (number + 1) // 2
        height = float(line) if number % 2 else -line - 0.45 * num_direct
        for k, node in enumerate(nodes, 1):
            place.setdefault(node, (k / (len(nodes) + 1), height))
    return place


def _arrow(
    axes: Axes,
    start: Point,
    end: Point,
    text: str,
    colour: str,
    width: float,
    *,
    is_both: bool = False,
    is_asked: bool = False,
) -> None:
    """An arrow with the name of a relation; the one that is asked for is dashed."""
    axes.annotate(
        "",
        end,
        xytext=start,
        zorder=2,
        arrowprops={
            "arrowstyle": "<|-|>" if is_both else "-|>",
            "color": colour,
            "linewidth": width,
            "linestyle": (0, (3, 2)) if is_asked else "solid",
            "shrinkA": 7,
            "shrinkB": 7,
            "mutation_scale": 9 + width,
        },
    )
    axes.text(
        *_free_point(start, end, _written(axes)),
        _short(text),
        ha="center",
        va="center",
        fontsize=9 if is_asked else 7,
        color=ORANGE if is_asked else INK,
        weight="bold" if is_asked else "normal",
        zorder=4,
        parse_math=False,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.85},
    )


def _written(axes: Axes) -> list[Point]:
    """Where the names of relations are."""
    return [text.get_position() for text in axes.texts if text.get_text()]


def _free_point(start: Point, end: Point, taken: list[Point]) -> Point:
    """The point of an arrow for its name: the middle, or near it where no other name is."""
    points = [(start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])) for share in _SHARES]
    for x, y in points:
        if all(abs(x - other) > 0.15 or abs(y - height) > 0.3 for other, height in taken):
            return x, y
    return points[0]


def _short(name: str) -> str:
    """The name, or its beginning; of a long name with slashes the end, which says more."""
    if len(name) <= _MOST_LETTERS:
        return name
    return f"…{name[1 - _MOST_LETTERS :]}" if "/" in name else f"{name[: _MOST_LETTERS - 1]}…"
