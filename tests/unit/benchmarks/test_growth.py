"""The script that measures how time and memory grow with a graph."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import linkwl

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"


@pytest.fixture
def growth(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("growth")


def test_the_table_is_written_in_chunks_and_has_hubs(growth, monkeypatch, tmp_path):
    whole, parts = tmp_path / "whole.parquet", tmp_path / "parts.parquet"
    assert growth.write(5000, whole)["rows"] == 5000
    monkeypatch.setattr(growth, "CHUNK", 1024)
    growth.write(5000, parts)
    assert pq.ParquetFile(parts).num_row_groups == 5
    graph = linkwl.load_graph(whole, directed=False)
    assert 4000 < graph.num_edges < 5000
    assert graph.degree.max() > 5 * graph.degree.mean()


@pytest.mark.thorough
def test_a_step_is_measured_in_a_process_of_its_own(growth, tmp_path):
    written = growth.measure("write", 2000, tmp_path)
    assert (written["step"], written["size"], written["rows"]) == ("write", 2000, 2000)
    assert 0.01 < written["gigabytes"] < 5
    growth.measure("convert", 2000, tmp_path)
    assert growth.measure("open", 2000, tmp_path)["nodes"] == 200
    with pytest.raises(SystemExit, match="rank with 2000 rows failed with exit code"):
        growth.measure("rank", 2000, tmp_path)  # there is no model yet


def test_the_table_of_the_record_has_a_row_for_each_size(growth):
    figures = [
        {"step": "convert", "size": 1000, "value": 1.234, "gigabytes": 0.256},
        {"step": "open", "size": 1000, "value": 0.5, "gigabytes": 0.1, "edges": 990},
        {"step": "convert", "size": 5000, "value": 123.4, "gigabytes": 12.0},
    ]
    assert growth.markdown(figures).splitlines() == [
        "| edges | `linkwl convert` | open |",
        "| --: | --: | --: |",
        "| 990 | 1.23 s, 0.26 GB | 0.5 s, 0.1 GB |",
        "| 5,000 | 123 s, 12 GB | – |",
    ]


def test_what_is_on_record_is_not_measured_again(growth, monkeypatch, tmp_path):
    record, measured = tmp_path / "growth.json", []
    monkeypatch.setattr(growth, "RECORD", record)

    def measure(step, size, place):
        measured.append(step)
        return {"step": step, "size": size, "value": float(len(measured)), "gigabytes": 1.0, "elapsed": 1.0}

    monkeypatch.setattr(growth, "measure", measure)
    monkeypatch.setattr("sys.argv", ["growth.py", "1000", "--upto", "open"])
    growth.main()
    growth.main()
    assert measured == ["write", "convert", "open"]
    monkeypatch.setattr("sys.argv", ["growth.py", "1000", "--upto", "split"])
    growth.main()
    assert measured[3:] == ["write", "convert", "open", "split"]  # the files are needed again
    kept = json.loads(record.read_text())["figures"]
    assert [(figure["step"], figure["value"]) for figure in kept] == [
        ("write", 1.0),
        ("convert", 2.0),
        ("open", 3.0),
        ("split", 7.0),
    ]
