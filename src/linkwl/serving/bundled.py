"""The model that is part of the package: walk 2-FWL with its default settings, trained on the airports."""

from __future__ import annotations

from pathlib import Path

AIRPORTS = Path(__file__).parent / "airports"
"""The folder of the model; ``benchmarks/airports_model.py`` makes it."""
