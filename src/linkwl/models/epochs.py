"""Epochs: all targets of training in a new random order, a part at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from linkwl.typing import IntArray


class Epochs(Iterator[IntArray]):
    """An endless, seeded stream of the places of targets; an incomplete last part of an epoch is skipped.

    Args:
        count: The number of targets; at least one.
        size: The number of places in a part; at most ``count``.
        generator: Draws the orders.
    """

    def __init__(self, count: int, size: int, generator: np.random.Generator) -> None:
        self._count, self._size, self._generator = count, min(size, count), generator
        self._begin()

    def __next__(self) -> IntArray:
        if self._position + self._size > self._count:
            self._begin()
        chosen: IntArray = self._order[self._position : self._position + self._size]
        self._position += self._size
        return chosen

    def _begin(self) -> None:
        # The order itself need not be saved: the state of the generator before the draw determines it.
        self._before = self._generator.bit_generator.state
        self._order = self._generator.permutation(self._count)
        self._position = 0

    def state(self) -> dict[str, Any]:
        """The position of the stream, as values for JSON."""
        return {"order": self._before, "position": self._position}

    def restore(self, state: dict[str, Any]) -> None:
        """Continues from the state of a stream of as many targets."""
        self._generator.bit_generator.state = state["order"]
        self._begin()
        self._position = state["position"]
