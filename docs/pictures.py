"""Makes the picture of the map in the README: ``python docs/pictures.py DEMO`` with the folder of ``linkwl demo``."""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

OUT = Path(__file__).resolve().parent / "figures" / "airports.png"
WIDTH = 900


def main(demo: str) -> None:
    """A smaller map with few colours, which takes a fraction of the bytes."""
    with Image.open(Path(demo) / "map.png") as picture:
        size = (WIDTH, round(picture.height * WIDTH / picture.width))
        small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
        small.quantize(128, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(OUT, optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
