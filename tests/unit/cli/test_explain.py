from __future__ import annotations

import json

import pytest

import triple_model


@pytest.fixture(scope="module")
def folder(fact_predictor, tmp_path_factory):
    place = tmp_path_factory.mktemp("model") / "m"
    with pytest.MonkeyPatch.context() as patch:
        triple_model.register(patch)
        fact_predictor.save(place)
    return place


@pytest.fixture(autouse=True)
def known(monkeypatch):
    triple_model.register(monkeypatch)


def test_why_a_fact(linkwl, folder, tmp_path):
    code, _, err = linkwl("explain", folder, "--triple", 2, "child of", 0, "--json", tmp_path / "why.json")
    assert code == 0
    assert "2 -child of-> 0: score" in err
    assert "2 <-parent of- 0" in err
    assert "X <-parent of- Y  =>  X child of Y: holds for 239 of 240 such paths, 100%" in err
    assert "probabilities assume" in err
    found = json.loads((tmp_path / "why.json").read_text())
    assert found["triple"] == [2, "child of", 0]
    parts = sum(part["contribution"] for part in found["groups"])
    assert found["score"] == pytest.approx(found["baseline"] + parts, abs=1e-9)
    assert 0 < found["probability"] < 1


@pytest.mark.parametrize(("name", "start"), [("why.svg", b"<?xml"), ("why.png", b"\x89PNG")])
def test_a_fact_is_drawn(linkwl, folder, tmp_path, name, start):
    code, _, _ = linkwl("explain", folder, "--triple", 2, "child of", 0, "--picture", tmp_path / name)
    assert code == 0
    assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--triple", 2, "child off", 0], "unknown relation 'child off'; did you mean 'child of'"),
        (["--triple", 2, "child of", 2], "'2' is both ends: a fact about itself has no paths"),
        (["--pair", 2, 0], "is a graph of triples: explain a fact with --triple H R T instead of --pair"),
        (["--pair", 2, 0, "--triple", 2, "child of", 0], "give either --pair A B, or --triple H R T"),
    ],
)
def test_what_cannot_be_explained(linkwl, folder, arguments, says):
    code, _, err = linkwl("explain", folder, *arguments)
    assert code == 2
    assert says in " ".join(err.split())
