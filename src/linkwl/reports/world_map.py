"""The world graph as a map, with missing facts in colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from linkwl.datasets import Country
from linkwl.files import replaced
from linkwl.reports.labels import place_labels
from linkwl.typing import FloatArray

_COLOUR = "#d9480f"


def draw_world_map(
    places: Mapping[str, Country],
    borders: Sequence[tuple[str, str]],
    missing: Sequence[tuple[str, str, str]],
    paths: Sequence[Path],
    *,
    is_narrow: bool = False,
) -> None:
    """Draws countries at their capitals, borders in grey, and missing facts in colour with a numbered key.

    A fact about two countries is a line between them, a fact about one country is a dot; a fact about none is in the
    key alone.

    Args:
        places: The countries and territories by name.
        borders: Pairs of names.
        missing: Predicted facts (head, relation, tail), best first.
        paths: Files to write; the suffix selects the format.
        is_narrow: Whether the map is for a phone; it has no key, because the page lists the facts with their numbers.
    """
    place = dict(zip(places, _project(list(places.values())), strict=True))
    drawn = [(number, [place[name] for name in (h, t) if name in place]) for number, (h, _, t) in enumerate(missing, 1)]
    with matplotlib.rc_context({"svg.hashsalt": "linkwl", "font.size": 9 if is_narrow else 9.5}):
        size = (4.5, 2.6) if is_narrow else (10.5, 5.0 + 0.18 * -(-len(missing) // 2))
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.add_subplot()
        lines = [(place[first], place[second]) for first, second in borders]
        axes.add_collection(LineCollection(lines, colors="#8899aa", linewidths=0.7, alpha=0.6))
        x, y = np.stack(list(place.values())).T
        axes.scatter(x, y, s=8, color="#334455", linewidths=0, zorder=2)
        axes.add_collection(
            LineCollection([ends for _, ends in drawn if len(ends) == 2], colors=_COLOUR, linewidths=1.6, zorder=3)
        )
        axes.set_aspect("equal")
        axes.margins(0.02)
        axes.set_axis_off()
        axes.set_title(
            f"{len(places)} countries and territories, and the {len(missing)} likeliest missing facts",
            loc="left",
            fontsize=8.5 if is_narrow else 10,
        )
        if not is_narrow:
            axes.text(0, -0.02, _key(missing[::2], 1), transform=axes.transAxes, va="top", parse_math=False)
            axes.text(0.52, -0.02, _key(missing[1::2], 2), transform=axes.transAxes, va="top", parse_math=False)
        numbers = _numbers(drawn)
        marked = np.array(list(numbers)).reshape(-1, 2)
        axes.scatter(marked[:, 0], marked[:, 1], s=12 if is_narrow else 26, color=_COLOUR, linewidths=0, zorder=4)
        place_labels(
            axes,
            marked,
            [", ".join(map(str, found)) for found in numbers.values()],
            weight="bold",
            color="#862e00",
            zorder=5,
        )
        for path in paths:
            kind = path.suffix.lstrip(".")
            with replaced(path) as temporary:
                figure.savefig(temporary, format=kind, dpi=130, metadata={"Date": None} if kind == "svg" else None)


def _project(places: Sequence[Country]) -> FloatArray:
    """Positions on the page: the Equal Earth projection (Šavrič, Patterson, Jenny; 2018), in Earth radii."""
    longitude = np.radians([place.longitude for place in places])
    t = np.arcsin(np.sqrt(3) / 2 * np.sin(np.radians([place.latitude for place in places])))
    a, b, c, d = 1.340264, -0.081106, 0.000893, 0.003796
    x = 2 * np.sqrt(3) * longitude * np.cos(t) / (3 * (9 * d * t**8 + 7 * c * t**6 + 3 * b * t**2 + a))
    return np.stack([x, d * t**9 + c * t**7 + b * t**3 + a * t], axis=1)


def _numbers(drawn: Sequence[tuple[int, list[FloatArray]]]) -> dict[tuple[float, float], list[int]]:
    """The numbers of the facts at each place: a fact about two countries stands at the first."""
    found: dict[tuple[float, float], list[int]] = {}
    for number, ends in drawn:
        if ends:
            found.setdefault((float(ends[0][0]), float(ends[0][1])), []).append(number)
    return found


def _key(facts: Sequence[tuple[str, str, str]], first: int) -> str:
    """One line per fact, numbered by twos: the key has two columns."""
    return "\n".join(f"{first + 2 * i}  {h} – {r} – {t}" for i, (h, r, t) in enumerate(facts))
