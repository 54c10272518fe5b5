from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from linkwl import LinkPredictor
from linkwl.cli import predict as command
from linkwl.datasets import load_airports
from linkwl.models.calibration import Calibration


class Outcome(NamedTuple):
    code: int
    stdout: str
    stderr: str


@pytest.fixture
def ask(linkwl):
    return lambda *arguments: Outcome(*linkwl(*arguments))


@pytest.fixture(scope="module")
def predictor():
    return LinkPredictor("ra").fit(load_airports())


@pytest.fixture
def model(predictor, tmp_path):
    predictor.save(tmp_path / "m")
    return str(tmp_path / "m")


def test_the_likeliest_links_go_to_standard_output(ask, model, predictor):
    result = ask("predict", model, "--top-k", "3")
    assert result.code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == '"source","target","score","probability","rank"'
    assert [line.split(",")[:2] for line in lines[1:]] == [
        [f'"{link.source}"', f'"{link.target}"'] for link in predictor.recommend(3)
    ]
    assert "share of links among such pairs is 4.88 %" in result.stderr


@pytest.mark.parametrize("name", ["links.csv", "links.parquet"])
def test_they_go_to_a_file(ask, model, predictor, tmp_path, name):
    result = ask("predict", model, "--top-k", "7", "--for", "JNU", "--out", str(tmp_path / name))
    assert result.code == 0
    read = pq.read_table if name.endswith("parquet") else pyarrow.csv.read_csv
    assert read(tmp_path / name).to_pydict() == predictor.recommend(7, for_node="JNU").to_arrow().to_pydict()
    assert result.stdout == ""
    assert "7 pairs written" in result.stderr
    assert "WRG" in result.stderr


def test_given_pairs_keep_their_order(ask, model, predictor, tmp_path):
    (tmp_path / "pairs.csv").write_text("source,target\nJNU,WRG\nORD,ATL\nJNU,SFB\n")
    result = ask("predict", model, "--pairs", str(tmp_path / "pairs.csv"), "--prior", "0.5")
    rows = [line.split(",") for line in result.stdout.splitlines()[1:]]
    assert [row[0] for row in rows] == ['"JNU"', '"ORD"', '"JNU"']
    told = predictor.predict_proba([("JNU", "WRG"), ("ORD", "ATL"), ("JNU", "SFB")], prior=0.5)[:, 1]
    np.testing.assert_allclose([float(row[3]) for row in rows], told)
    assert "1 of the 3 pairs are already linked" in result.stderr


def test_another_graph(ask, model, tmp_path):
    (tmp_path / "edges.csv").write_text("\n".join(f"{k},{(k + 1) % 9}" for k in range(9)))
    result = ask("predict", model, "--graph", str(tmp_path / "edges.csv"), "--top-k", "100")
    assert len(result.stdout.splitlines()) == 1 + 9 * 8 / 2 - 9


def test_its_own_parquet_is_read_again(ask, model, tmp_path):
    first = ask("predict", model, "--top-k", "9", "--out", str(tmp_path / "top.parquet"))
    again = ask("predict", model, "--pairs", str(tmp_path / "top.parquet"), "--out", str(tmp_path / "again.parquet"))
    assert (first.code, again.code) == (0, 0)
    assert pq.read_table(tmp_path / "again.parquet").equals(pq.read_table(tmp_path / "top.parquet"))


def test_the_share_of_links_is_that_of_the_graph_asked_about(ask, model, tmp_path):
    (tmp_path / "ring.csv").write_text("\n".join(f"{k},{(k + 1) % 9}" for k in range(9)))
    assert "such pairs is 25 %" in ask("predict", model, "--graph", tmp_path / "ring.csv", "--top-k", "1").stderr


def test_a_node_and_itself_are_no_pair(ask, model, tmp_path):
    (tmp_path / "pairs.csv").write_text("source,target\nJNU,WRG\nJNU,JNU\n")
    result = ask("predict", model, "--pairs", str(tmp_path / "pairs.csv"))
    assert (result.code, result.stdout) == (2, "")
    assert "pairs.csv: a node has no link with itself; remove the pair of 'JNU' with itself." in result.stderr


def test_candidates(ask, model):
    result = ask("predict", model, "--top-k", "5", "--candidates", "hops:2")
    assert len(result.stdout.splitlines()) == 6
    assert "94% of the existing links would be among the candidates hops:2" in result.stderr


def test_it_says_so_when_the_way_is_long(ask, model, monkeypatch):
    monkeypatch.setattr(command, "_LONG_SECONDS", -1)
    result = ask("predict", model, "--top-k", "1")
    assert "scoring all 58,759 pairs will take about" in result.stderr
    assert "--candidates hops:3" in result.stderr
    assert "scoring all" not in ask("predict", model, "--top-k", "1", "--candidates", "hops:2").stderr


@pytest.mark.parametrize(("name", "start"), [("why.svg", b"<?xml"), ("why.png", b"\x89PNG")])
def test_an_explanation_is_drawn(ask, model, tmp_path, name, start):
    result = ask("explain", model, "--pair", "JNU", "WRG", "--picture", str(tmp_path / name))
    assert result.code == 0
    assert (tmp_path / name).read_bytes().startswith(start)
    refused = ask("explain", model, "--pair", "JNU", "WRG", "--picture", str(tmp_path / "nowhere" / name))
    assert refused.code == 2
    assert "there is no folder" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--picture", "why.jpg"], "pictures are PNG or SVG files; end the name in .png or .svg, not .jpg"),
        (["--picture", "why.svg", "--json", "why.svg"], "--json and --picture name the same file"),
        (["--features", "f.csv"], "name that graph with --graph"),
        (["--prior", "0"], "a share lies between 0 and 1"),
    ],
)
def test_explanations_that_cannot_be(ask, model, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    result = ask("explain", model, "--pair", "JNU", "WRG", *arguments)
    assert result.code == 2
    assert says in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_a_letter_that_the_font_lacks_is_no_warning(ask, tmp_path, recwarn):
    (tmp_path / "edges.csv").write_text("\n".join(f"名{k},名{(k * k + 1) % 30}" for k in range(30)))
    LinkPredictor("cn").fit(tmp_path / "edges.csv").save(tmp_path / "m")
    result = ask("explain", str(tmp_path / "m"), "--pair", "名1", "名5", "--picture", str(tmp_path / "why.png"))
    assert result.code == 0
    assert "Glyph" not in result.stderr
    assert [str(found.message) for found in recwarn if "Glyph" in str(found.message)] == []


def test_scores_that_tell_nothing_are_told_of(ask, tmp_path):
    saved = LinkPredictor("cn").fit(load_airports())
    saved.calibration_ = Calibration(0.0, 0.0, 0.5)
    saved.save(tmp_path / "m")
    for question in (
        ["predict", str(tmp_path / "m"), "--top-k", "1"],
        ["explain", str(tmp_path / "m"), "--pair", "JNU", "WRG"],
    ):
        assert "no better than chance" in ask(*question).stderr


def test_why(ask, model, tmp_path):
    result = ask("explain", model, "--pair", "JNU", "WRG", "--json", str(tmp_path / "why.json"))
    assert result.code == 0
    assert "JNU and WRG: score 0.750" in result.stderr
    told = json.loads((tmp_path / "why.json").read_text())
    assert told["pair"] == ["JNU", "WRG"]
    parts = sum(part["contribution"] for part in told["paths"])
    assert told["score"] == pytest.approx(parts + told["other_paths"] + told["nodes"])
    assert 0 < told["probability"] < 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "give either --top-k K"),
        (["--top-k", "3", "--pairs", "x.csv"], "give either --top-k K"),
        (["--pairs", "x.csv", "--for", "JNU"], "use them with --top-k"),
        (["--top-k", "0"], "the number of links must be an integer of at least 1"),
        (["--top-k", "3", "--for", "JNX"], "unknown node 'JNX'"),
        (["--top-k", "3", "--candidates", "hops:1"], "unknown candidates 'hops:1'"),
        (["--top-k", "3", "--prior", "1.5"], "a share lies between 0 and 1"),
        (["--top-k", "3", "--features", "f.csv"], "name that graph with --graph"),
        (["--top-k", "3", "--columns", "1,2,3"], "--columns is about another graph; name that graph with --graph"),
        (["--top-k", "3", "--types", "t.csv"], "--types is about another graph; name that graph with --graph"),
        (["--top-k", "3", "--out", "no/such/place.csv"], "there is no folder"),
        (["--pairs", "nowhere.csv"], "nowhere.csv"),
        (["--top-k", "3", "--out", "links.xlsx"], "rankings are written as CSV or Parquet, not .xlsx"),
        (["--top-k", "3", "--graph", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_questions_that_make_no_sense(ask, model, arguments, says):
    result = ask("predict", model, *arguments)
    assert result.code == 2
    assert says in result.stderr
    assert result.stdout == ""


def test_a_folder_without_a_model(ask, tmp_path):
    for arguments in (["predict", str(tmp_path), "--top-k", "3"], ["explain", str(tmp_path), "--pair", "a", "b"]):
        result = ask(*arguments)
        assert result.code == 2
        assert "there is no model in this folder" in result.stderr
