"""The script that measures the time of our model on triples."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from linkwl.models import create_model
from triple_graphs import relatives

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("triple_limits")


def test_a_graph_is_measured(script, monkeypatch):
    short = {"training": {"max_steps": 2}}
    monkeypatch.setattr(script, "load_dataset", lambda name: relatives(30))
    monkeypatch.setattr(script, "create_model", lambda *names: create_model(*names, **short))
    monkeypatch.setattr(script, "NUM_PAIRS", 7)
    found = script.measure("relatives")
    assert list(found) == list(script.LIMITS) == list(script.UNITS)
    assert min(found.values()) > 0


def test_every_graph_has_a_column(script):
    figures = [
        {"what": f"{unit}, {name}", "value": 10.0 * k + 0.25}
        for unit in script.UNITS.values()
        for k, name in enumerate(script.GRID.datasets, start=5)
    ]
    head, _, *rows = script.markdown(figures).splitlines()
    assert head == "| | FB v1 | FB v2 | FB v3 | FB v4 | WN v1 | WN v2 | WN v3 | WN v4 |"
    assert rows[0] == "| seconds to fit | 50 | 60 | 70 | 80 | 90 | 100 | 110 | 120 |"
    assert len(rows) == 3
