"""Sums of walk weights on a scale where doubling is a step."""

from __future__ import annotations

import math

from torch import Tensor

_SMALLEST = 1e-4


def log_scale(x: Tensor) -> Tensor:
    """Weights from 0 upwards on a logarithmic scale: 0 stays 0, and 1 becomes about 1.

    Normalised walk weights range over many powers of ten, and which power matters more than the value.
    """
    return (x + _SMALLEST).log().sub(math.log(_SMALLEST)).div(-math.log(_SMALLEST))
