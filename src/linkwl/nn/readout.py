"""The readout: one score from the vectors of a pair and its two nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import torch
from torch import Tensor, nn

from linkwl.nn.pair_features import row_blocks
from linkwl.nn.perceptron import Perceptron, PerceptronEnsemble, reset_children

ReadoutName: TypeAlias = Literal["mlp", "linear", "sum"]

# Vectors shorter than this have no direction: if all nodes are equal, normalisation leaves only rounding errors.
_SHORTEST = 1e-2


class PairReadout(nn.Module):
    r"""One logit per pair, the same for (p, q) and (q, p) unless pairs are ordered.

    A perceptron reads the pair's own vector, as the sum or product of its two orientations, and at every depth of the
    node encoder the products, the sums and the cosine of its ends' vectors. ``linear`` and ``sum`` are the published
    readouts: a linear map, or the plain sum, of the product of the orientations and the product of the ends at the last
    depth. For ordered pairs both orientations are concatenated (the perceptron also concatenates both ends), and
    ``sum`` reads one orientation, so that (p, q) and (q, p) differ.

    Args:
        pair_channels: Width of a pair.
        node_channels: Width of a node.
        depths: Number of depths at which the ends are read; 0 for none.
        kind: ``mlp``, ``linear`` or ``sum``.
        hidden: Width of the perceptron.
        layers: Number of hidden layers of the perceptron.
        members: Number of perceptrons, each with its own weights.
        dropout: Dropout in the perceptron.
        is_ordered: Whether (p, q) and (q, p) are different pairs.
        product: Whether the perceptron reads the product of the orientations; else their sum.

    Shape:
        - z, z_reverse: ``(num_pairs, pair_channels)``
        - nodes: vectors at every depth, each ``(num_nodes, node_channels)``; the last ``depths`` of them are read
        - pairs: ``(num_pairs, 2)``
        - output: ``(num_pairs,)``, or ``(members, num_pairs)`` for several members
    """

    def __init__(
        self,
        pair_channels: int,
        node_channels: int,
        depths: int,
        *,
        kind: ReadoutName = "mlp",
        hidden: int = 32,
        layers: int = 1,
        members: int = 1,
        dropout: float = 0.0,
        is_ordered: bool = False,
        product: bool = False,
    ) -> None:
        super().__init__()
        self.kind, self.is_ordered, self.product = kind, is_ordered, product
        self.depths = depths if kind == "mlp" else min(depths, 1)
        if kind not in get_args(ReadoutName):
            raise ValueError(f"`kind` must be one of {get_args(ReadoutName)}, got {kind!r}.")
        if kind == "mlp":
            orientations, ends = (2, 3) if is_ordered else (1, 2)
            width = orientations * pair_channels + depths * (ends * node_channels + 1)
            if members > 1:
                self.reader: nn.Module = PerceptronEnsemble(width, hidden, members, layers=layers, dropout=dropout)
            else:
                perceptron = Perceptron(width, hidden, layers=layers, dropout=dropout)
                self.reader = nn.Sequential(perceptron, nn.Linear(hidden, 1))
        elif kind == "linear":
            self.reader = nn.Linear((1 + is_ordered) * pair_channels + self.depths * node_channels, 1)
        else:
            self.reader = _Sum()

    def reset_parameters(self) -> None:
        """Fresh weights."""
        reset_children(self)

    def forward(self, z: Tensor, z_reverse: Tensor, nodes: Sequence[Tensor], pairs: Tensor) -> Tensor:
        """The logits of pairs."""
        read = nodes[len(nodes) - self.depths :]
        lengths = [h.norm(dim=1).clamp(min=_SHORTEST) for h in read] if self.kind == "mlp" else []
        blocks = row_blocks(z, z_reverse, pairs)
        return torch.cat([self._read(read, lengths, *block) for block in blocks], dim=-1)

    def _read(self, nodes: Sequence[Tensor], lengths: Sequence[Tensor], *block: Tensor) -> Tensor:
        z, z_reverse, pairs = block
        parts = self._orientations(z, z_reverse)
        for k, h in enumerate(nodes):
            h_p, h_q = (h.index_select(0, end) for end in pairs.T)
            product = h_p * h_q
            parts.append(product)
            if self.kind == "mlp":
                parts += [h_p, h_q] if self.is_ordered else [h_p + h_q]
                parts.append((product.sum(1) / lengths[k][pairs].prod(1))[:, None])
        return self.reader(torch.cat(parts, dim=1)).squeeze(-1)

    def _orientations(self, z: Tensor, z_reverse: Tensor) -> list[Tensor]:
        if self.is_ordered:
            return [z] if self.kind == "sum" else [z, z_reverse]
        return [z * z_reverse if self.product or self.kind != "mlp" else z + z_reverse]


class _Sum(nn.Module):
    """Adds channels up."""

    def forward(self, x: Tensor) -> Tensor:
        return x.sum(1, keepdim=True)
