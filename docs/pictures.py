"""Draws the pictures of the README, the map and the report of the demonstration: ``python docs/pictures.py [DEMO]``.

DEMO is the folder of ``linkwl demo``; without it, the demonstration is run. The report is photographed by Chromium,
which must be installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

FIGURES = Path(__file__).parent / "figures"
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")


def main(demo: str | None = None) -> None:
    """Keeps a small picture of the map of the demonstration, and one of its report."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("Chromium is not installed; install it, for example with `apt-get install chromium`.")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shown = Path(demo).resolve() if demo else folder / "demo"
        if not demo:
            subprocess.run([sys.executable, "-m", "linkwl", "demo", "--out", shown], check=True)
        photograph = folder / "report.png"
        page = (shown / "index.html").as_uri()
        options = [*QUIET, f"--user-data-dir={folder / 'browser'}", "--hide-scrollbars", "--window-size=1000,1250"]
        subprocess.run([browser, *options, f"--screenshot={photograph}", page], check=True, capture_output=True)
        shrink(shown / "map.png", FIGURES / "airports.png", width=900)
        shrink(photograph, FIGURES / "report.png", width=800)


def shrink(source: Path, target: Path, *, width: int) -> None:
    """A smaller picture with few colours, which takes a fraction of the bytes."""
    with Image.open(source) as picture:
        size = (width, round(picture.height * width / picture.width))
        small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
        small.quantize(128, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(target, optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
