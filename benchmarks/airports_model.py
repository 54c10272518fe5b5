"""Trains the model that `linkwl serve` shows without a folder, and writes it into the package.

::

    python benchmarks/airports_model.py
"""

from __future__ import annotations

import shutil

import linkwl
from linkwl.serving.bundled import AIRPORTS


def main() -> None:
    """Replaces the folder of the model."""
    shutil.rmtree(AIRPORTS, ignore_errors=True)
    origin = {"graph": "airports", "features": None}
    predictor = linkwl.LinkPredictor("walk-2fwl").fit(linkwl.load_dataset("airports"), origin=origin)
    predictor.save(AIRPORTS)
    size = sum(file.stat().st_size for file in AIRPORTS.iterdir())
    print(f"wrote {AIRPORTS.name}: {size / 1e6:.2f} MB, AUC {predictor.record_.test['auc']:.4f} on held-out routes")


if __name__ == "__main__":
    main()
