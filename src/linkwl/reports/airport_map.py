"""The airport graph as a map, with missing routes in colour."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from linkwl.datasets import Airport
from linkwl.files import replaced
from linkwl.typing import FloatArray, Pairs


def draw_airport_map(airports: Sequence[Airport], routes: Pairs, missing: Pairs, paths: Sequence[Path]) -> None:
    """Draws airports and routes in grey and missing routes in colour, best ones on top.

    Args:
        airports: One per node, in order.
        routes: Edges by node.
        missing: Predicted routes by node, best first.
        paths: Files to write; the ending chooses the format.
    """
    place = _project(airports)
    degree = np.bincount(routes.ravel(), minlength=len(airports))
    with matplotlib.rc_context({"svg.hashsalt": "linkwl", "font.size": 9}):
        figure = Figure(figsize=(11, 7), layout="constrained")
        axes = figure.add_subplot()
        axes.add_collection(LineCollection(list(place[routes]), colors="#8899aa", linewidths=0.3, alpha=0.22))
        axes.scatter(place[:, 0], place[:, 1], s=4 + degree, color="#334455", linewidths=0, zorder=2)
        curves = [_curve(place[p], place[q]) for p, q in missing[::-1]]
        axes.add_collection(LineCollection(curves, colors="#d9480f", linewidths=1.6, zorder=3))
        for node in np.unique(missing):
            axes.annotate(
                airports[node].code,
                place[node],
                xytext=(3, 3),
                textcoords="offset points",
                weight="bold",
                color="#862e00",
                zorder=4,
            )
        axes.set_aspect("equal")
        axes.set_xlim(-0.85, 0.56)
        axes.set_ylim(-0.45, 0.78)
        axes.set_axis_off()
        axes.set_title(
            f"US airports: {len(routes):,} routes, and the {len(missing)} likeliest missing ones", loc="left"
        )
        for path in paths:
            kind = path.suffix.lstrip(".")
            with replaced(path) as temporary:
                figure.savefig(temporary, format=kind, dpi=130, metadata={"Date": None} if kind == "svg" else None)


def _project(airports: Sequence[Airport]) -> FloatArray:
    """Albers' equal-area conic projection of the United States; units are Earth radii."""
    longitude = np.radians([a.longitude - 360 if a.longitude > 0 else a.longitude for a in airports])
    latitude = np.radians([a.latitude for a in airports])
    lower, upper, middle, centre = np.radians([29.5, 45.5, 37.5, -96.0])
    n = (np.sin(lower) + np.sin(upper)) / 2
    c = np.cos(lower) ** 2 + 2 * n * np.sin(lower)
    rho, rho_middle = np.sqrt(c - 2 * n * np.sin(latitude)) / n, np.sqrt(c - 2 * n * np.sin(middle)) / n
    theta = n * (longitude - centre)
    return np.stack([rho * np.sin(theta), rho_middle - rho * np.cos(theta)], axis=1)


def _curve(start: FloatArray, end: FloatArray) -> FloatArray:
    """A shallow arc, so that routes over one another can be told apart."""
    t = np.linspace(0, 1, 32)[:, None]
    across = np.array([start[1] - end[1], end[0] - start[0]])
    across *= 1 if across[1] >= 0 else -1
    return start + t * (end - start) + 0.5 * t * (1 - t) * across
