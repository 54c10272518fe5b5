"""Features of a pair that are not learned: how many nodes there are at which distances from its ends."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.plain_walks import rounded
from linkwl.nn.remembered import Remembered
from linkwl.sparse.distance_counts import distance_counts
from linkwl.typing import IntArray


class DistanceProfile:
    r"""Logarithms of the numbers of nodes by their distances to both ends, and of the degrees of the ends.

    For every a and b from 1 to K: the number of nodes at distance a from one end and b from the other; for every a: the
    number of those at distance a from one end and farther than K from the other. All without the edge of the pair
    itself. With the logarithms of the degrees beside them, numbers divided by degrees are linear combinations.

    The end of smaller degree comes first; of two ends of equal degree the one whose numbers come first in the order of
    a dictionary. So (p, q) and (q, p) have the same profile, whatever the nodes are called. Logarithms are rounded to
    a multiple of 2^-16, so that equal numbers are equal in single precision too.

    Args:
        adjacency: The observed edges, both directions of each.
        hops: The largest distance K.
        max_degree: Paths do not pass nodes with more neighbours; see
            :func:`linkwl.sparse.distance_counts.distance_counts`.
        remember: Whether to cache the last profiles, for one thread that requests the same pairs again.
    """

    def __init__(self, adjacency: Adjacency, hops: int, max_degree: int | None, *, remember: bool = False) -> None:
        self._rows = adjacency.arrays
        self._hops, self._max_degree = hops, max_degree
        self._at = Remembered(self._count) if remember else self._count

    def at(self, pairs: Tensor) -> Tensor:
        """The profiles of pairs.

        Shape:
            - pairs: ``(num_pairs, 2)``
            - output: ``(num_pairs, distance_channels(hops))``, float64
        """
        return self._at(pairs)

    def _count(self, pairs: Tensor) -> Tensor:
        table = distance_counts(*self._rows, pairs.cpu().numpy(), self._hops, self._max_degree)
        numbers = _first_smaller(_columns(table), _columns(table.transpose(0, 2, 1)))
        return rounded(torch.from_numpy(np.log1p(numbers))).to(pairs.device)


def distance_channels(hops: int) -> int:
    """Width of a profile of distances up to ``hops``."""
    return (hops + 1) ** 2 - 1 + 2


def _columns(table: IntArray) -> IntArray:
    """Both degrees, then the numbers; without the nodes that are far from both ends, which are not counted."""
    degrees = np.stack([table[:, 1].sum(axis=1), table[:, :, 1].sum(axis=1)], axis=1)
    return np.concatenate([degrees, table.reshape(len(table), -1)[:, 1:]], axis=1)


def _first_smaller(one: IntArray, other: IntArray) -> IntArray:
    """Of two rows the one that comes first in the order of a dictionary."""
    difference = one - other
    place = (difference != 0).argmax(axis=1)
    decides = np.take_along_axis(difference, place[:, None], axis=1)
    return np.where(decides <= 0, one, other)
