from __future__ import annotations

import numpy as np
import pytest

from linkwl.metrics import auc, reliability, roc_curve
from linkwl.reports import accuracy_figures as figures

POSITIVE, NEGATIVE, HARD = np.array([3.0, 2.0, 1.0]), np.array([0.0, 1.5, -1.0, 0.2]), np.array([2.5, 0.1])


def lines(figure):
    (axes,) = figure.axes
    return {line.get_label(): line.get_xydata() for line in axes.get_lines()}


def test_both_kinds_of_negatives_are_drawn():
    drawn = lines(figures.roc_plot(POSITIVE, NEGATIVE, HARD))
    assert set(drawn) == {"chance", "random negatives", "hard negatives"}
    assert drawn["random negatives"].T.tolist() == [list(part) for part in roc_curve(POSITIVE, NEGATIVE)]
    x, y = drawn["hard negatives"].T
    assert np.trapezoid(y, x) == pytest.approx(auc(POSITIVE, HARD))


@pytest.mark.parametrize("plot", [figures.roc_plot, figures.precision_recall_plot])
def test_without_hard_negatives_there_is_one_curve(plot):
    assert set(lines(plot(POSITIVE, NEGATIVE))) == {"chance", "random negatives"}


def test_chance_is_the_share_of_links():
    chance = lines(figures.precision_recall_plot(POSITIVE, NEGATIVE))["chance"]
    assert chance[:, 1].tolist() == [3 / 7, 3 / 7]


def test_reliability_is_that_of_the_metric():
    found = reliability(np.array([0.9, 0.95, 0.4]), np.array([0.1, 0.4]))
    (axes,) = figures.reliability_plot(found).axes
    assert axes.collections[0].get_offsets().tolist() == np.stack([found.predicted, found.true], axis=1).tolist()


def test_bars_add_up_to_one_on_either_side():
    (axes,) = figures.probability_plot(np.array([0.9, 0.95, 1.0]), np.array([0.0, 0.4])).axes
    heights = np.array([bar.get_height() for bar in axes.patches])
    assert heights[heights > 0].sum() == pytest.approx(1)
    assert heights[heights < 0].sum() == pytest.approx(-1)


def test_the_best_step_is_marked():
    drawn = lines(figures.validation_plot([(10, 0.5), (20, 0.8)], 20, "AUC"))
    assert drawn["best: step 20"][:, 0].tolist() == [20, 20]


def test_the_loss_and_its_mean():
    drawn = lines(figures.loss_plot([1.0, 2.0, 3.0]))
    assert drawn["each step"].tolist() == [[1, 1], [2, 2], [3, 3]]
    assert drawn["running mean"].tolist() == [[2, 2]]
    assert lines(figures.loss_plot([]))["each step"].shape == (0, 2)
