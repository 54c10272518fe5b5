"""The README tells the truth: its code runs, its numbers are in records, its commands exist."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest

from linkwl.benchmark.collect import collect_scores
from linkwl.benchmark.collect_times import TIME, collect_times
from linkwl.benchmark.grid import GRIDS
from linkwl.cli.main import app
from linkwl.datasets import CATALOGUE
from linkwl.records import Evaluation
from linkwl.reports.benchmark_table import scores_rows_markdown
from linkwl.reports.benchmark_time import times_rows_markdown
from linkwl.reports.tables import results_markdown

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ORDER = [name for name in CATALOGUE if name != "airports"]


def test_its_python_runs(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    for line in re.findall(r"^# (.+)$", blocks[0], flags=re.MULTILINE):
        assert line in printed


def test_its_table_is_drawn_from_the_records():
    records = [ROOT / "results" / "heuristics" / f"{name}.json" for name in ORDER]
    table = results_markdown([Evaluation.from_json(path.read_text()) for path in records])
    assert table in README


@pytest.mark.parametrize("name", ["table1", "table2"])
def test_its_tables_of_networks_are_drawn_from_the_records(name):
    assert scores_rows_markdown(collect_scores(GRIDS[name], ROOT / "results")) in README


def test_its_table_of_times_is_drawn_from_the_records():
    assert times_rows_markdown(collect_times(ROOT / "results" / TIME)) in README


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")
def test_its_table_of_speeds_is_drawn_from_the_record(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    networks = importlib.import_module("networks")
    figures = json.loads((ROOT / "benchmarks" / "results" / "networks.json").read_text())["figures"]
    assert networks.speeds_markdown(figures) in README


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")
@pytest.mark.parametrize("name", ["outside", "limits"])
def test_its_other_tables_are_drawn_from_the_records(monkeypatch, name):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    benchmark = importlib.import_module(name)
    assert benchmark.markdown(json.loads(benchmark.RECORD.read_text())["figures"]) in README


@pytest.mark.parametrize("name", ["read_csv", "split", "common_neighbours", "wl"])
def test_its_speeds_are_in_the_benchmark_records(name):
    figures = json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text())["figures"]
    told = figures if name in ("read_csv", "wl") else figures[:1]
    for figure in told:
        unit = "GB" if "gigabytes" in figure["what"] else "times"
        assert f"{figure['value']:.1f} {unit}" in README


def test_its_commands_exist():
    known = {command.name or command.callback.__name__ for command in app.registered_commands}
    known |= {group.name for group in app.registered_groups}
    named = set(re.findall(r"^linkwl (\w+)", README, flags=re.MULTILINE))
    assert named
    assert named <= known
