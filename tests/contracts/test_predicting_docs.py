"""The page on predicting tells the truth: its Python runs from top to bottom and prints what it says."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest

from linkwl.cli.main import app

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "predicting.md").read_text(encoding="utf-8")


def test_its_python_prints_what_it_says(capsys):
    blocks = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(compile("\n".join(blocks), "predicting.md", "exec"), {})
    said = re.findall(r"^# (.+)$", "\n".join(blocks), flags=re.MULTILINE)
    assert capsys.readouterr().out.splitlines() == said
    assert len(said) == 8


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")
@pytest.mark.parametrize("name", ["calibration", "recovered", "ranking"])
def test_its_tables_are_drawn_from_the_records(monkeypatch, name):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    benchmark = importlib.import_module(name)
    assert benchmark.markdown(json.loads(benchmark.RECORD.read_text())["figures"]) in PAGE


def test_its_commands_exist():
    known = {command.name or command.callback.__name__ for command in app.registered_commands}
    named = set(re.findall(r"^linkwl (\w+)", PAGE, flags=re.MULTILINE))
    assert {"train", "predict", "explain"} == named <= known
