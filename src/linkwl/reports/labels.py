"""Labels of points in a picture that do not overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation

from linkwl.typing import FloatArray

_DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)]
_RINGS = (1.0, 1.8, 2.8, 4.0, 5.5, 7.5, 10.0)
_GAP = 1.5  # points between labels
_HALO = "#ffffff"


def place_labels(
    axes: Axes,
    points: FloatArray,
    texts: Sequence[str],
    *,
    dots: FloatArray | None = None,
    distance: float = 5.0,
    num_bold: int = 0,
    **style: Any,
) -> list[Annotation]:
    """Writes a label beside each point, where it covers no other label and as few dots as can be.

    Labels are placed in order, each at the first of 56 places around its point that is free; one that had to move away
    is joined to its point by a thin line. The limits of the axes and the size of the figure must be final.

    Args:
        axes: The picture.
        points: Where the labels belong, in the coordinates of the axes.
        texts: The labels.
        dots: Further points that labels should not cover.
        distance: From a point to its label, in points.
        num_bold: Number of labels, the first ones, that are bold and larger.
        style: Of the text.

    Returns:
        The labels.
    """
    figure = axes.get_figure(root=True)
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    scale = 72 / figure.dpi  # pixels to points
    at = axes.transData.transform(points) * scale if len(points) else np.empty((0, 2))
    covered = at if dots is None else np.concatenate([at, axes.transData.transform(dots) * scale])
    page = figure.get_size_inches() * 72
    taken: list[FloatArray] = []
    labels: list[Annotation] = []
    for k, (point, text) in enumerate(zip(at, texts, strict=True)):
        own = style | ({"weight": "bold", "fontsize": style.get("fontsize", 9) + 2} if k < num_bold else {})
        size = _size(figure, text, own)
        places = [_place(point, size, direction, ring * distance) for ring in _RINGS for direction in _DIRECTIONS]
        costs = [_cost(box, taken, covered, page) + 0.01 * number for number, box in enumerate(places)]
        best = int(np.argmin(costs))
        box = places[best]
        taken.append(box)
        labels.append(
            axes.annotate(
                text,
                points[k],
                xytext=tuple(box.mean(axis=0) - point),
                textcoords="offset points",
                ha="center",
                va="center",
                parse_math=False,
                arrowprops={"arrowstyle": "-", "linewidth": 0.5, "color": "#94a3b8", "shrinkA": 0, "shrinkB": 1}
                if best >= len(_DIRECTIONS)
                else None,
                path_effects=[withStroke(linewidth=2.2, foreground=_HALO)],
                **own,
            )
        )
        labels[-1].set_in_layout(False)  # the picture stays where it is
    return labels


def _size(figure: Figure, text: str, style: dict[str, Any]) -> FloatArray:
    """Width and height of a label in points."""
    wanted = {name: style[name] for name in ("fontsize", "weight") if name in style}
    probe = figure.text(0, 0, text, parse_math=False, **wanted)
    box = probe.get_window_extent(FigureCanvasAgg(figure).get_renderer())  # type: ignore[no-untyped-call]
    probe.remove()
    return np.array([box.width, box.height]) * 72 / figure.dpi


def _place(point: FloatArray, size: FloatArray, direction: tuple[int, int], distance: float) -> FloatArray:
    """The lower left and upper right corner of a label that lies so far from its point."""
    step = np.array(direction, dtype=np.float64)
    centre = point + step / max(np.hypot(*step), 1.0) * distance + step * size / 2
    return np.stack([centre - size / 2, centre + size / 2])


def _cost(box: FloatArray, taken: Sequence[FloatArray], dots: FloatArray, page: FloatArray) -> float:
    """A large number for each label that is covered or side of the page that is crossed, and one for each dot."""
    low, high = box
    num_labels = sum(bool((low < other[1] + _GAP).all() and (other[0] < high + _GAP).all()) for other in taken)
    num_outside = int((low < 0).sum() + (high > page).sum())
    num_dots = int(((dots > low) & (dots < high)).all(axis=1).sum())
    return 1000.0 * (num_labels + num_outside) + num_dots
