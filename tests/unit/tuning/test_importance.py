from __future__ import annotations

from dataclasses import replace

import pytest

from linkwl.tuning.importance import importance_of_settings
from studies import SPACE, study_of_twelve

pytest.importorskip("optuna")


def test_the_setting_that_decides_comes_first():
    shares = importance_of_settings(study_of_twelve(), SPACE)
    assert list(shares)[0] == "group.share"
    assert set(shares) == set(SPACE)
    assert sum(shares.values()) == pytest.approx(1.0)


def test_few_or_equal_trials_say_nothing():
    study = study_of_twelve()
    assert importance_of_settings(replace(study, trials=study.trials[:7]), SPACE) == {}
    equal = tuple(replace(trial, values=(0.5, 0.5), partial=(), stopped="") for trial in study.trials)
    assert importance_of_settings(replace(study, trials=equal), SPACE) == {}
