from __future__ import annotations

import json

import pytest

from linkwl.cli.engine_option import open_engine
from linkwl.errors import InputError


def test_engines_by_name():
    assert open_engine(None) is None
    assert str(open_engine("processes:3")) == "processes:3"
    with pytest.raises(InputError, match="unknown engine 'dask'"):
        open_engine("dask")


def test_processes_give_the_numbers_of_one(linkwl_json):
    call = ("evaluate", "airports", "--model", "ra,cn", "--seeds", 3)
    one, several = (linkwl_json(*call, *engine) for engine in ((), ("--engine", "processes:2")))
    assert one["summary"] == several["summary"]
    assert [(run["model"], run["seed"]) for run in several["runs"]] == [
        (model, seed) for seed in range(3) for model in ("ra", "cn")
    ]


def test_a_ranking_is_the_same_by_any_engine(linkwl, tmp_path):
    assert linkwl("train", "airports", "--model", "ra", "--no-report", "--out", tmp_path / "m")[0] == 0
    files = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for file, engine in zip(files, ("inline", "processes:2"), strict=True):
        assert linkwl("predict", tmp_path / "m", "--top-k", 40, "--engine", engine, "--out", file)[0] == 0
    assert files[0].read_bytes() == files[1].read_bytes()


def test_an_unknown_engine_is_one_sentence(linkwl):
    code, _, err = linkwl("evaluate", "airports", "--model", "ra", "--engine", "threads")
    assert code == 2
    assert json.dumps(err).count("error:") == 1
    assert "unknown engine 'threads'" in err


def test_scores_above_a_threshold_are_written_by_any_engine(linkwl, tmp_path):
    assert linkwl("train", "airports", "--model", "ra", "--no-report", "--out", tmp_path / "m")[0] == 0
    code, _, err = linkwl("predict", tmp_path / "m", "--min-score", 0.5, "--out", tmp_path / "d")
    assert code == 0, err
    assert "pairs written to" in err
    assert sorted(file.name for file in (tmp_path / "d").iterdir()) == ["_linkwl.json", "part-00000.parquet"]
    for options, sentence in (
        (("--min-score", 1), "name it with --out"),
        (("--min-score", 1, "--out", tmp_path / "d"), "the folder is not empty"),
        (("--min-score", 1, "--top-k", 3, "--out", tmp_path / "e"), "give either --top-k K"),
        (("--min-score", 1, "--most", 3, "--out", tmp_path / "e"), "--most takes some of the candidates"),
    ):
        code, _, err = linkwl("predict", tmp_path / "m", *options)
        assert (code, sentence in " ".join(err.split())) == (2, True), err


def test_workers_are_for_gradient_descent(linkwl, tmp_path):
    code, _, err = linkwl("train", "airports", "--model", "ra", "--workers", 2, "--out", tmp_path / "m")
    assert code == 2
    assert "ra is not trained by it" in " ".join(err.split())
