"""Persistence images of pairs as a network reads them."""

from __future__ import annotations

import torch
from torch import Tensor

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.remembered import Remembered
from linkwl.sparse.vicinity_images import Vicinity, vicinity_images


class PersistenceImages:
    """The images of pairs on one graph; see :func:`linkwl.sparse.vicinity_images.vicinity_images`.

    They do not depend on weights, so those of pairs that will be read again can be kept.

    Args:
        adjacency: The observed edges, symmetric.
        vicinity: Which nodes are in the vicinity of a pair.
        bandwidth: The standard deviation of a point.
        remember: Whether to keep the images that were computed last.
    """

    def __init__(self, adjacency: Adjacency, vicinity: Vicinity, bandwidth: float, *, remember: bool = False) -> None:
        self._rows, self._vicinity, self._bandwidth = adjacency.arrays, vicinity, bandwidth
        self._at = Remembered(self._draw) if remember else self._draw

    def at(self, pairs: Tensor) -> Tensor:
        """One row per pair; float64, on the device of the pairs."""
        return self._at(pairs)

    def _draw(self, pairs: Tensor) -> Tensor:
        images = vicinity_images(*self._rows, pairs.cpu().numpy(), self._vicinity, bandwidth=self._bandwidth)
        return torch.from_numpy(images).to(pairs.device)
