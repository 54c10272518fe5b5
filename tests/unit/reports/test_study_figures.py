from __future__ import annotations

from dataclasses import replace

import pytest

from linkwl.reports.study_figures import draw_history, draw_importance, draw_slices
from studies import DEFAULTS, SPACE, study_of_twelve


def test_the_history_shows_whole_trials_those_that_ended_early_and_the_best_so_far():
    study = study_of_twelve()
    (axes,) = draw_history(study, "AUC").axes
    whole, early = (points.get_offsets() for points in axes.collections)
    assert len(whole) == 10
    assert early.tolist() == [[7, 25]]
    best = axes.lines[0].get_ydata()
    assert list(best) == sorted(best)
    assert best[-1] == pytest.approx(100 * study.best.value)
    assert axes.get_ylabel() == "AUC %"


def test_a_study_without_a_result_can_be_drawn():
    study = study_of_twelve()
    for trials in ((study.trials[4],), ()):
        (axes,) = draw_history(replace(study, trials=trials), "AUC").axes
        assert len(axes.lines[0].get_ydata()) == 0


def test_bars_are_in_the_order_of_importance():
    (axes,) = draw_importance({"rate": 0.75, "share": 0.25}).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["rate", "share"]
    assert [bar.get_width() for bar in axes.patches] == [75, 25]
    assert axes.yaxis_inverted()


def test_slices_show_every_setting_that_varies():
    study = study_of_twelve()
    pictures = draw_slices(study, "AUC", ["group.rate", "kind", "group.share"], SPACE)
    assert list(pictures) == ["group.rate", "kind", "group.share"]
    rate, kind, share = (picture.axes[0] for picture in pictures.values())
    assert [axes.get_xlabel() for axes in (rate, kind, share)] == ["group.rate", "kind", "group.share"]
    assert [axes.get_xscale() for axes in (rate, kind, share)] == ["log", "linear", "linear"]
    assert [label.get_text() for label in kind.get_xticklabels()] == ["<b>", "None", "a"]
    points, best = (found.get_offsets() for found in share.collections)
    assert len(points) == 10
    assert points[0].tolist() == [DEFAULTS["group"]["share"], 50]
    assert best[0][1] == pytest.approx(100 * study.best.value)


def test_nothing_varies_in_the_defaults_alone():
    study = study_of_twelve()
    assert draw_slices(replace(study, trials=study.trials[:1]), "AUC", list(SPACE), SPACE) == {}
