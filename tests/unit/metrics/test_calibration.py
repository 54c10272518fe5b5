import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from linkwl.metrics import brier_score, calibration_error, reliability


def sample(seed=0, count=500):
    generator = np.random.default_rng(seed)
    return generator.beta(4, 2, count), generator.beta(2, 4, count)


def test_brier_score_is_that_of_scikit_learn():
    positive, negative = sample()
    truth = np.repeat([1, 0], 500)
    assert brier_score(positive, negative) == pytest.approx(brier_score_loss(truth, np.concatenate(sample())))


def test_a_prior_weighs_as_that_many_copies_would():
    positive, negative = sample()
    copied = brier_score(positive, np.tile(negative, 3), prior=0.25)
    assert brier_score(positive, negative, prior=0.25) == pytest.approx(copied)
    truth, told = np.repeat([1, 0], [500, 1500]), np.concatenate([positive, np.tile(negative, 3)])
    assert copied == pytest.approx(brier_score_loss(truth, told))
    assert calibration_error(positive, negative, prior=0.25) == pytest.approx(
        calibration_error(positive, np.tile(negative, 3), prior=0.25)
    )


def test_reliability_is_that_of_scikit_learn():
    positive, negative = sample()
    true, told = calibration_curve(np.repeat([1, 0], 500), np.concatenate([positive, negative]), n_bins=10)
    found = reliability(positive, negative)
    np.testing.assert_allclose(found.true, true)
    np.testing.assert_allclose(found.predicted, told)
    assert found.share.sum() == pytest.approx(1)


def test_probabilities_drawn_from_themselves_are_calibrated():
    generator = np.random.default_rng(0)
    told = generator.random(200_000)
    is_link = generator.random(len(told)) < told
    prior = is_link.mean()
    assert calibration_error(told[is_link], told[~is_link], prior=prior) < 0.005
    assert calibration_error(told[is_link] ** 2, told[~is_link] ** 2, prior=prior) > 0.1


def test_always_one_half_has_no_error_and_a_quarter():
    half = np.full(7, 0.5)
    assert calibration_error(half, half) == pytest.approx(0, abs=1e-12)
    assert brier_score(half, half) == 0.25


@pytest.mark.parametrize("function", [brier_score, calibration_error, reliability])
@pytest.mark.parametrize(
    ("positive", "negative", "prior"),
    [([], [0.5], 0.5), ([1.5], [0.5], 0.5), ([0.5], [-0.1], 0.5), ([np.nan], [0.5], 0.5), ([0.5], [0.5], 1.0)],
)
def test_what_is_no_probability_is_refused(function, positive, negative, prior):
    with pytest.raises(ValueError):
        function(np.array(positive), np.array(negative), prior=prior)
