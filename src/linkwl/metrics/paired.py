"""Whether two models differ, from their scores on the same splits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, variance

from scipy.stats import t


@dataclass(frozen=True)
class PairedDifference:
    """The mean difference of two models over splits, with its 95 % interval."""

    mean: float
    margin: float
    """Half the width of the interval; infinite for a single split."""
    p_value: float
    """Of the hypothesis that there is no difference."""

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes zero."""
        return abs(self.mean) > self.margin


def paired_difference(first: Sequence[float], second: Sequence[float], *, overlap: float) -> PairedDifference:
    r"""First minus second, split by split, with the corrected resampled t-test.

    Random splits of one graph share most of their training links, so that the plain t-test finds differences where
    there are none. The variance of the mean over :math:`k` splits is therefore taken as

    .. math::
        \left(\frac{1}{k} + \frac{n_{test}}{n_{train}}\right) s^2.

    Args:
        first: The scores of a model, one per split.
        second: Those of another on the same splits.
        overlap: The number of test links divided by the number of training links; 0 for independent splits.

    Reference: Nadeau and Bengio, Inference for the generalization error, Machine Learning, 2003.

    Example:
        >>> found = paired_difference([0.95, 0.94, 0.96], [0.92, 0.91, 0.94], overlap=0.1)
        >>> round(found.mean, 4), round(found.margin, 4), found.is_clear
        (0.0267, 0.0164, True)
    """
    if len(first) != len(second) or len(first) == 0:
        raise ValueError(f"both models must have the same splits, got {len(first)} and {len(second)}.")
    differences = [a - b for a, b in zip(first, second, strict=True)]
    mean, count = float(fmean(differences)), len(differences)
    if count == 1:
        return PairedDifference(mean, math.inf, 1.0)
    error = math.sqrt((1 / count + overlap) * variance(differences))
    if error == 0:
        return PairedDifference(mean, 0.0, 1.0 if mean == 0 else 0.0)
    p_value = 2 * float(t.sf(abs(mean) / error, count - 1))
    return PairedDifference(mean, error * float(t.ppf(0.975, count - 1)), p_value)
