import numpy as np
import pytest
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression

from linkwl.metrics import calibration_error
from linkwl.models.calibration import Calibration, share_text


def scores(count=2000, seed=0):
    generator = np.random.default_rng(seed)
    return generator.normal(3, 2, count), generator.normal(-1, 2, count)


def test_the_curve_is_that_of_a_logistic_regression():
    positive, negative = scores()
    found = Calibration.fit(positive, negative)
    other = LogisticRegression(C=np.inf).fit(np.concatenate([positive, negative])[:, None], np.repeat([1, 0], 2000))
    assert found.slope == pytest.approx(other.coef_[0, 0], rel=0.01)
    assert found.intercept == pytest.approx(other.intercept_[0], rel=0.01)


def test_its_probabilities_come_true():
    calibration = Calibration.fit(*scores(seed=0))
    told = [calibration.probability(part) for part in scores(100_000, seed=1)]
    assert calibration_error(*told) < 0.01


def test_at_another_prior_they_come_true_as_well():
    calibration = Calibration.fit(*scores(seed=0), prior=0.02)
    told = [calibration.probability(part) for part in scores(100_000, seed=1)]
    assert calibration_error(*told, prior=0.02) < 0.002
    assert calibration_error(*told, prior=0.5) > 0.1


def test_the_prior_moves_the_log_odds():
    calibration = Calibration(2.0, -1.0)
    even, rare = (calibration.probability(np.array([-1.0, 0.3, 2.0]), prior) for prior in (0.5, 0.01))
    np.testing.assert_allclose(logit(rare), logit(even) + logit(0.01))
    np.testing.assert_allclose(even, expit(2 * np.array([-1.0, 0.3, 2.0]) - 1))


def test_probabilities_rise_with_scores():
    calibration = Calibration.fit(*scores())
    told = calibration.probability(np.sort(np.concatenate(scores(seed=1))))
    assert (np.diff(told) >= 0).all()
    assert ((told > 0) & (told < 1)).all()


@pytest.mark.parametrize("count", [1, 3])
def test_scores_that_are_told_apart_give_a_curve_and_no_step(count):
    calibration = Calibration.fit(np.full(count, 5.0), np.full(count, -5.0))
    told = calibration.probability(np.array([-5.0, 0.0, 5.0]))
    np.testing.assert_allclose(told, [1 / (count + 2), 0.5, (count + 1) / (count + 2)], atol=1e-6)


@pytest.mark.parametrize(("positive", "negative"), [([1.0, 1.0], [1.0]), ([0.0, 1.0], [5.0, 6.0])])
def test_scores_that_tell_nothing_leave_the_prior(positive, negative):
    calibration = Calibration.fit(np.array(positive), np.array(negative), prior=0.3)
    np.testing.assert_allclose(calibration.probability(np.array([-9.0, 9.0])), 0.3)


@pytest.mark.parametrize("values", [(-1.0, 0.0, 0.5), (1.0, np.nan, 0.5), (1.0, 0.0, 0.0), (np.inf, 0.0, 0.5)])
def test_impossible_curves_are_refused(values):
    with pytest.raises(ValueError):
        Calibration(*values)


def test_an_impossible_prior_is_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        Calibration(1.0, 0.0).probability(np.zeros(1), prior=1.0)


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.8, "80 %"), (0.0489, "4.89 %"), (1 / 442, "1 in 442"), (1e-5, "1 in 100,000"), (1e-320, "1e-320")],
)
def test_a_share_in_words(share, text):
    assert share_text(share) == text


def test_bounded_odds_are_no_longer_than_the_pairs_are_many():
    positive, negative = scores(50)
    curve, bounded = (Calibration.fit(positive, negative, is_bounded=flag) for flag in (False, True))
    asked = np.array([-1e6, -2, 0, 1, 3, 1e6])
    np.testing.assert_array_equal(curve.probability(asked[1:-1]), bounded.probability(asked[1:-1]))
    np.testing.assert_allclose(bounded.probability(asked[[0, -1]]), [1 / 52, 51 / 52])
    assert (np.diff(bounded.probability(asked)) > 0).all()
    assert bounded.probability(asked[-1:], prior=0.01)[0] < 0.4
    with pytest.raises(ValueError, match="`most` must be positive"):
        Calibration(1.0, 0.0, 0.5, most=0.0)


def test_log_odds_are_those_of_the_probabilities_and_stay_finite():
    calibration = Calibration(2.0, -1.0, 0.1)
    values = np.array([-3.0, 0.0, 4.0])
    assert calibration.log_odds(values) == pytest.approx(logit(calibration.probability(values)))
    assert calibration.log_odds(values, 0.5) == pytest.approx(2 * values - 1)
    assert calibration.probability(np.array([1e4]))[0] == 1.0
    assert np.isfinite(calibration.log_odds(np.array([1e4])))
