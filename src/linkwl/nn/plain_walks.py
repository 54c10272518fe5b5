"""What is not learned of a pair: plain walks and alike features."""

from __future__ import annotations

from collections import deque

import torch
from torch import Tensor

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.feature_similarity import FeatureSimilarity
from linkwl.nn.sparse_linear import SparseRows
from linkwl.nn.walk_profile import WalkProfile, rounded

_REMEMBERED = 1 << 18


class PlainWalks:
    """The walk profile of pairs and, with features, how alike those around the ends are.

    The last pairs asked for are remembered, so that to ask for the same ones again costs next to nothing.

    Args:
        adjacency: The observed edges, both directions of each.
        steps: The longest walks.
        similarity: What compares features, if anything does.
        features: The nodes' features, for that.
    """

    def __init__(
        self,
        adjacency: Adjacency,
        steps: int,
        similarity: FeatureSimilarity | None = None,
        features: SparseRows | Tensor | None = None,
    ) -> None:
        self.adjacency = adjacency
        self._walks = WalkProfile(adjacency, steps)
        self._similarity = similarity
        self._smoothed = similarity.encode(adjacency, features) if similarity and features is not None else []
        self._told: deque[tuple[Tensor, Tensor]] = deque()

    def at(self, pairs: Tensor) -> Tensor:
        """What is told of pairs.

        Shape:
            - pairs: ``(num_pairs, 2)``
            - output: ``(num_pairs, channels)``, float64
        """
        for asked, told in self._told:
            if torch.equal(asked, pairs):
                return told
        profile = self._walks.at(pairs)
        if self._similarity is not None:
            alike = self._similarity(self._smoothed, pairs)
            profile = torch.cat([profile, rounded(alike.to(profile.dtype))], dim=1)
        self._told.append((pairs, profile))
        while sum(len(asked) for asked, _ in self._told) > _REMEMBERED:
            self._told.popleft()
        return profile
