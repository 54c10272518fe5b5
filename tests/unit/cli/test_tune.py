from __future__ import annotations

import json
import tomllib

import pytest

pytest.importorskip("optuna")


@pytest.fixture
def ring(tmp_path):
    """A ring of 60 nodes with chords, as a file."""
    file = tmp_path / "ring.csv"
    file.write_text("".join(f"n{v},n{(v + step) % 60}\n" for v in range(60) for step in (1, 2, 5)))
    return file


def test_a_study_is_recorded_and_its_best_settings_can_be_used(linkwl, linkwl_json, ring, tmp_path):
    call = ("tune", ring, "--model", "mf", "--trials", "3", "--confirm", "2", "--out", tmp_path / "study")
    study = linkwl_json(*call)
    assert [trial["origin"] for trial in study["trials"]] == ["default", "drawn", "drawn"]
    line = json.loads((tmp_path / "study" / "mf.jsonl").read_text())
    assert line["trials"] == study["trials"]
    best = tomllib.loads((tmp_path / "study" / "best.toml").read_text())
    assert best == {"mf": study["best"]}
    assert study["search"] == {"sampler": "tpe", "width": 4, "is_pruned": True}
    assert study["confirmation"]["seeds"] == [100, 101]
    assert "<title>Settings of mf on ring</title>" in (tmp_path / "study" / "mf.html").read_text()
    runs = linkwl_json("evaluate", ring, "-m", "mf", "--seeds", "1", "--config", tmp_path / "study" / "best.toml")
    for name, value in study["best"].items():
        config = runs["runs"][0]["config"][name]
        assert config == value or config.items() >= value.items()


def test_the_same_command_goes_on(linkwl, linkwl_json, ring, tmp_path):
    call = ("tune", ring, "--model", "mf", "--confirm", "0", "--out", tmp_path / "study")
    first = linkwl_json(*call, "--trials", "2")
    more = linkwl_json(*call, "--trials", "3")
    assert more["trials"][:2] == first["trials"]
    assert len(more["trials"]) == 3
    code, _, err = linkwl(*call, "--trials", "3")
    assert code == 0
    assert "3 trials of mf on ring" in err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--model", "cn"), "cn has no settings to tune"),
        (("--model", "mff"), "no model named"),
        (("--minutes", "0"), "expected a number above 0"),
        (("--sampler", "grid"), "unknown sampler 'grid'"),
        (("--engine", "process:2"), "unknown engine"),
        (("--model", "mf", "--storage", "mysql://root@host/x"), "expected a file"),
    ],
)
def test_bad_options_are_one_sentence(linkwl, ring, tmp_path, options, sentence):
    code, _, err = linkwl("tune", ring, "--out", tmp_path / "study", *options)
    assert code == 2
    assert sentence.split()[0] in err
    assert err.count("\n") == 1


def test_a_folder_holds_models_of_one_graph(linkwl, ring, tmp_path):
    for model in ("mf", "vgae"):
        assert (
            linkwl("tune", ring, "--model", model, "--trials", "1", "--confirm", "0", "--out", tmp_path / "study")[0]
            == 0
        )
    text = (tmp_path / "study" / "best.toml").read_text()
    assert tomllib.loads(text) == {"mf": {}, "vgae": {}}
    assert text.startswith("# Best settings on ring")
    ring.write_text(ring.read_text() + "n0,n30\n")
    code, _, err = linkwl("tune", ring, "--model", "gcn", "--trials", "2", "--out", tmp_path / "study")
    assert code == 2
    assert "holds a study of mf on ring" in err
    assert (tmp_path / "study" / "best.toml").read_text() == text


def test_time_that_is_over_is_said(linkwl, ring, tmp_path):
    code, _, err = linkwl(
        "tune", ring, "--model", "mf", "--minutes", "0.0001", "--confirm", "0", "--out", tmp_path / "study"
    )
    assert code == 0
    assert "4 trials, then 0.0001 CPU minutes were over," in err


@pytest.mark.parametrize("storage", ["trials.log", "trials.db", "trials.jsonl"])
def test_a_lost_folder_is_restored_from_the_storage(linkwl_json, ring, tmp_path, storage):
    call = ("tune", ring, "--model", "mf", "--trials", "2", "--splits", "1", "--confirm", "1")
    call = (*call, "--storage", tmp_path / storage)
    first = linkwl_json(*call, "--out", tmp_path / "study")
    again = linkwl_json(*call, "--out", tmp_path / "other")
    assert again == first
    assert (tmp_path / "other" / "best.toml").read_text() == (tmp_path / "study" / "best.toml").read_text()


def test_a_study_keeps_its_search_unless_another_is_given(linkwl, linkwl_json, ring, tmp_path):
    call = ("tune", ring, "--model", "mf", "--confirm", "0", "--out", tmp_path / "study")
    options = ("--sampler", "random", "--wave", "2", "--no-prune", "--splits", "1")
    linkwl_json(*call, "--trials", "1", *options)
    more = linkwl_json(*call, "--trials", "2")
    assert more["search"] == {"sampler": "random", "width": 2, "is_pruned": False}
    assert (more["splits"], len(more["trials"])) == (1, 2)
    code, _, err = linkwl(*call, "--trials", "3", "--wave", "3")
    assert code == 2
    assert "has waves of 2, the sampler random, 1 splits a trial and no pruning" in err
