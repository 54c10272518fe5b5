"""Similarity of the features around two nodes."""

from __future__ import annotations

import math

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.operators import neighbour_sum
from linkwl.nn.pair_features import row_blocks
from linkwl.nn.sparse_linear import SparseRows, principal_axes, sparse_rows_times

RANK = 256
"""Number of axes."""
DEPTH = 4
"""Number of smoothing steps."""
CONTENT_RANK, CONTENT_DEPTH = 64, 2
"""Axes and smoothing steps of what is read of a single node."""
_SHORTEST = 1e-6


class FeatureSimilarity(nn.Module):
    r"""Inner products and cosines of smoothed features: :math:`Z^0 = F B, Z^{t+1} = (I + S) Z^t / 2`.

    B projects features on their leading axes, with each column weighted by its rarity, as in latent semantic analysis;
    :math:`S = D^{-1/2} A D^{-1/2}`. B is computed from the training graph, not learned.

    Args:
        num_features: Width of the feature rows.
        rank: Number of axes.
        depth: Number of smoothing steps.

    Shape:
        - output: ``(num_pairs, 2 * (depth + 1))``
    """

    basis: Tensor
    center: Tensor

    def __init__(self, num_features: int, rank: int = RANK, depth: int = DEPTH) -> None:
        super().__init__()
        self.depth = depth
        self.channels = 2 * (depth + 1)
        self.register_buffer("basis", torch.zeros(num_features, min(rank, num_features)))
        self.register_buffer("center", torch.zeros(num_features))

    @torch.no_grad()
    def fit(self, features: SparseRows | Tensor, seed: int) -> None:
        """Computes weights and axes from the feature rows of a graph."""
        if isinstance(features, SparseRows):
            count = np.bincount(features.col, minlength=features.num_columns)
            scale = np.log(features.num_rows / np.maximum(count, 1))
            shape = (features.num_rows, features.num_columns)
            matrix = sp.csr_array((features.value * scale[features.col], features.col, features.rowptr), shape)
        else:
            rows = features.double().cpu().numpy()
            spread = rows.std(axis=0)
            scale = np.divide(1.0, spread, where=spread > 0, out=np.zeros_like(spread))
            self.center.copy_(torch.from_numpy(rows.mean(axis=0)))
            matrix = sp.csr_array((rows - rows.mean(axis=0)) * scale)
        rank = min(self.basis.shape[1], min(matrix.shape) - 1)
        if rank < 1 or not matrix.data.any():  # no feature distinguishes nodes
            return
        basis = scale[:, None] * principal_axes(matrix, rank, seed)
        self.basis[:, : basis.shape[1]] = torch.from_numpy(basis).to(self.basis)

    @torch.no_grad()
    def encode(self, adjacency: Adjacency, features: SparseRows | Tensor) -> list[Tensor]:
        """The nodes' projected features after 0, 1, .. steps of smoothing."""
        if isinstance(features, SparseRows):
            z = sparse_rows_times(features, self.basis)
        else:
            z = (features.to(self.basis.dtype) - self.center) @ self.basis
        scale = adjacency.degree.clamp(min=1).to(z.dtype).rsqrt()[:, None]
        depths = [z]
        for _ in range(self.depth):
            z = (z + scale * neighbour_sum(scale * z, adjacency)) / 2
            depths.append(z)
        return depths

    @torch.no_grad()
    def forward(self, depths: list[Tensor], pairs: Tensor) -> Tensor:
        """Inner product and cosine of every pair at every depth."""
        parts = []
        for z in depths:
            inner = torch.cat([(z.index_select(0, p) * z.index_select(0, q)).sum(1) for p, q in row_blocks(*pairs.T)])
            length = z.norm(dim=1).clamp(min=_SHORTEST)[pairs].prod(1)
            parts += [inner, inner / length]
        return torch.stack(parts, dim=1)

    @property
    def content_channels(self) -> int:
        """Width of what is read of a single node."""
        return min(CONTENT_RANK, self.basis.shape[1])

    @torch.no_grad()
    def content(self, depths: list[Tensor], nodes: Tensor) -> Tensor:
        """What features there are around nodes: the leading axes of the smoothed features, scaled to equal length.

        Shape:
            - output: ``(num_nodes, content_channels)``
        """
        z = depths[CONTENT_DEPTH].index_select(0, nodes)[:, : self.content_channels]
        return z * (math.sqrt(self.content_channels) / z.norm(dim=1, keepdim=True).clamp(min=_SHORTEST))
