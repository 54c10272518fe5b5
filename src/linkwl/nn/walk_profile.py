"""What plain walks, returns and degrees tell of a pair."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from linkwl.nn.adjacency import Adjacency
from linkwl.sparse.walk_values import WalkTable

# Smaller weights are hardly told apart from no walk at all.
_SMALLEST = 1e-7
_STEPS_PER_UNIT = 1 << 16


def profile_channels(steps: int) -> int:
    """Width of a profile of walks of up to that many edges."""
    return 3 * (steps - 1) + 4


class WalkProfile:
    r"""Logarithms of normalised walks of every length, between the ends and back to each, and of the degrees nearby.

    With :math:`S = D^{-1/2} A D^{-1/2}`: :math:`(S^k)_{pq}`, the smaller and the larger of :math:`(S^k)_{pp}` and
    :math:`(S^k)_{qq}`, for k = 2 .. K; the two degrees, the smaller first, and the mean degree of the neighbours of
    either end. Nothing in it is learned, and it is the same both ways round. Values are rounded to a multiple of
    2^-16, so that sums in another order give the same bits: where many pairs share a value, all are equal.

    Args:
        adjacency: The observed edges, both directions of each.
        steps: The longest walks, K.
    """

    def __init__(self, adjacency: Adjacency, steps: int) -> None:
        rowptr, col = adjacency.arrays
        degree = np.diff(rowptr).astype(np.float64)
        inverse_root = 1 / np.sqrt(np.maximum(degree, 1))
        row = np.repeat(np.arange(len(degree)), np.diff(rowptr))
        nearby = np.bincount(row, weights=degree[col], minlength=len(degree)) / np.maximum(degree, 1)
        self._around = np.stack([degree, nearby], axis=1)
        self._walks = WalkTable(rowptr, col, inverse_root[row] * inverse_root[col], steps)

    @torch.no_grad()
    def at(self, pairs: Tensor) -> Tensor:
        """What is told of pairs.

        Shape:
            - pairs: ``(num_pairs, 2)``
            - output: ``(num_pairs, profile_channels(steps))``, float64
        """
        ends = pairs.cpu().numpy()
        between, closed = self._walks.at(ends)
        around = self._around[ends]  # (pair, end, which)
        first = np.lexsort((around[:, :, 1], around[:, :, 0]), axis=1)[:, :1, None]
        smaller, larger = (np.take_along_axis(around, end, axis=1)[:, 0] for end in (first, 1 - first))
        values = [np.log(x + _SMALLEST) for x in (between, closed.min(axis=1), closed.max(axis=1))]
        profile = np.concatenate([*values, np.log1p(smaller), np.log1p(larger)], axis=1)
        return rounded(torch.from_numpy(profile)).to(pairs.device)


def rounded(x: Tensor) -> Tensor:
    """Numbers of the order of one to a multiple of 2^-16."""
    return (x * _STEPS_PER_UNIT).round() / _STEPS_PER_UNIT
