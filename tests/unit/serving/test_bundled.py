from __future__ import annotations

import pytest

import linkwl
from linkwl.predict.held_out import held_out_scores
from linkwl.serving.bundled import AIRPORTS

MOST_BYTES = 1 << 20


@pytest.fixture(scope="module")
def predictor():
    return linkwl.LinkPredictor.load(AIRPORTS)


def test_it_is_small_and_only_a_model():
    files = {file.name: file.stat().st_size for file in AIRPORTS.iterdir()}
    assert sum(files.values()) < MOST_BYTES
    assert set(files) == {
        "calibration.json",
        "config.json",
        "graph.safetensors",
        "model.safetensors",
        "nodes.parquet",
        "record.json",
        "sha256.json",
    }


def test_its_graph_is_the_embedded_one(predictor):
    graph = linkwl.load_dataset("airports")
    assert predictor.graph_.digest == graph.digest == predictor.record_.graph.digest


def test_its_settings_are_the_defaults(predictor):
    assert (predictor.model_.id, predictor.seed) == ("walk-2fwl", 0)
    assert predictor.model_.config == linkwl.create_model("walk-2fwl").config


def test_its_recorded_figure_is_what_scoring_gives(predictor):
    scores = held_out_scores(predictor)
    assert linkwl.metrics.auc(scores.positive, scores.negative) == pytest.approx(
        predictor.record_.test["auc"], abs=1e-6
    )
