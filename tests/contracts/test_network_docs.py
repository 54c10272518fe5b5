"""The page about the networks tells the truth: its code runs, and it names every model and layer."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest

from linkwl import nn

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "networks.md").read_text(encoding="utf-8")


def test_its_python_runs_and_prints_what_it_says(capsys):
    blocks = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    assert len(blocks) >= 2
    for block in blocks:
        exec(compile(block, "networks.md", "exec"), {})
        printed = capsys.readouterr().out
        assert re.findall(r"^# (.+)$", block, flags=re.MULTILINE) == printed.splitlines()


def test_the_layers_it_names_exist():
    named = set(re.findall(r"`(\w+Conv)`", PAGE))
    assert named == {"LocalTwoWLConv", "TwoWLConv", "LocalTwoFWLConv", "TwoFWLConv"}
    assert named <= set(nn.__all__)


@pytest.mark.parametrize("name", ["recipe", "parts"])
def test_its_tables_are_drawn_from_the_records(monkeypatch, name):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    benchmark = importlib.import_module(name)
    assert benchmark.markdown(json.loads(benchmark.RECORD.read_text())["figures"]) in PAGE
