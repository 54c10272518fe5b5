"""Makes the picture of a report in the README: ``python docs/screenshot.py [PAGE]`` writes ``docs/figures/report.png``.

Without a page, ``linkwl demo`` makes one first, which takes a minute. Needs Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

OUT = Path(__file__).resolve().parent / "figures" / "report.png"
WIDTH, HEIGHT = 1000, 1240
COLOURS = 160
"""Of the picture; more make a larger file, and no difference that can be seen."""


def take_screenshot(page: Path, out: Path) -> None:
    """Writes the upper part of a page, on a light screen, as a PNG file with few colours.

    Args:
        page: The page.
        out: The picture.
    """
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        raise SystemExit("there is no browser here; install Debian's chromium.")
    with TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        shot = Path(scratch) / "page.png"
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--disable-background-networking",
        ]
        options += [f"--user-data-dir={scratch}/profile", f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={shot}"]
        subprocess.run([program, *options, page.resolve().as_uri()], check=True, capture_output=True, timeout=300)
        with Image.open(shot) as picture:
            few = picture.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
            few.save(out, optimize=True)


def main() -> None:
    """Makes the page if there is none, and the picture."""
    if len(sys.argv) > 1:
        take_screenshot(Path(sys.argv[1]), OUT)
        return
    with TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "linkwl", "demo", "--out", folder], check=True)
        take_screenshot(Path(folder) / "index.html", OUT)


if __name__ == "__main__":
    main()
