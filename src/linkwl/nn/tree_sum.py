"""Decision trees as a layer."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from linkwl.sparse.trees import Trees, tree_sums


class TreeSum(nn.Module):
    """The sum of decision trees that were grown elsewhere; their arrays are buffers, and nothing is differentiable.

    Args:
        num_trees: Number of trees.
        num_splits: Number of their splits.
        num_leaves: Number of their leaves.

    Shape:
        - x: ``(num_rows, num_columns)``
        - output: ``(num_rows,)``, float64
    """

    def __init__(self, num_trees: int, num_splits: int, num_leaves: int) -> None:
        super().__init__()
        self.register_buffer("root", torch.zeros(num_trees, dtype=torch.int32))
        self.register_buffer("feature", torch.zeros(num_splits, dtype=torch.int32))
        self.register_buffer("threshold", torch.zeros(num_splits, dtype=torch.float64))
        # Not "children", which every module has already.
        self.register_buffer("child", torch.zeros(num_splits, 2, dtype=torch.int32))
        self.register_buffer("leaf", torch.zeros(num_leaves, dtype=torch.float64))

    @classmethod
    def of(cls, trees: Trees) -> TreeSum:
        """The layer of these trees."""
        layer = cls(len(trees.root), len(trees.feature), len(trees.leaf))
        for buffer, array in zip(layer.buffers(), trees, strict=True):
            buffer.copy_(torch.from_numpy(array))
        return layer

    @property
    def trees(self) -> Trees:
        """The trees as arrays; the buffers are in the same order."""
        return Trees(*(buffer.cpu().numpy() for buffer in self.buffers()))

    def forward(self, x: Tensor) -> Tensor:
        """Adds the leaves that each row reaches."""
        return torch.from_numpy(tree_sums(self.trees, x.cpu().numpy())).to(x.device)

    def extra_repr(self) -> str:
        """The number of trees."""
        return f"num_trees={len(self.get_buffer('root'))}"
