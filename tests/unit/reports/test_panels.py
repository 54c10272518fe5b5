from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from evaluations import SCORES, evaluation
from linkwl.metrics import reliability
from linkwl.reports import panels
from linkwl.reports.comparison import compare_runs

POSITIVE, NEGATIVE = np.array([0.9, 0.8, 0.4]), np.array([0.5, 0.1])


@pytest.fixture
def axes():
    return Figure().add_subplot()


def points(line):
    return line.get_xydata().tolist()


def test_roc(axes):
    panels.draw_roc(axes, POSITIVE, NEGATIVE, label="AUC")
    chance, curve = axes.lines
    assert points(chance) == [[0, 0], [1, 1]]
    assert points(curve) == [[0, 0], [0, 1 / 3], [0, 2 / 3], [0.5, 2 / 3], [0.5, 1], [1, 1]]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["chance", "AUC"]


def test_precision_and_recall(axes):
    panels.draw_precision_recall(axes, POSITIVE, NEGATIVE)
    chance, curve = axes.lines
    assert points(curve)[:3] == [[1 / 3, 1], [2 / 3, 1], [2 / 3, 2 / 3]]
    assert chance.get_ydata()[0] == 3 / 5


def test_reliability(axes):
    found = reliability(POSITIVE, NEGATIVE)
    panels.draw_reliability(axes, found)
    assert points(axes.lines[1]) == np.stack([found.predicted, found.true], axis=1).tolist()
    assert axes.collections[0].get_sizes().tolist() == pytest.approx((20 + 400 * found.share).tolist())


@pytest.mark.parametrize("count", [0, 1, 5, 100])
def test_losses_are_smoothed(axes, count):
    losses = np.linspace(1, 2, count).tolist()
    panels.draw_losses(axes, losses)
    every, means = axes.lines
    assert len(points(every)) == count
    assert len(points(means)) == (0 if count == 0 else max(count - 20, 1))
    if count:
        assert np.mean(means.get_ydata()) == pytest.approx(np.mean(losses))


def test_validation(axes):
    panels.draw_validation(axes, [(5, 0.5), (10, 0.75)], 10, "AUC")
    curve, best = axes.lines
    assert points(curve) == [[5, 0.5], [10, 0.75]]
    assert best.get_xdata()[0] == 10
    assert axes.get_title() == "AUC on validation"


def test_standings(axes):
    comparison = compare_runs(evaluation())
    colours = panels.draw_standings(axes, comparison)
    assert [label.get_text() for label in axes.get_yticklabels()][0].endswith("(walk-2fwl)")
    assert axes.yaxis_inverted()
    assert len(set(colours)) == 3  # the best, one that ties, one that does not
    (only,) = panels.draw_standings(Figure().add_subplot(), compare_runs(evaluation({"cn": SCORES["cn"]}, splits=1)))
    assert only == colours[0]
