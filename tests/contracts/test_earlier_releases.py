"""Folders that earlier releases wrote load, and predict the same to the bit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from linkwl import LinkPredictor

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
RELEASES = sorted(FIXTURES.glob("release-*"))
CASES = [(release, model) for release in RELEASES for model in json.loads((release / "expected.json").read_text())]


@pytest.mark.parametrize(("release", "model"), CASES, ids=lambda value: getattr(value, "name", value))
def test_a_folder_of_an_earlier_release_predicts_the_same(release, model):
    expected = json.loads((release / "expected.json").read_text())[model]["links"]
    ranking = LinkPredictor.load(release / model).recommend(len(expected))
    found = [[link.source, link.target, link.score.hex(), link.probability.hex()] for link in ranking]
    assert found == expected


@pytest.mark.parametrize(("release", "model"), CASES, ids=lambda value: getattr(value, "name", value))
def test_a_folder_of_an_earlier_release_can_be_saved_again(release, model, tmp_path):
    predictor = LinkPredictor.load(release / model)
    predictor.save(tmp_path / "again")
    again = LinkPredictor.load(tmp_path / "again")
    assert [tuple(link) for link in again.recommend(5)] == [tuple(link) for link in predictor.recommend(5)]
