"""Logistic regression with a penalty, by Newton's method."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import expit

from linkwl.typing import FloatArray, IntArray

_MOST_STEPS = 30
_FOLDS = 5
_POWERS = range(-6, 17)
"""The values of C in a search, as powers of two."""
_PATIENCE = 3
"""Number of worse values in a row after which a search stops."""


class LogisticCurve(NamedTuple):
    """The log-odds of a row x are ``x @ slope + intercept``."""

    slope: FloatArray
    intercept: float

    def logits(self, x: FloatArray) -> FloatArray:
        """The log-odds of each row."""
        return x @ self.slope + self.intercept


def fit_logistic(
    x: FloatArray,
    labels: FloatArray,
    c: float,
    start: LogisticCurve | None = None,
    *,
    shift: FloatArray | None = None,
) -> LogisticCurve:
    r"""Minimises :math:`\frac12 \Vert w \Vert^2 + C \sum_i \log (1 + e^{-t_i (w x_i + b + s_i)})`, :math:`t = \pm 1`.

    Newton's method with step halving, O(rows * columns^2) a step. The intercept has no penalty.

    Args:
        x: The features, shape ``(num_rows, num_columns)``.
        labels: 1 or 0 for each row.
        c: The weight of the data.
        start: Where to start; by default from zero.
        shift: The known part s of the log-odds of each row; by default 0.
    """
    rows = np.concatenate([x, np.ones((len(x), 1))], axis=1)
    penalty = np.append(np.ones(x.shape[1]), 1e-9)  # tiny at the intercept, for labels that are all the same
    w = np.zeros(rows.shape[1]) if start is None else np.append(start.slope, start.intercept)

    def value(w: FloatArray) -> float:
        logit = rows @ w if shift is None else rows @ w + shift
        return float(0.5 * (penalty * w) @ w + c * (np.logaddexp(0, logit) - labels * logit).sum())

    loss = value(w)
    for _ in range(_MOST_STEPS):
        share = expit(rows @ w if shift is None else rows @ w + shift)
        gradient = penalty * w + c * (rows.T @ (share - labels))
        curvature = c * (rows.T @ (rows * (share * (1 - share))[:, None])) + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient)
        size = 1.0
        while (lower := value(w - size * step)) > loss and size > 1e-8:
            size /= 2
        if not lower < loss:
            break
        is_done = loss - lower <= 1e-9 * abs(loss)
        w, loss = w - size * step, lower
        if is_done:
            break
    return LogisticCurve(w[:-1], float(w[-1]))


def search_logistic(
    x: FloatArray, labels: FloatArray, generator: np.random.Generator, *, shift: FloatArray | None = None
) -> LogisticCurve:
    """Logistic regression with the power of two as C that gives the smallest loss in five-fold cross-validation.

    It stops when larger values of C have been worse a few times. Each fit starts from the previous one.

    Args:
        x: The features, shape ``(num_rows, num_columns)``.
        labels: 1 or 0 for each row.
        generator: Assigns the rows to the folds.
        shift: The known part of the log-odds of each row; by default 0.
    """
    known = np.zeros(len(x)) if shift is None else shift
    fold: IntArray = generator.permutation(len(x)) % _FOLDS
    curves: list[LogisticCurve | None] = [None] * _FOLDS
    best, best_loss, worse = _POWERS[0], np.inf, 0
    for power in _POWERS:
        loss = 0.0
        for k in range(_FOLDS):
            train, held = fold != k, fold == k
            curve = fit_logistic(x[train], labels[train], 2.0**power, curves[k], shift=known[train])
            curves[k] = curve
            logit = curve.logits(x[held]) + known[held]
            loss += float((np.logaddexp(0, logit) - labels[held] * logit).sum())
        if loss < best_loss:
            best, best_loss, worse = power, loss, 0
        else:
            worse += 1
        if worse == _PATIENCE:
            break
    return fit_logistic(x, labels, 2.0**best, shift=shift)
