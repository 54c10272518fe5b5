from __future__ import annotations

import math

import numpy as np
import pytest

from linkwl.models.space import Choice, LogUniform, Uniform, draw_settings

DRAWS = 2000


def draws(values):
    generator = np.random.default_rng(0)
    return [values.draw(generator) for _ in range(DRAWS)]


def test_choices_are_equally_likely():
    found = draws(Choice(1, "a", None))
    assert {value: pytest.approx(found.count(value), rel=0.2) for value in (1, "a", None)} == dict.fromkeys(
        (1, "a", None), DRAWS / 3
    )


def test_numbers_lie_in_their_range():
    found = np.array(draws(Uniform(-1, 3)))
    assert (found.min() >= -1) & (found.max() <= 3)
    assert np.mean(found) == pytest.approx(1, abs=0.1)
    logarithms = np.log10(draws(LogUniform(1e-4, 1e-2)))
    assert (logarithms.min() >= -4) & (logarithms.max() <= -2)
    assert np.mean(logarithms) == pytest.approx(-3, abs=0.1)


@pytest.mark.parametrize(
    "make", [Choice, lambda: Uniform(1, 1), lambda: Uniform(0, math.inf), lambda: LogUniform(0, 1)]
)
def test_empty_ranges_are_refused(make):
    with pytest.raises(ValueError, match="must"):
        make()


def test_settings_of_a_group_are_a_mapping():
    space = {"channels": Choice(8), "training.max_steps": Choice(5), "training.patience": Choice(2)}
    expected = {"channels": 8, "training": {"max_steps": 5, "patience": 2}}
    assert draw_settings(space, np.random.default_rng(0)) == expected


def test_the_same_seed_draws_the_same_settings():
    space = {"channels": Choice(8, 16, 32), "dropout": Uniform(0, 1)}
    first, second = (draw_settings(space, np.random.default_rng(7)) for _ in range(2))
    assert first == second
