from __future__ import annotations

import pytest


@pytest.fixture
def ring(tmp_path):
    file = tmp_path / "ring.csv"
    rows = "".join(f"n{v},n{(v + step) % 60},{1 + v % 3}\n" for v in range(60) for step in (1, 2, 5))
    file.write_text(f"source,target,weight\n{rows}")
    return file


def test_all_commands_take_the_folder(linkwl, linkwl_json, ring, tmp_path):
    written = linkwl_json("convert", ring, tmp_path / "graph", "--weight", "weight")
    assert written["graph"]["edges"] == 180
    assert written["bytes"] == sum(path.stat().st_size for path in (tmp_path / "graph").iterdir())
    options = ("--model", "ra,ppr", "--seeds", "2")
    first = linkwl_json("evaluate", ring, "--weight", "weight", *options)
    second = linkwl_json("evaluate", tmp_path / "graph", *options)
    assert first["graph"] == second["graph"]
    assert second["graph"] == written["graph"]
    assert first["summary"] == second["summary"]
    assert linkwl("train", tmp_path / "graph", "--model", "ra", "--out", tmp_path / "model")[0] == 0
    assert linkwl("predict", tmp_path / "model", "--graph", tmp_path / "graph", "--top-k", "3")[0] == 0
    assert linkwl("audit", tmp_path / "graph")[0] == 0
    assert linkwl("inspect", tmp_path / "graph")[0] == 0


def test_nothing_is_overwritten_and_triples_are_refused(linkwl, ring, tmp_path):
    code, _, err = linkwl("convert", ring, tmp_path / "graph")
    assert code == 0
    assert "60 nodes, 180 edges" in err
    code, _, err = linkwl("convert", ring, tmp_path / "graph")
    assert code == 2
    assert "not an empty folder; choose another name" in err
    code, _, err = linkwl("convert", "world", tmp_path / "other")
    assert code == 2
    assert "holds triples" in err
    assert not (tmp_path / "other").exists()
