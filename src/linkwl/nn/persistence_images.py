"""Persistence images of pairs as a network reads them."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from linkwl.nn.adjacency import Adjacency
from linkwl.sparse.vicinity_images import Vicinity, vicinity_images
from linkwl.typing import FloatArray


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
        self._adjacency, self._vicinity, self._bandwidth = adjacency, vicinity, bandwidth
        self._remember = remember
        self._kept: dict[bytes, FloatArray] = {}

    def __call__(self, pairs: Tensor) -> Tensor:
        """One row per pair; float64, on the device of the pairs."""
        asked = pairs.cpu().numpy()
        key = asked.tobytes() if self._remember else b""
        images = self._kept.get(key) if self._remember else None
        if images is None:
            images = vicinity_images(*self._adjacency.arrays, asked, self._vicinity, bandwidth=self._bandwidth)
            if self._remember:
                self._kept = {key: images}
        return torch.from_numpy(np.array(images)).to(pairs.device)
