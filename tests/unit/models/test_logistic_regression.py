from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from linkwl.models.logistic_regression import fit_logistic, search_logistic


def table(num_rows=200, num_columns=5, seed=0):
    generator = np.random.default_rng(seed)
    x = generator.normal(size=(num_rows, num_columns))
    labels = (x[:, 0] - x[:, 1] + 0.5 + generator.logistic(size=num_rows) > 0).astype(float)
    return x, labels


@pytest.mark.parametrize("c", [0.01, 1.0, 1000.0])
def test_the_curve_is_that_of_another_library(c):
    x, labels = table()
    curve = fit_logistic(x, labels, c)
    other = LogisticRegression(C=c, tol=1e-10, max_iter=10000).fit(x, labels)
    np.testing.assert_allclose(curve.slope, other.coef_[0], atol=1e-5)
    assert curve.intercept == pytest.approx(other.intercept_[0], abs=1e-5)
    np.testing.assert_allclose(curve.logits(x), other.decision_function(x), atol=1e-4)


def test_it_does_not_matter_where_it_starts():
    x, labels = table()
    far = fit_logistic(x, labels, 2.0, fit_logistic(x, labels, 1e-4))
    np.testing.assert_allclose(far.slope, fit_logistic(x, labels, 2.0).slope, atol=1e-5)


def test_separable_rows_are_no_problem():
    x = np.array([[-1.0], [-2.0], [1.0], [3.0]])
    curve = fit_logistic(x, np.array([0.0, 0, 1, 1]), 1e4)
    assert np.isfinite(curve.slope).all()
    assert (curve.logits(x) > 0).tolist() == [False, False, True, True]


def test_noise_is_given_a_small_slope():
    generator = np.random.default_rng(0)
    x, labels = generator.normal(size=(100, 60)), generator.integers(0, 2, 100).astype(float)
    found = search_logistic(x, labels, np.random.default_rng(1))
    assert np.abs(found.slope).max() < 0.2 * np.abs(fit_logistic(x, labels, 2.0**10).slope).max()
    again = search_logistic(x, labels, np.random.default_rng(1))
    np.testing.assert_array_equal(found.slope, again.slope)


@pytest.mark.parametrize("labels", [[], [1.0], [0.0, 0.0, 0.0]])
def test_hardly_any_rows(labels):
    x = np.ones((len(labels), 2))
    curve = search_logistic(x, np.array(labels), np.random.default_rng(0))
    assert np.isfinite([*curve.slope, curve.intercept]).all()
