"""Builds the reference of the Python interface from the docstrings: ``python docs/reference.py FOLDER``."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import pdoc

import linkwl.datasets
import linkwl.models
import linkwl.predict
import linkwl.training

PARTS = (
    "graph",
    "datasets",
    "engine",
    "splits",
    "metrics",
    "protocols",
    "models",
    "nn",
    "sparse",
    "wl",
    "storage",
    "training",
    "predict",
)


def build(folder: Path) -> None:
    """Writes a page for every module."""
    for package in (linkwl, linkwl.datasets, linkwl.models, linkwl.predict, linkwl.training):
        for name in package.__all__:  # some are imported when they are first asked for
            setattr(package, name, getattr(package, name))
    pdoc.render.configure(docformat="google", math=True)
    # The fields of named tuples are annotated by names that only their own module knows.
    warnings.filterwarnings("ignore", "Error parsing type annotation")
    pdoc.pdoc("linkwl", *(f"linkwl.{part}" for part in PARTS), output_directory=folder)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
