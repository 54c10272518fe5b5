"""Local 2-FWL: a pair hears from the two-step walks between its ends that follow observed edges."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from linkwl.nn.norms import NormName, create_norm, dropout
from linkwl.nn.operators import join
from linkwl.sparse import Triples


class LocalTwoFWLConv(nn.Module):
    r"""Local 2-FWL layer: the walks through a common neighbour, joined channel by channel.

    .. math::
        \mathbf{y}_{pq} = \sum_{r} \mathbf{x}_{pr} \odot \mathbf{m}_{rq}, \qquad
        \mathbf{x}'_{pq} = \sigma\big(W [\mathbf{y}_{pq} \Vert \mathbf{e}_{pq}]\big)

    The :class:`~linkwl.sparse.Triples` select the middle nodes r; they depend on the graph, not on weights:

    - :func:`linkwl.sparse.plan_walks`: both (p, r) and (r, q) are observed, as in the published code. Then
      :math:`\mathbf{m}` are features of observed edges, so that each layer makes walks one edge longer;
    - :func:`linkwl.sparse.plan_unions`: at least one of them is observed, as in the paper. Then :math:`\mathbf{m}` are
      features of the same pairs as :math:`\mathbf{x}`.

    A plan contains only pairs that the targets depend on: time and memory grow with their two-step walks, not with
    those of the graph. Without a bias, and with ReLU as :math:`\sigma`, a pair that no walk reaches stays exactly zero.

    Reference: Hu et al., 2022, arXiv:2206.09567, local 2-FWL.

    Args:
        in_channels: Width of both factors.
        out_channels: Width of each output pair.
        own_channels: Width of a pair's own features :math:`\mathbf{e}`.
        bias: Whether the linear map has one.
        norm: ``layer`` or ``none``, before the ReLU.
        dropout: Dropout before the ReLU.
        activation: Whether there is a ReLU.

    Shape:
        - x: ``(triples.num_left, in_channels)``
        - m: ``(triples.num_right, in_channels)``
        - own: ``(triples.num_out, own_channels)``
        - output: ``(triples.num_out, out_channels)``
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        *,
        own_channels: int = 1,
        bias: bool = False,
        norm: NormName = "none",
        dropout: float = 0.0,
        activation: bool = True,
    ) -> None:
        super().__init__()
        if norm == "graph":
            raise ValueError("`norm` must be 'layer' or 'none': a pair must not depend on other pairs of its batch.")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.update = nn.Linear(in_channels + own_channels, out_channels, bias=bias)
        self.norm = create_norm(norm, out_channels)
        self.dropout = dropout
        self.activation = activation
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """The identity on the walks if the widths allow it, and zero weights on the pair's own features."""
        if self.in_channels == self.out_channels:
            nn.init.eye_(self.update.weight)
        else:
            nn.init.xavier_uniform_(self.update.weight)
        if self.update.bias is not None:
            nn.init.zeros_(self.update.bias)

    def forward(self, x: Tensor, m: Tensor, triples: Triples, own: Tensor) -> Tensor:
        """One round: join, then update."""
        y = torch.cat([join(x, m, triples), own], dim=1)
        z = dropout(self.norm(self.update(y)), self.dropout, self.training)
        return z.relu() if self.activation else z

    def extra_repr(self) -> str:
        """Both widths."""
        return f"{self.in_channels}, {self.out_channels}"
