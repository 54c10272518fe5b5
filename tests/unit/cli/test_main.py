from __future__ import annotations

import json

import pytest

import triple_model
from linkwl import LinkPredictor


@pytest.mark.thorough
def test_demo_writes_its_report(linkwl, tmp_path):
    code, _, err = linkwl("demo", "--out", tmp_path / "demo")
    assert code == 0
    assert "the likeliest missing routes" in err
    assert (tmp_path / "demo" / "index.html").is_file()


@pytest.mark.thorough
def test_demo_of_a_knowledge_graph(linkwl, tmp_path, monkeypatch):
    triple_model.register(monkeypatch)
    monkeypatch.setattr(LinkPredictor.__init__, "__defaults__", ("toy-triple",))
    code, out, err = linkwl("demo", "--graph", "world", "--out", tmp_path / "demo", "--json", "-")
    assert code == 0
    assert "the likeliest missing facts:" in err
    assert "the likeliest missing fact of each relation:" in err
    assert json.loads(out)["graph"]["name"] == "world"
    assert (tmp_path / "demo" / "index.html").is_file()
    assert LinkPredictor.load(tmp_path / "demo" / "model").graph_.num_facts == 4035


def test_an_unknown_demo_is_refused(linkwl, tmp_path):
    code, _, err = linkwl("demo", "--graph", "moon", "--out", tmp_path / "demo")
    assert code == 2
    assert "airports" in err
    assert not (tmp_path / "demo").exists()


def test_without_a_command_help_is_shown(linkwl):
    _, out, _ = linkwl()
    assert "demo" in out
    assert "evaluate" in out
