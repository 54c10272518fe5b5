"""2-WL: a pair hears from all pairs that share one of its ends."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from linkwl.nn.gated_branch import GatedBranch
from linkwl.nn.pair_features import DensePairs, LabelledPairs, PairFeatures
from linkwl.nn.perceptron import Perceptron, reset_children

BLOCK_ELEMENTS = 1 << 23
"""Number of values in the largest array of a block."""


class TwoWLConv(nn.Module):
    r"""2-WL layer: sums over a pair's row and column, whether or not the pairs in them are edges.

    .. math::
        \mathbf{r}_p = \sum_{i \in V} g(\mathbf{x}_{pi}), \quad \mathbf{c}_q = \sum_{i \in V} g(\mathbf{x}_{iq}), \quad
        \mathbf{x}'_{pq} = f\big([\mathbf{x}_{pq} \Vert \mathbf{r}_p \Vert \mathbf{c}_q]\big)

    The sums depend on one node each, so the targets need two vectors per node and no n x n table: rows are streamed
    in blocks and computed again for the gradient, :math:`O(n |U| c^2)` time for the nodes U of the targets and the
    memory of a block. With a :class:`GatedBranch` on :class:`LabelledPairs` they have a closed form, :math:`O((n +
    m) c^2)`. Off the edges gated sums are means, and the logarithm of n enters as a separate term.

    Reference: Hu et al., 2022, arXiv:2206.09567, 2-WL; one branch for both sums, as in the published code.

    Args:
        branch: The function g, from ``(..., in_channels)`` to ``(..., branch.out_channels)``.
        update: The function f, from ``in_channels + 2 * branch.out_channels`` to the width of the output.

    Shape:
        - x: any :class:`PairFeatures`, or a table ``(n, n, in_channels)``
        - targets: ``(num_targets, 2)``; by default all pairs
        - output: ``(num_targets, out_channels)``, or ``(n, n, out_channels)`` for all pairs
    """

    def __init__(self, branch: Perceptron | GatedBranch, update: nn.Module) -> None:
        super().__init__()
        self.branch = branch
        self.update = update
        # A perceptron's sums grow with the number of nodes. Gated sums are means, so the number is a separate term.
        self.count = nn.Parameter(torch.empty(branch.out_channels)) if isinstance(branch, GatedBranch) else None
        self._reset_count()

    def reset_parameters(self) -> None:
        """Fresh weights in both functions."""
        reset_children(self)
        self._reset_count()

    def _reset_count(self) -> None:
        if self.count is not None:
            nn.init.normal_(self.count, std=0.1)

    def forward(self, x: PairFeatures | Tensor, targets: Tensor | None = None) -> Tensor:
        """One round at the targets, or at all pairs."""
        pairs = DensePairs(x) if isinstance(x, Tensor) else x
        if targets is None:
            everyone = torch.arange(pairs.num_nodes, device=pairs.device)
            everything = self.forward(pairs, torch.cartesian_prod(everyone, everyone))
            return everything.unflatten(0, (pairs.num_nodes, pairs.num_nodes))
        nodes, place = targets.unique(return_inverse=True)
        rows, columns = self.sums(pairs, nodes)
        return self.combine(pairs.at(targets), rows.index_select(0, place[:, 0]), columns.index_select(0, place[:, 1]))

    def sums(self, x: PairFeatures, nodes: Tensor) -> tuple[Tensor, Tensor]:
        """Row sums and column sums of ``nodes``, each ``(len(nodes), branch.out_channels)``."""
        if isinstance(self.branch, GatedBranch) and isinstance(x, LabelledPairs):
            rows, columns = (part.index_select(0, nodes) for part in self.branch.sums(x, self.scale(x)))
        else:
            rows = self._streamed(x, nodes, by_row=True)
            is_symmetric = isinstance(x, LabelledPairs) and x.adjacency.is_symmetric
            # Equal up to dropout, whose masks are per pair and not per unordered pair.
            columns = rows if is_symmetric else self._streamed(x, nodes, by_row=False)
        if self.count is None:
            return rows, columns
        size = math.log1p(x.num_nodes) * self.count
        return rows + size, columns + size

    def combine(self, own: Tensor, row: Tensor, column: Tensor) -> Tensor:
        """The function f of the pairs' own vectors and their two sums."""
        return self.update(torch.cat([own, row, column], dim=1))

    def scale(self, x: PairFeatures) -> float:
        """The weight of a pair that is not an edge, so that a sum over all pairs is a mean."""
        return 1 / x.num_nodes

    def _streamed(self, x: PairFeatures, nodes: Tensor, *, by_row: bool) -> Tensor:
        everyone = torch.arange(x.num_nodes, device=nodes.device)
        size = max(1, BLOCK_ELEMENTS // max(1, x.num_nodes * max(x.channels, self.branch.out_channels)))

        def total(chosen: Tensor) -> Tensor:
            block = x.block(chosen, everyone) if by_row else x.block(everyone, chosen).transpose(0, 1)
            is_gated = isinstance(self.branch, GatedBranch)
            return (self.branch(block, self.scale(x)) if is_gated else self.branch(block)).sum(1)

        blocks = [checkpoint(total, chosen, use_reentrant=False) for chosen in nodes.split(size)]
        return torch.cat(blocks) if blocks else nodes.new_zeros(0, self.branch.out_channels, dtype=torch.float32)
