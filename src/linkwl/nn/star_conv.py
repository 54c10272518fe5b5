"""Graph convolutions over pairs that share an end, without the graph of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import torch
from torch import Tensor

from linkwl.nn.stars import at_stars, star_sums
from linkwl.sparse import Stars
from linkwl.typing import BoolArray, IntArray

Normalise: TypeAlias = Literal["row", "symmetric"]


@dataclass(frozen=True, eq=False)
class Places:
    r"""Pairs in a graph of pairs, and their weights in a convolution over it.

    A pair with k neighbours has the degree :math:`\hat d = 2k + 1`: every adjacency counts twice, the pair itself once,
    as in the published code. Members of the graph send messages, other pairs only receive them.
    """

    stars: Stars
    weight: Tensor
    r""":math:`1 / \hat d` of each pair; float64, shape ``(num_pairs,)``."""
    own: Tensor
    """The weight of a pair's own vector beside twice the sums of its stars, which hold it if it is a member."""

    @classmethod
    def of_members(cls, stars: Stars) -> Places:
        """The members of the graph themselves."""
        return cls._of(stars, stars.num_neighbours, 1 - 2 * stars.num_ends)

    @classmethod
    def of_queries(cls, stars: Stars, size: IntArray, is_member: BoolArray) -> Places:
        """Any pairs.

        Args:
            stars: The stars of these pairs.
            size: Number of members of each star.
            is_member: Whether each pair is a member.
        """
        inside = np.where(is_member, stars.num_ends, 0)
        return cls._of(stars, stars.at_ends(size) - inside, 1 - 2 * inside)

    @classmethod
    def _of(cls, stars: Stars, num_neighbours: IntArray, own: IntArray) -> Places:
        return cls(stars, torch.from_numpy(1 / (2 * num_neighbours + 1)), torch.from_numpy(own))


def star_totals(u: Tensor, members: Places, normalise: Normalise) -> Tensor:
    r"""The first half of a convolution: the sums :math:`T_v` of the members' vectors at every node.

    Shape:
        - u: ``(num_members, channels)``
        - output: ``(num_nodes, channels)``
    """
    return star_sums(u, members.stars, members.weight.sqrt() if normalise == "symmetric" else None)


def hear(totals: Tensor, u: Tensor, places: Places, normalise: Normalise) -> Tensor:
    r"""The second half of a convolution: what pairs hear from the members that they meet, and from themselves.

    .. math::
        \mathbf{y}_i = \frac{\mathbf{u}_i}{\hat d_i} + \sum_{j \sim i} \frac{2 \mathbf{u}_j}{\hat d_i}
        \qquad\text{or}\qquad
        \mathbf{y}_i = \frac{\mathbf{u}_i}{\hat d_i} + \sum_{j \sim i} \frac{2 \mathbf{u}_j}{\sqrt{\hat d_i \hat d_j}}

    for ``row`` and ``symmetric``. For a member {a, b} the sum over its neighbours is
    :math:`T_a + T_b - 2 \mathbf{u}_i`, for another pair :math:`T_a + T_b`. Time grows with the
    pairs, and not with their adjacencies.

    Args:
        totals: See :func:`star_totals`.
        u: The vectors of the pairs that hear.
        places: Their places.
        normalise: How adjacencies are weighted.

    Shape:
        - totals: ``(num_nodes, channels)``
        - u: ``(num_pairs, channels)``
        - output: ``(num_pairs, channels)``
    """
    weight = places.weight.sqrt() if normalise == "symmetric" else places.weight
    own = (places.own * places.weight).to(u)[:, None]
    return torch.addcmul(at_stars(totals, places.stars, 2 * weight), own, u)


def take_rows(x: Tensor, index: IntArray) -> Tensor:
    """The rows of ``x`` at these positions; zeros for -1."""
    if len(x) == 0:
        return x.new_zeros(len(index), x.shape[1])
    rows = x.index_select(0, torch.from_numpy(np.maximum(index, 0)).to(x.device))
    return rows * torch.from_numpy(index >= 0).to(x)[:, None]
