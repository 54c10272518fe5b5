"""Search spaces: the settings of a model that tuning varies, and their ranges.

search_space: ClassVar[Space] = {
    "channels": Choice(16, 32, 64),
    "dropout": Uniform(0.0, 0.8),
    "training.learning_rate": LogUniform(1e-4, 1e-2),
}
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias


class Choice:
    """One of some values, each equally likely."""

    def __init__(self, *values: Any) -> None:
        if not values:
            raise ValueError("`values` must not be empty.")
        self.values = values

    def __repr__(self) -> str:
        return f"Choice({', '.join(map(repr, self.values))})"


class Uniform:
    """A number between two others, each equally likely."""

    def __init__(self, low: float, high: float) -> None:
        if not -math.inf < low < high < math.inf:
            raise ValueError(f"`low` must be below `high`, got {low} and {high}.")
        self.low, self.high = low, high

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.low}, {self.high})"


class LogUniform(Uniform):
    """A positive number between two others, whose logarithm is equally likely everywhere."""

    def __init__(self, low: float, high: float) -> None:
        super().__init__(low, high)
        if low <= 0:
            raise ValueError(f"`low` must be positive, got {low}.")


Space: TypeAlias = Mapping[str, Choice | Uniform]
"""Ranges by the name of the setting; the name of a setting in a group has a dot, as in ``training.learning_rate``."""
