from __future__ import annotations

import numpy as np
import pytest

from linkwl.errors import InputError
from linkwl.serving import held_out
from linkwl.serving.decisions import Decision
from linkwl.serving.held_out import bins_of, measure, metrics_of, own_bins
from served import airports


def test_bins_by_hand():
    found = bins_of(np.array([0.05, 0.07, 0.95, 1.0]), [False, True, True, True])
    assert found == [
        {"low": 0.0, "high": 0.1, "predicted": pytest.approx(0.06), "observed": 0.5, "count": 2},
        {"low": 0.9, "high": 1.0, "predicted": pytest.approx(0.975), "observed": 1.0, "count": 2},
    ]


def test_links_for_later_do_not_count():
    rows = [Decision((0, -1, 1), "accepted", 0.9, ""), Decision((0, -1, 2), "later", 0.9, "")]
    assert [row["count"] for row in own_bins(rows)] == [1]
    assert own_bins(rows[1:]) == []


def test_the_interval_is_around_the_recorded_figure():
    found = measure(airports())
    low, high = found["auc"]
    assert low < airports().record_.test["auc"] < high
    metrics = metrics_of(airports(), found["auc"])
    assert [(row["low"], row["high"]) for row in metrics] == [(low, high), *[(None, None)] * (len(metrics) - 1)]
    assert {"AUC", "Brier score", "calibration error"} <= {row["label"] for row in metrics}


def test_nothing_is_told_of_links_that_were_others(monkeypatch):
    scores = held_out.held_out_scores(airports())
    monkeypatch.setattr(held_out, "held_out_scores", lambda _: scores._replace(positive=scores.negative))
    assert measure(airports()) == {"auc": None, "bins": []}


def test_nothing_is_told_if_the_links_cannot_be_found(monkeypatch):
    def fail(_):
        raise InputError("there is no such split.")

    monkeypatch.setattr(held_out, "held_out_scores", fail)
    assert measure(airports()) == {"auc": None, "bins": []}
