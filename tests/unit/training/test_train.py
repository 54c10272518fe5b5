from __future__ import annotations

import pytest

from linkwl import create_model
from linkwl.datasets import load_airports
from linkwl.metrics import TargetScores, brier_score, calibration_error
from linkwl.models.calibration import Calibration
from linkwl.protocols import PAPER, target_scores
from linkwl.training import Trainer, train
from linkwl.training.evaluate import fold_scores
from linkwl.training.train import measure_probabilities, train_for_use


@pytest.fixture(scope="module")
def airports():
    return load_airports()


def test_a_formula_is_calibrated_with_bounded_odds(airports):
    saved = train_for_use(create_model("ra"), airports, Trainer())
    assert saved.record.steps == 0
    assert saved.record.test["auc"] > 0.9
    assert saved.calibration.slope > 0
    assert saved.calibration.most is not None
    assert (saved.record.selects, saved.record.protocol) == ("auc", PAPER.to_json())


def test_a_network_gives_log_odds_without_a_bound(toy, airports):
    assert train_for_use(toy(), airports, Trainer()).calibration.most is None


def test_probabilities_are_measured_on_the_test_fold(airports):
    saved = train_for_use(create_model("aa"), airports, Trainer(3))
    split = PAPER.apply(airports, 3)
    scores = target_scores(split.test.targets, fold_scores(saved.model, split.test))
    expected = measure_probabilities(saved.calibration, scores)
    assert {name: saved.record.test[name] for name in expected} == expected


def test_a_large_graph_is_measured_on_a_sample(airports, monkeypatch):
    whole = train_for_use(create_model("ra"), airports, Trainer()).record
    monkeypatch.setattr(train, "MOST_MEASURED", 200)
    scored = []
    monkeypatch.setattr(train, "fold_scores", lambda model, fold: scored.append(fold) or fold_scores(model, fold))
    sampled = train_for_use(create_model("ra"), airports, Trainer()).record
    assert (whole.sampled, sampled.sampled) == ({}, {"of": 301, "test": 100})
    assert [len(fold.targets.queries) for fold in scored] == [200, 200]
    test = PAPER.apply(airports, 0).test
    assert {*map(tuple, scored[1].positives)} < {*map(tuple, test.positives)}
    assert {*map(tuple, scored[1].negatives)} < {*map(tuple, test.negatives)}
    assert sampled.split == whole.split
    assert sampled.test["auc"] == pytest.approx(whole.test["auc"], abs=0.05)


def test_calibration_error_and_brier_score_assume_even_odds():
    calibration = Calibration(2.0, -1.0, prior=0.01)
    scores = TargetScores([0.9, 0.4], [0.1, 0.5])
    predicted = [calibration.probability(part, 0.5) for part in scores[:2]]
    assert measure_probabilities(calibration, scores) == {
        "brier": brier_score(*predicted),
        "ece": calibration_error(*predicted),
    }
