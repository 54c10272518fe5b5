"""Curves over all thresholds: ROC, and precision against recall."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.metrics.counting import check_scores
from linkwl.typing import FloatArray, Scores


class Curve(NamedTuple):
    """Points from the highest threshold to the lowest."""

    x: FloatArray
    y: FloatArray


def roc_curve(positive: Scores, negative: Scores) -> Curve:
    """True positive rate against false positive rate; pairs with equal scores enter together.

    Args:
        positive: Scores of the pairs that are links.
        negative: Scores of the pairs that are not.
    """
    found, wrong = _counts(positive, negative)
    return Curve(np.append(0.0, wrong / len(negative)), np.append(0.0, found / len(positive)))


def precision_recall_curve(positive: Scores, negative: Scores) -> Curve:
    """Precision against recall; pairs with equal scores enter together.

    Args:
        positive: Scores of the pairs that are links.
        negative: Scores of the pairs that are not.
    """
    found, wrong = _counts(positive, negative)
    return Curve(found / len(positive), found / (found + wrong))


def _counts(positive: Scores, negative: Scores) -> tuple[FloatArray, FloatArray]:
    """At every score, from the highest: the numbers of links and other pairs at or above it."""
    positive, negative = check_scores(positive, negative)
    thresholds = np.unique(np.concatenate([positive, negative]))[::-1]
    found, wrong = (
        (len(scores) - np.searchsorted(np.sort(scores), thresholds, side="left")).astype(np.float64)
        for scores in (positive, negative)
    )
    return found, wrong
