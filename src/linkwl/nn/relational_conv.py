"""R-GCN: an entity hears from its neighbours, with weights for each relation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from linkwl.nn.norms import dropout
from linkwl.nn.operators import segment_sum
from linkwl.sparse.rows import starts
from linkwl.typing import Queries


@dataclass(frozen=True, eq=False)
class RelationalEdges:
    """Facts in both directions, by ascending receiver; with R relations there are 2R kinds of edges.

    Kind r leads from the tail of a fact to its head, kind R + r from the head to the tail.
    """

    ptr: Tensor
    """The edges of receiver v are ``ptr[v] : ptr[v + 1]``."""
    sender: Tensor
    kind: Tensor
    weight: Tensor
    """One divided by the number of edges of the same kind and receiver; float64, shape ``(num_edges, 1)``."""

    @classmethod
    def of(cls, triples: Queries, num_nodes: int, num_relations: int) -> RelationalEdges:
        """From facts."""
        head, relation, tail = np.asarray(triples, dtype=np.int64).reshape(-1, 3).T
        receiver, sender = np.concatenate([head, tail]), np.concatenate([tail, head])
        kind = np.concatenate([relation, num_relations + relation])
        order = np.lexsort((sender, kind, receiver))
        receiver, sender, kind = receiver[order], sender[order], kind[order]
        _, place, count = np.unique(receiver * 2 * num_relations + kind, return_inverse=True, return_counts=True)
        ptr = starts(np.bincount(receiver, minlength=num_nodes))
        weight = 1 / count[place.reshape(-1)][:, None]
        return cls(*(torch.from_numpy(array) for array in (ptr, sender, kind, weight)))


class RelationalConv(nn.Module):
    r"""R-GCN layer with a basis decomposition.

    .. math::
        \mathbf{h}'_v = W_0 \mathbf{h}_v + \mathbf{b}
            + \sum_{k} \frac{1}{|N_k(v)|} \sum_{u \in N_k(v)} W_k \mathbf{h}_u, \qquad W_k = \sum_b a_{kb} V_b

    over the 2R kinds of edges k, the relations and their inverses. Every basis is applied to the entities before the
    edges are walked, so time grows with entities times bases, and with edges times bases times channels.

    Reference: Schlichtkrull et al., 2018, arXiv:1703.06103, Eq. (2) and (3).

    Args:
        in_channels: Width of each input vector.
        out_channels: Width of each output vector.
        num_kinds: Number of kinds of edges.
        num_bases: Number of bases.
        edge_dropout: Probability that an edge is dropped in a training step.
        self_dropout: The same for an entity's own vector.

    Shape:
        - x: ``(num_nodes, in_channels)``
        - output: ``(num_nodes, out_channels)``
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        num_kinds: int,
        num_bases: int,
        *,
        edge_dropout: float = 0.0,
        self_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.in_channels, self.out_channels = in_channels, out_channels
        self.edge_dropout, self.self_dropout = edge_dropout, self_dropout
        self.bases = nn.ModuleList(nn.Linear(in_channels, out_channels, bias=False) for _ in range(num_bases))
        self.mixture = nn.Parameter(torch.empty(num_kinds, num_bases))
        self.own = nn.Linear(in_channels, out_channels)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Glorot weights, no bias."""
        for linear in (*self.bases, self.own):
            nn.init.xavier_uniform_(linear.weight)
        nn.init.xavier_uniform_(self.mixture)
        nn.init.zeros_(self.own.bias)

    def forward(self, x: Tensor, edges: RelationalEdges) -> Tensor:
        """One layer."""
        keep = dropout(edges.weight.to(x), self.edge_dropout, self.training)
        share = self.mixture.index_select(0, edges.kind) * keep  # (num_edges, num_bases)
        messages = torch.zeros((), dtype=x.dtype)
        for b, basis in enumerate(self.bases):
            messages = messages + share[:, b : b + 1] * basis(x).index_select(0, edges.sender)
        own = self.own(x) * dropout(x.new_ones(len(x), 1), self.self_dropout, self.training)
        return own + segment_sum(messages.expand(len(edges.sender), self.out_channels), edges.ptr)

    def extra_repr(self) -> str:
        """Both widths."""
        return f"{self.in_channels}, {self.out_channels}"
