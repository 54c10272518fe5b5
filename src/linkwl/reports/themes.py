"""Pictures in the colours of the page: an SVG file that is light or dark as its reader prefers."""

from __future__ import annotations

import base64
import re
from pathlib import Path

DARK = {
    "#ffffff": "#14181f",  # paper
    "#000000": "#e5e9ef",
    "#334155": "#cbd5e1",  # ink
    "#334455": "#cbd5e1",
    "#94a3b8": "#76859b",  # soft
    "#64748b": "#9fb0c6",  # neither raises nor lowers
    "#8899aa": "#8494a8",
    "#0b6e99": "#4cb5e0",  # blue
    "#d9480f": "#ff8a4c",  # orange
    "#862e00": "#ffb48a",
}
"""The colours of the pictures, and what they are on a dark page."""

_BLACK = "#000000"
_COLOUR = re.compile("|".join(DARK))
_PATH = re.compile(r'(?<= d=")[^"]*(?=")')
_FINE = re.compile(r"(\.\d\d)\d+")


def picture_address(svg: str) -> str:
    """An SVG file as a data URL, with colours that follow the page.

    The colours of :data:`DARK` become variables with two values, of which the browser takes one by
    ``prefers-color-scheme``. Coordinates are rounded to a hundredth of a point, which is finer than any screen.

    Args:
        svg: What Matplotlib wrote.
    """
    drawn = _PATH.sub(lambda path: _FINE.sub(r"\1", path[0]), svg)
    drawn = _COLOUR.sub(lambda colour: f"var(--{_name(colour[0])})", drawn)
    # Black is among the used ones: a shape without a colour, such as plain text, inherits it.
    used = [colour for colour in DARK if colour in svg or colour == _BLACK]
    light, dark = (
        "".join(f"--{_name(colour)}:{shown[colour]};" for colour in used)
        for shown in ({colour: colour for colour in used}, DARK)
    )
    style = (
        f"<style>:root{{{light}fill:var(--{_name(_BLACK)})}}"
        f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}</style>"
    )
    opening = re.search(r"<svg[^>]*>", drawn)
    assert opening is not None
    whole = drawn[: opening.end()] + style + drawn[opening.end() :]
    return f"data:image/svg+xml;base64,{base64.b64encode(whole.encode()).decode()}"


def read_picture(path: Path) -> str:
    """An SVG file of Matplotlib's as :func:`picture_address` gives it."""
    return picture_address(path.read_text(encoding="utf-8"))


def _name(colour: str) -> str:
    return f"c{colour[1:]}"
