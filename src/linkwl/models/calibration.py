"""From scores to probabilities."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from linkwl.metrics.counting import check_scores
from linkwl.typing import FACT_WORD, FloatArray, Scores, Task

_MOST_STEPS = 100


@dataclass(frozen=True)
class Calibration:
    r"""A logistic curve over the scores: :math:`\log \frac{p}{1-p} = a s + b + \log \frac{\pi}{1-\pi}`.

    The curve is fitted for equally many links and other pairs. For another share of links, the prior :math:`\pi`,
    Bayes' rule adds its log-odds. Probabilities never decrease as scores increase.
    """

    slope: float
    """Positive; or 0 if the scores are uninformative and every pair gets the prior."""
    intercept: float
    prior: float = 0.5
    """The default share of links among the scored pairs."""
    most: float | None = None
    """The largest log-odds of the curve, before the prior; None for no bound."""

    def __post_init__(self) -> None:
        values = (self.slope, self.intercept, self.prior, *([] if self.most is None else [self.most]))
        if not all(math.isfinite(value) for value in values) or self.slope < 0 or not 0 < self.prior < 1:
            raise ValueError(f"expected a slope from 0, an intercept and a prior between 0 and 1, got {values}.")
        if self.most is not None and self.most <= 0:
            raise ValueError(f"`most` must be positive, got {self.most}.")

    @classmethod
    def fit(cls, positive: Scores, negative: Scores, *, prior: float = 0.5, is_bounded: bool = False) -> Calibration:
        """The maximum-likelihood curve for the scores of links and other pairs, each kind with weight one half.

        The targets are smoothed as if one more example of the other kind had been seen (Platt, 1999), so that a few
        scores that happen to be separable do not make the curve a step.

        Args:
            positive: Scores of the pairs that are links.
            negative: Scores of the pairs that are not.
            prior: The share of links among the pairs to score.
            is_bounded: Whether the number of pairs bounds the odds, for scores with long tails.

        Raises:
            ValueError: If either is empty or holds a NaN.
        """
        positive, negative = check_scores(positive, negative)
        scores = np.concatenate([positive, negative])
        center, spread = float(scores.mean()), float(scores.std())
        if spread == 0:
            return cls(0.0, 0.0, prior)
        x = (scores - center) / spread
        counts = np.array([len(positive), len(negative)])
        target = np.repeat((counts + 1) * [1, 0] / (counts + 2) + [0, 1] / (counts + 2), counts)
        weight = np.repeat(0.5 / counts, counts)
        slope, intercept = _likeliest(x, target, weight)
        if slope <= 0:
            return cls(0.0, 0.0, prior)
        most = math.log(min(counts) + 1) if is_bounded else None
        return cls(slope / spread, intercept - slope * center / spread, prior, most)

    def probability(self, scores: Scores, prior: float | None = None) -> FloatArray:
        """The probability that each pair is a link.

        Args:
            scores: The model's scores.
            prior: The share of links among such pairs; by default that of the calibration.
        """
        return expit(self.log_odds(scores, prior))

    def log_odds(self, scores: Scores, prior: float | None = None) -> FloatArray:
        """The log-odds of :meth:`probability`, which are finite even where a probability is rounded to 1."""
        share = self.prior if prior is None else prior
        if not 0 < share < 1:
            raise ValueError(f"`prior` must lie between 0 and 1, got {share}.")
        logit = self.slope * np.asarray(scores, dtype=np.float64) + self.intercept
        if self.most is not None:
            logit = logit.clip(-self.most, self.most)
        return logit + math.log(share / (1 - share))

    @property
    def is_flat(self) -> bool:
        """Whether every pair gets the prior, because the scores were no better than chance."""
        return self.slope == 0

    def to_json(self) -> dict[str, Any]:
        """The numbers, as values for JSON."""
        return asdict(self)


def flat_text(task: Task) -> str:
    """What is said of a calibration that is flat."""
    return (
        f"on validation {FACT_WORD[task]}s the scores were no better than chance, so every {task.removesuffix('s')} is "
        "given the prior as its probability."
    )


FLAT = flat_text("pairs")


def share_text(share: float) -> str:
    """A share as text: ``4.9 %``, ``1 in 442``, ``2e-12``."""
    if share >= 0.01:
        return f"{100 * share:.3g} %"
    return f"1 in {1 / share:,.0f}" if share > 1e-9 else f"{share:.0e}"


def _likeliest(x: FloatArray, target: FloatArray, weight: FloatArray) -> tuple[float, float]:
    """Slope and intercept of the maximum-likelihood logistic curve, by Newton's method with step halving."""
    rows = np.stack([x, np.ones_like(x)], axis=1)
    found = np.zeros(2)
    loss = _loss(rows @ found, target, weight)
    for _ in range(_MOST_STEPS):
        predicted = expit(rows @ found)
        gradient = rows.T @ (weight * (predicted - target))
        curvature = (rows * (weight * predicted * (1 - predicted))[:, None]).T @ rows + 1e-12 * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        size = 1.0
        while (lower := _loss(rows @ (found - size * step), target, weight)) > loss and size > 1e-10:
            size /= 2
        if loss - lower <= 1e-14:
            break
        found, loss = found - size * step, lower
    return float(found[0]), float(found[1])


def _loss(logit: FloatArray, target: FloatArray, weight: FloatArray) -> float:
    return float((weight * (np.logaddexp(0, logit) - target * logit)).sum())
