"""Makes the pictures of the page: ``python docs/serve_pictures.py`` writes ``docs/figures/serve-*.png``.

The airports, a chosen pair, and a phone. Needs Chromium, ``linkwl[serve]``, and the page (``make page``).
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "docs" / "figures"
COLOURS = 256
"""Of a picture; more make a larger file, and no difference that can be seen."""
_LIST = "document.querySelectorAll('.ranked tbody tr').length"
_DRAWN = "document.querySelector('.drawing-panel')?.dataset.state === 'ready'"
_EXPLAINED = "document.querySelectorAll('.waterfall .fall-value').length > 2"


class Picture(NamedTuple):
    """A picture: its file, what the address holds, the window, and when the page is ready."""

    name: str
    state: str
    width: int
    height: int
    dark: bool
    ready: str


PICTURES = (
    Picture("serve-airports", "", 1280, 860, False, f"{_LIST} && {_DRAWN}"),
    Picture("serve-pair", "#pair=162-211", 1280, 960, True, f"{_EXPLAINED} && {_DRAWN}"),
    Picture("serve-phone", "#pair=162-211&tab=pair", 390, 760, False, _EXPLAINED),
)


def take_pictures(address: str, folder: Path) -> None:
    """Writes all pictures.

    Args:
        address: Of the server.
        folder: For the pictures.
    """
    from browser import Browser, find_browser

    program = find_browser()
    if program is None:
        raise SystemExit("there is no browser here; install Debian's chromium.")
    with Browser(program) as browser, TemporaryDirectory() as scratch:
        for name, state, width, height, dark, ready in PICTURES:
            page = browser.open(f"{address}{state}", width=width, height=height, dark=dark, still=True)
            page.wait_until(ready)
            page.pause(1.5)  # until the labels of the drawing have come
            shot = Path(scratch) / f"{name}.png"
            page.save_screenshot(shot, height=height)
            with Image.open(shot) as picture:
                few = picture.convert("RGB").quantize(
                    COLOURS, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE
                )
                few.save(folder / shot.name, optimize=True)


def main() -> None:
    """Starts the server with the model of the airports, and makes the pictures."""
    sys.path.insert(0, str(ROOT / "tests"))
    import page_server

    with TemporaryDirectory() as folder, page_server.serve(Path(folder)) as address:
        take_pictures(address, FIGURES)


if __name__ == "__main__":
    main()
