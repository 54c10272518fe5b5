"""2-FWL: a pair hears from every two-step walk between its ends, along edges or not."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from linkwl.nn.gated_branch import GatedBranch, gated_walks
from linkwl.nn.pair_features import DensePairs, LabelledPairs, PairFeatures
from linkwl.nn.perceptron import Perceptron, reset_children
from linkwl.nn.two_wl_conv import BLOCK_ELEMENTS


class TwoFWLConv(nn.Module):
    r"""Folklore 2-WL layer: the messages of the pairs (p, i) and (i, q), multiplied and summed over all nodes i.

    .. math::
        \mathbf{m}_{pq} = \sum_{i \in V} g(\mathbf{x}_{pi}) \odot h(\mathbf{x}_{iq}), \qquad
        \mathbf{x}'_{pq} = f\big([\mathbf{x}_{pq} \Vert \mathbf{m}_{pq}]\big)

    The same function is computed in three ways:

    - all pairs: one matrix product per channel, :math:`O(n^3 c)` time and :math:`O(n^2 c)` memory;
    - targets only: the middle nodes are streamed in blocks and computed again for the gradient, :math:`O(n (|U| c^2 +
      |S| c))` time for targets S with nodes U, and memory for a block;
    - targets, with :class:`GatedBranch` on :class:`LabelledPairs`: :math:`O(m c^2 + |S| c^3)` time. Off the edges both
      factors are linear in the middle node, so those terms are one bilinear form; terms with one edge are sums over the
      edges at one end, and terms with two are the two-step walks. See :func:`gated_walks`.

    Reference: Hu et al., 2022, arXiv:2206.09567, 2-FWL.

    Args:
        left: The function g, from ``(..., in_channels)`` to ``(..., out_channels)``.
        right: The function h, of the same kind and widths.
        update: The function f, from ``in_channels + left.out_channels`` to the width of the output.

    Shape:
        - x: any :class:`PairFeatures`, or a table ``(n, n, in_channels)``
        - targets: ``(num_targets, 2)``; by default all pairs
        - output: ``(num_targets, out_channels)``, or ``(n, n, out_channels)`` for all pairs
    """

    def __init__(self, left: Perceptron | GatedBranch, right: Perceptron | GatedBranch, update: nn.Module) -> None:
        super().__init__()
        if type(left) is not type(right) or left.out_channels != right.out_channels:
            raise ValueError("`left` and `right` must be branches of the same kind and widths.")
        self.left = left
        self.right = right
        self.update = update

    def reset_parameters(self) -> None:
        """Fresh weights in all functions."""
        reset_children(self)

    def forward(self, x: PairFeatures | Tensor, targets: Tensor | None = None) -> Tensor:
        """One round at the targets, or at all pairs."""
        pairs = DensePairs(x) if isinstance(x, Tensor) else x
        if targets is None:
            everyone = torch.arange(pairs.num_nodes, device=pairs.device)
            table = pairs.table if isinstance(pairs, DensePairs) else pairs.block(everyone, everyone)
            return self.update(torch.cat([table, self.products(table)], dim=2))
        return self.update(torch.cat([pairs.at(targets), self.walks(pairs, targets)], dim=1))

    def products(self, table: Tensor) -> Tensor:
        """The sums for all pairs of a table ``(n, n, in_channels)``: one matrix product per channel."""
        scale = len(table) ** -0.5
        left, right = (self._message(branch, table, scale).permute(2, 0, 1) for branch in (self.left, self.right))
        return torch.bmm(left, right).permute(1, 2, 0)

    def walks(self, x: PairFeatures, targets: Tensor) -> Tensor:
        """The sums at the targets, ``(num_targets, out_channels)``."""
        if isinstance(self.left, GatedBranch) and isinstance(self.right, GatedBranch) and isinstance(x, LabelledPairs):
            return gated_walks(self.left, self.right, x, targets, x.num_nodes**-0.5)
        return self._streamed(x, targets)

    def _message(self, branch: Perceptron | GatedBranch, x: Tensor, scale: float) -> Tensor:
        return branch(x, scale) if isinstance(branch, GatedBranch) else branch(x)

    def _streamed(self, x: PairFeatures, targets: Tensor) -> Tensor:
        """Sums over blocks of middle nodes; only the pairs of one block are in memory at a time."""
        (first, p), (second, q) = (end.unique(return_inverse=True) for end in targets.T)
        width = max(x.channels, self.left.out_channels)
        size = max(1, BLOCK_ELEMENTS // max(1, width * (len(first) + len(second) + len(targets))))
        scale = x.num_nodes**-0.5

        def part(middle: Tensor) -> Tensor:
            left = self._message(self.left, x.block(first, middle), scale)
            right = self._message(self.right, x.block(middle, second).transpose(0, 1), scale)
            return torch.einsum("sic,sic->sc", left.index_select(0, p), right.index_select(0, q))

        total: Tensor | None = None
        for middle in torch.arange(x.num_nodes, device=targets.device).split(size):
            heard: Tensor = checkpoint(part, middle, use_reentrant=False)
            total = heard if total is None else total + heard
        if total is None:
            raise ValueError("`x` must have at least one node.")
        return total
