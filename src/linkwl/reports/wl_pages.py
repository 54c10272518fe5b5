"""Pages of panels, each a witness as a test sees it."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Outline

from linkwl.files import replaced, write_text
from linkwl.graph import Graph
from linkwl.reports.wl_layouts import set_scene
from linkwl.typing import BoolArray, FloatArray
from linkwl.wl.link_classes import LinkClasses, classify_links, graphs_of
from linkwl.wl.witnesses import Witness

TITLES = {
    "1-wl": "1-WL, local 2-WL",  # equivalent on links without an edge
    "2-wl": "2-WL",
    "local-2-fwl": "local 2-FWL",
    "2-fwl": "2-FWL",
    "1-wl+01": "1-WL + 0/1 labels",
    "1-wl+drnl": "1-WL + DRNL labels",
}
"""Panel titles by test, in the order of the pictures."""

INK, SOFT, RUST, EDGE, MUTED = "#1f2933", "#5f6b7a", "#a84300", "#a9b2bc", "#d9dee4"
COMPARED, OTHERS = ("#0072b2", "#d55e00"), ("#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#882255")
"""The colours of Okabe and Ito, and one of Tol's; distinguishable with colour vision deficiency."""
DASHES, DOTS = ("solid", (0, (3.2, 1.6))), (0, (1, 1.6))
THICK_DASHES = ("solid", (0, (1.8, 0.9)))

WIDTH, MARGIN, GUTTER = 9.0, 0.3, 0.3  # inches, as below
HEADING, ROW_GAP, LEGEND, PAD, FOOT = 0.46, 0.2, 0.32, 0.15, 0.2
MAX_SCALE, MAX_HEIGHT = 0.85, 2.8  # of a unit of the layouts, and of a drawing
DPI = 150
_RC: dict[Any, Any] = {
    "svg.hashsalt": "linkwl",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8.5,
    "text.color": INK,
}


@dataclass(frozen=True, eq=False)
class Panel:
    """A witness as a test sees it."""

    witness: Witness
    test: str
    names: dict[int, str] | None = None
    """Names of some nodes, shown instead of the numbers of all nodes."""


@dataclass(frozen=True, eq=False)
class Page:
    """Panels in rows, below a label, a title and the lines of a caption."""

    label: str
    title: str
    caption: Sequence[str]
    rows: Sequence[Sequence[Panel]]


def graph_title(graph: Graph) -> str:
    """The name of a graph for readers: ``k33-e`` is K₃₃ − e."""
    words = {"rook": "rook graph", "shrikhande": "Shrikhande graph", "regular-8": "4-regular graph on 8 nodes"}
    words |= {"latin-klein": "Klein square", "latin-cyclic": "cyclic square", "double-star": "double star"}
    words |= {"gadget36": "gadget", "gadget36-twisted": "twisted gadget", "chorded-c8": "c8 with two chords"}
    name = re.sub(r"[kpc](?=\d)", lambda match: match[0].upper(), words.get(graph.name, graph.name))
    name = re.sub(r"^(\d)(?=[KPC])", r"\1 ", name).replace("+", " + ")
    return with_subscripts(re.sub(r"-(e|rung)$", r" − \1", name))


def with_subscripts(text: str) -> str:
    """K33 as K₃₃."""
    digits = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
    return re.sub(r"(?<=[KPC])\d+", lambda match: match[0].translate(digits), text)


def is_large(witness: Witness) -> bool:
    """Whether the graph is too large to show the names of all nodes."""
    return witness.first[0].num_nodes > 8


def _shared_edges(witness: Witness) -> BoolArray:
    """Which edges join the ends of a compared link to its common neighbours, if the witness is about them."""
    flags = []
    for graph, (p, q) in (witness.first, witness.second):
        shared = np.intersect1d(graph.neighbours(p), graph.neighbours(q))
        inside = np.isin(graph.edges, [p, q, *shared] if witness.id in ("W5", "W5s") else [])
        flags.append(inside[:, 0] & inside[:, 1])
    return flags[0] | flags[1] if len(graphs_of(witness)) == 1 else np.concatenate(flags)


def link_style(rank: int, classes: LinkClasses) -> dict[str, Any]:
    """The colour, dashes and width of the links of a class.

    The classes of the compared links are strong, one solid and the other dashed. The others are dotted, with a colour
    per class while there are colours left, and pale otherwise. Links of a large class are thinner.
    """
    fine = min(1.0, (40 / int((classes.rank == rank).sum())) ** 0.5)
    if rank < 2:
        return {"color": COMPARED[rank], "linestyle": DASHES[rank], "linewidth": fine, "alpha": fine}
    if classes.rank.max() < 2 + len(OTHERS):
        return {"color": OTHERS[rank - 2], "linestyle": DOTS, "linewidth": 1.1 * fine, "alpha": fine}
    return {"color": MUTED, "linestyle": DOTS, "linewidth": 0.5}


def draw_page(page: Page, svg: Path, png: Path) -> None:
    """Writes a page in both formats; the same page gives the same bytes."""
    with matplotlib.rc_context(_RC):
        figure = _lay_out(page)
        drawing = io.StringIO()
        figure.savefig(
            drawing, format="svg", metadata={"Date": None, "Creator": "linkwl", "Title": f"{page.label}: {page.title}"}
        )
        # A hundredth of a point is finer than any screen; more digits would double the file.
        write_text(svg, re.sub(r"(\.\d\d)\d+", r"\1", drawing.getvalue()))
        with replaced(png) as temporary:
            figure.savefig(temporary, format="png", dpi=DPI, metadata={"Software": None})


def _lay_out(page: Page) -> Figure:
    """The page, with all positions in inches from the top left."""
    num_columns = len(page.rows[0])
    width = (WIDTH - 2 * MARGIN - GUTTER * (num_columns - 1)) / num_columns
    rows = [[_Drawing(panel, width) for panel in row] for row in page.rows]
    heights = [max(drawing.height for drawing in row) for row in rows]
    top = 0.62 + 0.19 * len(page.caption)
    total = top + sum(HEADING + height + ROW_GAP for height in heights) + LEGEND
    figure = Figure(figsize=(WIDTH, total))

    def write(x: float, y: float, text: str, **style: Any) -> None:
        figure.text(x / WIDTH, 1 - y / total, text, **style)

    write(MARGIN, 0.42, f"{page.label}\u2003{page.title}", size=12.5, weight="bold")
    for i, line in enumerate(page.caption):
        write(MARGIN, 0.67 + 0.19 * i, line, color=SOFT)
    for row, height in zip(rows, heights, strict=True):
        for column, drawing in enumerate(row):
            left, bottom = MARGIN + column * (width + GUTTER), top + HEADING + height
            rule = [left / WIDTH, (left + width) / WIDTH]
            figure.add_artist(Line2D(rule, [1 - top / total] * 2, color=EDGE, linewidth=0.6))
            verdict = drawing.classes.verdict
            words = "=\u2002cannot tell them apart" if verdict.equal else f"≠\u2002different in round {verdict.round}"
            write(left, top + 0.2, TITLES[drawing.panel.test], size=9.5, weight="bold")
            write(left, top + 0.39, words, color=SOFT if verdict.equal else RUST)
            box = (left / WIDTH, 1 - bottom / total, width / WIDTH, height / total)
            drawing.draw(figure.add_axes(box), width, height)
        top += HEADING + height + ROW_GAP
    _add_legend(figure, [drawing for row in rows for drawing in row])
    return figure


def _add_legend(figure: Figure, drawings: Sequence[_Drawing]) -> None:
    """Explains the kinds of line on the page, in one row at the bottom."""
    keys: list[tuple[str, dict[str, Any]]] = [("edge", {"color": EDGE, "linewidth": 1.4})]
    if any(drawing.shared.any() for drawing in drawings):
        keys.append(("edge at a common neighbour", {"color": INK, "linewidth": 1.3}))
    for rank, label in enumerate(("first link (no edge); thin: its class", "second link, if different")):
        keys.append((label, {"color": COMPARED[rank], "linestyle": THICK_DASHES[rank], "linewidth": 3}))
    if any(drawing.classes.rank.max() > 1 for drawing in drawings):
        keys.append(("links of other classes", {"color": OTHERS[0], "linestyle": DOTS, "linewidth": 1.1}))
    width, height = figure.get_size_inches()
    figure.legend(
        handles=[Line2D([], [], label=label, **style) for label, style in keys],
        loc="lower left",
        bbox_to_anchor=(MARGIN / width, 0.1 / height),
        ncols=len(keys),
        fontsize=8,
        frameon=False,
        borderpad=0,
        borderaxespad=0,
        handlelength=2.6,
        columnspacing=1.5,
    )


class _Drawing:
    """A panel, prepared to be drawn ``width`` inches wide."""

    def __init__(self, panel: Panel, width: float) -> None:
        self.panel = panel
        self.graphs = graphs_of(panel.witness)
        self.classes = classify_links(panel.witness, panel.test)
        self.scene = set_scene(self.graphs, self.classes.links)
        self.shared = _shared_edges(panel.witness)
        self.foot = FOOT if len(self.graphs) > 1 else 0.0
        fitting = (MAX_HEIGHT - 2 * PAD) / max(self.scene.height, 1.0)
        self.scale = min((width - 2 * PAD) / self.scene.width, fitting, MAX_SCALE)
        self.height = self.scene.height * self.scale + 2 * PAD + self.foot

    def draw(self, axes: Axes, width: float, height: float) -> None:
        """Draws into axes of the given size in inches."""
        scene, classes, scale = self.scene, self.classes, self.scale
        axes.set_axis_off()
        axes.set_xlim((scene.width - width / scale) / 2, (scene.width + width / scale) / 2)
        axes.set_ylim(-(height + self.foot) / 2 / scale, (height - self.foot) / 2 / scale)
        _stroke(axes, scene.edges, color=EDGE, linewidth=0.9 if is_large(self.panel.witness) else 1.4)
        for rank in sorted(set(classes.rank.tolist()), reverse=True):
            _stroke(axes, scene.links[classes.rank == rank], **link_style(rank, classes))
        _stroke(axes, scene.edges[self.shared], color=INK, linewidth=1.3)
        for i in classes.compared:
            rank = int(classes.rank[i])
            _stroke(axes, scene.links[[i]], color="white", linewidth=5)
            _stroke(axes, scene.links[[i]], color=COMPARED[rank], linestyle=THICK_DASHES[rank], linewidth=3)
        self._draw_nodes(axes)
        for x, graph in zip(scene.middles, self.graphs, strict=True):
            if self.foot:
                y = axes.get_ylim()[0] + 0.06 / scale
                axes.text(x, y, graph_title(graph), ha="center", color=SOFT, size=8)

    def _draw_nodes(self, axes: Axes) -> None:
        """Dots, and discs for nodes with a name: dark ones for the ends of the compared links."""
        place, witness = self.scene.place, self.panel.witness
        shift = len(place) - self.graphs[-1].num_nodes
        ends = sorted({*witness.first[1], *(v + shift for v in witness.second[1])})
        numbers = [v for graph in self.graphs for v in range(graph.num_nodes)]
        names = {v: str(numbers[v]) for v in (ends if is_large(witness) else range(len(place)))}
        names = names if self.panel.names is None else self.panel.names
        size = 12 if len(place) <= 32 else 10
        axes.plot(*place.T, "o", color=SOFT, markersize=size / 3, markeredgewidth=0)
        axes.plot(*place[list(names)].T, "o", color=SOFT, markerfacecolor="white", markersize=size, markeredgewidth=0.8)
        axes.plot(*place[ends].T, "o", color=INK, markersize=size)
        for v, name in names.items():
            color = "white" if v in ends else INK
            axes.text(place[v, 0], place[v, 1], name, color=color, size=7, ha="center", va="center_baseline")


def _stroke(axes: Axes, curves: FloatArray, **style: Any) -> None:
    """Draws curves as one path, which keeps the file small."""
    vertices: list[FloatArray] = []
    codes: list[np.uint8] = []
    for start, control, end in curves:
        is_straight = np.allclose(control, (start + end) / 2)
        vertices += [start, end] if is_straight else [start, control, end]
        codes += [Outline.MOVETO, Outline.LINETO] if is_straight else [Outline.MOVETO, Outline.CURVE3, Outline.CURVE3]
    if codes:
        axes.add_patch(PathPatch(Outline(vertices, codes), fill=False, clip_on=False, **style))
