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

import numpy as np

from linkwl.models.settings import nested


class Choice:
    """One of some values, each equally likely."""

    def __init__(self, *values: Any) -> None:
        if not values:
            raise ValueError("`values` must not be empty.")
        self.values = values

    def draw(self, generator: np.random.Generator) -> Any:
        """A random value."""
        return self.values[int(generator.integers(len(self.values)))]

    def __repr__(self) -> str:
        return f"Choice({', '.join(map(repr, self.values))})"


class Uniform:
    """A number between two others, each equally likely."""

    def __init__(self, low: float, high: float) -> None:
        if not -math.inf < low < high < math.inf:
            raise ValueError(f"`low` must be below `high`, got {low} and {high}.")
        self.low, self.high = low, high

    def draw(self, generator: np.random.Generator) -> float:
        """A random value."""
        return float(generator.uniform(self.low, self.high))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.low}, {self.high})"


class LogUniform(Uniform):
    """A positive number between two others, whose logarithm is equally likely everywhere."""

    def __init__(self, low: float, high: float) -> None:
        super().__init__(low, high)
        if low <= 0:
            raise ValueError(f"`low` must be positive, got {low}.")

    def draw(self, generator: np.random.Generator) -> float:
        """A random value."""
        return float(math.exp(generator.uniform(math.log(self.low), math.log(self.high))))


Space: TypeAlias = Mapping[str, Choice | Uniform]
"""Ranges by the name of the setting; the name of a setting in a group has a dot, as in ``training.learning_rate``."""


def draw_settings(space: Space, generator: np.random.Generator) -> dict[str, Any]:
    """Random settings from a search space, with groups as mappings.

    Example:
        >>> draw_settings({"training.max_steps": Choice(100)}, np.random.default_rng(0))
        {'training': {'max_steps': 100}}
    """
    return nested({name: values.draw(generator) for name, values in space.items()})
