"""Features of an ordered pair in a directed graph that are not learned."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.plain_walks import SMALLEST, WalkProfile, both_ends, profile_channels, rounded
from linkwl.sparse.directed_walks import CLOSED, DirectedEdges, DirectedWalkTable, patterns
from linkwl.sparse.sums import neighbour_sum
from linkwl.typing import FloatArray

HEIGHTS = (1, 2, 4, 16)
"""The lengths of the walks that heights are taken from."""


def directed_channels(steps: int) -> int:
    """Width of a profile of walks of up to ``steps`` edges."""
    return profile_channels(steps) + 1 + len(patterns(steps)) + 2 * len(CLOSED) + 4 + 3 * len(HEIGHTS)


class DirectedProfile:
    r"""What :class:`WalkProfile` tells of the edges without their directions, and what the directions add.

    With :math:`S = D_{out}^{-1/2} A D_{in}^{-1/2}`, steps along an edge weighted by S and steps against one by
    :math:`S^\top`, on a logarithmic scale where not said otherwise:

    - the walk profile of the undirected edges, first of p, then of q, where it tells the smaller end from the larger;
    - the reverse edge, :math:`S_{qp}`;
    - walks from p to q by the pattern of their directions, see :func:`linkwl.sparse.directed_walks.patterns`;
    - walks of two and three steps back to p, and to q, by pattern;
    - the out-degree and the in-degree of p, and of q;
    - the heights of p and of q and their difference, as they are; see :func:`heights`.

    Nothing is learned. Values are rounded as in :class:`WalkProfile`.

    Args:
        adjacency: The observed edges, directed.
        steps: Length of the longest walks.
    """

    def __init__(self, adjacency: Adjacency, steps: int) -> None:
        self._adjacency, self._steps = adjacency, steps
        self._undirected = WalkProfile(adjacency.undirected, steps)
        leaving, arriving = (side.degree.cpu().numpy() for side in (adjacency, adjacency.transpose))
        self._degrees = np.log1p(np.stack([leaving, arriving], axis=1))
        self._scales = [1 / np.sqrt(np.maximum(degree, 1)) for degree in (leaving, arriving)]
        along, against = (self._weighted(side, turn) for side, turn in ((adjacency, 1), (adjacency.transpose, -1)))
        self._walks = DirectedWalkTable(along, against, steps)
        self._heights = heights(adjacency)

    def _weighted(self, side: Adjacency, turn: int) -> DirectedEdges:
        rowptr, col = side.arrays
        first, second = self._scales[::turn]
        return DirectedEdges(rowptr, col, np.repeat(first, np.diff(rowptr)) * second[col])

    @torch.no_grad()
    def at(self, pairs: Tensor) -> Tensor:
        """The profiles of ordered pairs.

        Shape:
            - pairs: ``(num_pairs, 2)``
            - output: ``(num_pairs, directed_channels(steps))``, float64
        """
        ends = pairs.cpu().numpy()
        p, q = ends.T
        between, closed = self._walks.at(ends)
        is_edge = (self._adjacency.find(pairs.flip(1)) >= 0).cpu().numpy()
        reverse = is_edge * self._scales[0][q] * self._scales[1][p]
        weights = np.concatenate([reverse[:, None], between, both_ends(closed)], axis=1)
        height = self._heights[ends]
        added = np.concatenate(
            [
                np.log(weights + SMALLEST),
                both_ends(self._degrees[ends]),
                both_ends(height),
                height[:, 0] - height[:, 1],
            ],
            axis=1,
        )
        return torch.cat([self._undirected.ordered_at(pairs), rounded(torch.from_numpy(added)).to(pairs.device)], dim=1)


def heights(adjacency: Adjacency) -> FloatArray:
    r"""How many edges a random walk is expected to follow along, minus those against: :math:`\sum_{j<k} P^j \delta`.

    The walk goes k steps from a node and takes each edge at a node, in or out, with the same probability;
    :math:`\delta` is the share of edges that leave a node minus the share of those that arrive. In a hierarchy, edges
    lead from great heights to small ones.

    Shape:
        - output: ``(num_nodes, len(HEIGHTS))``, float64
    """
    leaving, arriving = (side.degree.cpu().numpy().astype(np.float64) for side in (adjacency, adjacency.transpose))
    ones, share = np.ones(adjacency.num_nodes), 1 / np.maximum(leaving + arriving, 1)
    step = ((leaving - arriving) * share)[:, None]
    total, found = step.copy(), {1: step[:, 0].copy()}
    for length in range(2, max(HEIGHTS) + 1):
        following = np.zeros_like(step)
        for side in (adjacency, adjacency.transpose):
            neighbour_sum(*side.arrays, share, ones, step, 1.0, following)
        step = following
        total += step
        found[length] = total[:, 0].copy()
    return np.stack([found[length] for length in HEIGHTS], axis=1)
