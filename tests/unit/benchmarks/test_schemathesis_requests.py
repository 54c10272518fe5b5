"""The benchmark that lets schemathesis send requests: what it is asked to do, and how its reports are counted."""

from __future__ import annotations

import base64
import json
from importlib import import_module
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(PROJECT / "benchmarks"))
    return import_module("schemathesis_requests")


def event(number, mode, response):
    case = {"value": {"meta": {"generation": {"mode": mode}}}}
    recorder = {"cases": {number: case}, "interactions": {number: {"response": response}}}
    return json.dumps({"ScenarioFinished": {"recorder": recorder}})


def report(failures=(), tested=21):
    return {
        "schemathesis_version": "4.0",
        "operations": {"total": 21, "tested": tested},
        "errors": [],
        "failures": [{"title": title, "count": count} for title, count in failures],
    }


def test_requests_are_found_among_the_events(script):
    answer = {"status_code": 422, "content": {"$base64": base64.b64encode(b"{}").decode()}}
    skipped = json.dumps({"ScenarioFinished": {"recorder": {"label": "GET /api/health"}}})
    lines = ['{"EngineStarted": {}}', skipped, event("a", "negative", answer), event("b", "positive", None)]
    assert list(script.exchanges(lines)) == [("negative", 422, b"{}"), ("positive", 0, b"")]


def test_answers_are_counted(script):
    rows = [("positive", 200, b"{}"), ("negative", 422, b""), ("negative", 500, b"Traceback (most recent call last)")]
    sent = [script.Exchange(*row) for row in rows]
    failures = [("Undocumented Content-Type", 2), ("Server error", 1)]
    found = script.figures_of(sent, report(failures, tested=20), is_alive=True)
    assert [figure["value"] for figure in found] == [3, 1, 1, 1, 3]
    assert found[0]["modes"] == {"negative": 2, "positive": 1}
    assert found[1]["answers"] == {"200": 1, "422": 1, "500": 1}
    assert found[-1]["found"] == dict(failures)


def test_a_server_that_has_ended_is_a_failure(script):
    assert script.figures_of([], report(), is_alive=False)[1]["value"] == 1


def test_only_this_machine_is_asked_with_the_header_of_writes_and_one_seed(script, tmp_path):
    found = script.options(1234, 30, tmp_path)
    assert [part for part in found if "://" in part] == ["http://127.0.0.1:1234/api/openapi.json"]
    pairs = set(zip(found, found[1:], strict=False))
    assert pairs >= {("--header", "X-Linkwl: 1"), ("--seed", "0"), ("--mode", "all"), ("--max-time", "30")}


def test_a_missing_command_is_named(script, monkeypatch, tmp_path):
    monkeypatch.setattr(script.sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=r"schemathesis is not installed; run `pip install .*schemathesis\.txt`"):
        script.command()


def test_the_record_keeps_to_its_limits(script):
    record = json.loads((PROJECT / "benchmarks" / "results" / "schemathesis_requests.json").read_text())
    sent, *others = record["figures"]
    assert sent["value"] >= script.REQUESTS
    assert set(sent["modes"]) == {"negative", "positive"}
    assert [figure["value"] for figure in others if "at_most" in figure] == [0, 0, 0]
    pins = (PROJECT / "benchmarks" / "schemathesis.txt").read_text()
    assert pins == f"schemathesis=={sent['version']}\n"
