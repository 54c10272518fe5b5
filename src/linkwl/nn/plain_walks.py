"""Features of a pair that are not learned: plain walks, returns, degrees and feature similarity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.feature_similarity import FeatureSimilarity
from linkwl.nn.remembered import Remembered
from linkwl.nn.sparse_linear import SparseRows
from linkwl.nn.weighted_walks import WeightedWalks
from linkwl.sparse.walks import WalkTable
from linkwl.typing import FloatArray

# Smaller weights are hardly distinguishable from no walk at all.
SMALLEST = 1e-7
_STEPS_PER_UNIT = 1 << 16


class PlainWalks:
    """The walk profile of pairs; with weights also weighted walks, with features also similarities around the ends.

    Args:
        adjacency: The observed edges.
        steps: Length of the longest walks.
        similarity: The similarity of features, if used.
        features: The node features, for the similarity.
        profile: Gives pairs their walk profile; by default :class:`WalkProfile`, for edges in both directions.
    """

    def __init__(
        self,
        adjacency: Adjacency,
        steps: int,
        similarity: FeatureSimilarity | None = None,
        features: SparseRows | Tensor | None = None,
        *,
        profile: Callable[[Tensor], Tensor] | None = None,
    ) -> None:
        self.adjacency = adjacency
        self._walk_profile = WalkProfile(adjacency, steps).at if profile is None else profile
        self._weighted = None if adjacency.values is None else WeightedWalks(adjacency.values, steps)
        self._similarity = similarity
        self._smoothed = (
            similarity.encode(adjacency.undirected, features) if similarity and features is not None else []
        )

    def at(self, pairs: Tensor) -> Tensor:
        """The profiles of pairs.

        Shape:
            - pairs: ``(num_pairs, 2)``
            - output: ``(num_pairs, channels)``, float64
        """
        profile = self._walk_profile(pairs)
        if self._weighted is not None:
            weighted = rounded(torch.from_numpy(self._weighted.at(pairs.cpu().numpy())))
            profile = torch.cat([profile, weighted.to(profile)], dim=1)
        if self._similarity is not None:
            alike = self._similarity(self._smoothed, pairs)
            profile = torch.cat([profile, rounded(alike.to(profile.dtype))], dim=1)
        return profile

    def content(self, nodes: Tensor) -> Tensor:
        """The features around nodes; see :meth:`FeatureSimilarity.content`."""
        assert self._similarity is not None
        return self._similarity.content(self._smoothed, nodes)


class RememberedWalks(PlainWalks):
    """The same with a cache of the last profiles, for one thread that requests the same pairs again."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._remembered = Remembered(super().at)

    def at(self, pairs: Tensor) -> Tensor:
        """The profiles of pairs, from the cache if they were requested recently."""
        return self._remembered(pairs)


def profile_channels(steps: int) -> int:
    """Width of a profile of walks of up to ``steps`` edges."""
    return 3 * (steps - 1) + 4


class WalkProfile:
    r"""Logarithms of normalised walks of every length, between the ends and back to each, and of the degrees nearby.

    With :math:`S = D^{-1/2} A D^{-1/2}`: :math:`(S^k)_{pq}`, the smaller and the larger of :math:`(S^k)_{pp}` and
    :math:`(S^k)_{qq}`, for k = 2 .. K; the two degrees, the smaller first, and the mean degree of the neighbours of
    either end. Nothing is learned, and (p, q) and (q, p) have the same profile. Values are rounded to a multiple of
    2^-16, so that sums in another order give the same bits and equal values stay equal.

    Args:
        adjacency: The observed edges, both directions of each.
        steps: Length K of the longest walks.
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
        """The profiles of pairs.

        Shape:
            - pairs: ``(num_pairs, 2)``
            - output: ``(num_pairs, profile_channels(steps))``, float64
        """
        ends = pairs.cpu().numpy()
        between, closed = self._walks.at(ends)
        around = self._around[ends]  # (pair, end, which)
        first = np.lexsort((around[:, :, 1], around[:, :, 0]), axis=1)[:, :1, None]
        smaller, larger = (np.take_along_axis(around, end, axis=1)[:, 0] for end in (first, 1 - first))
        values = [np.log(x + SMALLEST) for x in (between, closed.min(axis=1), closed.max(axis=1))]
        profile = np.concatenate([*values, np.log1p(smaller), np.log1p(larger)], axis=1)
        return rounded(torch.from_numpy(profile)).to(pairs.device)

    @torch.no_grad()
    def ordered_at(self, pairs: Tensor) -> Tensor:
        """The profiles of ordered pairs, with the first node in place of the smaller and the second of the larger."""
        ends = pairs.cpu().numpy()
        between, closed = self._walks.at(ends)
        values = [np.log(x + SMALLEST) for x in (between, closed[:, 0], closed[:, 1])]
        profile = np.concatenate([*values, np.log1p(both_ends(self._around[ends]))], axis=1)
        return rounded(torch.from_numpy(profile)).to(pairs.device)


def both_ends(values: FloatArray) -> FloatArray:
    """Values of both ends of pairs, ``(num_pairs, 2, channels)``, as one row per pair: those of the first end first."""
    return values.reshape(len(values), 2 * values.shape[2])


def rounded(x: Tensor) -> Tensor:
    """Rounds numbers of the order of one to a multiple of 2^-16."""
    return (x * _STEPS_PER_UNIT).round() / _STEPS_PER_UNIT
