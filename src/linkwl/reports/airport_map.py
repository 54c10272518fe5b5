"""The airport graph as a map, with missing routes in colour."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Outline

from linkwl.datasets import Airport
from linkwl.files import replaced
from linkwl.reports.labels import place_labels
from linkwl.typing import FloatArray, Pairs

_SHADES = 12
"""Routes are drawn in so many layers: where they are dense, the map is darker."""


def draw_airport_map(
    airports: Sequence[Airport], routes: Pairs, missing: Pairs, paths: Sequence[Path], *, is_narrow: bool = False
) -> None:
    """Draws airports and routes in grey and missing routes in colour, the best on top.

    Args:
        airports: One per node, in node order.
        routes: Edges, as pairs of node indices.
        missing: Predicted routes, as pairs of node indices, best first.
        paths: Files to write; the suffix selects the format.
        is_narrow: Whether the map is for a phone.
    """
    place = _project(airports)
    degree = np.bincount(routes.ravel(), minlength=len(airports))
    scale = 0.5 if is_narrow else 1.0
    with matplotlib.rc_context({"svg.hashsalt": "linkwl", "font.size": 9 if is_narrow else 10}):
        figure = Figure(figsize=(4.5, 3.3) if is_narrow else (10, 6.4), layout="constrained")
        axes = figure.add_subplot()
        for lines in (place[routes[k::_SHADES]] for k in range(_SHADES)):
            axes.add_patch(PathPatch(_joined(lines), fill=False, color="#8899aa", linewidth=0.3, alpha=0.22))
        axes.scatter(place[:, 0], place[:, 1], s=scale * (4 + degree), color="#334455", linewidths=0, zorder=2)
        curves = [_curve(place[p], place[q]) for p, q in missing[::-1]]
        axes.add_collection(LineCollection(curves, colors="#d9480f", linewidths=0.7 + 0.9 * scale, zorder=3))
        axes.set_aspect("equal")
        axes.margins(0.02)
        axes.set_axis_off()
        axes.set_title(
            f"US airports: {len(routes):,} routes, and the {len(missing)} likeliest missing ones",
            loc="left",
            fontsize=9 if is_narrow else 10,
        )
        named = np.unique(missing)
        named = named[np.argsort(-degree[named], kind="stable")]
        place_labels(
            axes,
            place[named],
            [airports[node].code for node in named],
            dots=place[degree > np.median(degree)],
            weight="bold",
            color="#862e00",
            zorder=4,
        )
        for path in paths:
            kind = path.suffix.lstrip(".")
            with replaced(path) as temporary:
                figure.savefig(temporary, format=kind, dpi=130, metadata={"Date": None} if kind == "svg" else None)


def _joined(lines: FloatArray) -> Outline:
    """Many lines as one path, which takes a tenth of the space in a file."""
    codes = np.tile([Outline.MOVETO, Outline.LINETO], len(lines))
    return Outline(lines.reshape(-1, 2), codes)


def _project(airports: Sequence[Airport]) -> FloatArray:
    """Positions of the airports on the page: Albers' equal-area conic projection, in Earth radii.

    As on printed maps of the United States, remote parts are moved closer: Alaska, smaller, and the Pacific islands
    below the south-west, the Caribbean below Florida.
    """
    longitude = np.radians([a.longitude - 360 if a.longitude > 0 else a.longitude for a in airports])
    latitude = np.radians([a.latitude for a in airports])
    lower, upper, middle, centre = np.radians([29.5, 45.5, 37.5, -96.0])
    n = (np.sin(lower) + np.sin(upper)) / 2
    c = np.cos(lower) ** 2 + 2 * n * np.sin(lower)
    rho, rho_middle = np.sqrt(c - 2 * n * np.sin(latitude)) / n, np.sqrt(c - 2 * n * np.sin(middle)) / n
    theta = n * (longitude - centre)
    place = np.stack([rho * np.sin(theta), rho_middle - rho * np.cos(theta)], axis=1)
    west, north = longitude < np.radians(-129), latitude > np.radians(50)
    guam, caribbean = longitude < np.radians(-190), (longitude > np.radians(-70)) & (latitude < np.radians(20))
    for group, scale, centre_at in (
        (north & west, 0.35, (-0.36, -0.27)),
        (west & ~north & ~guam, 1.0, (-0.20, -0.29)),
        (guam, 1.0, (-0.30, -0.33)),
        (caribbean, 1.0, (0.40, -0.28)),
    ):
        place[group] = (place[group] - place[group].mean(axis=0)) * scale + centre_at
    return place


def _curve(start: FloatArray, end: FloatArray) -> FloatArray:
    """A shallow arc, so that overlapping routes can be distinguished."""
    t = np.linspace(0, 1, 32)[:, None]
    across = np.array([start[1] - end[1], end[0] - start[0]])
    across *= 1 if across[1] >= 0 else -1
    return start + t * (end - start) + 0.5 * t * (1 - t) * across
