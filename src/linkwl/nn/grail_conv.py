"""GraIL's layer: messages along facts, weighted by an attention to the queried relation."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from linkwl.nn.norms import dropout
from linkwl.nn.operators import segment_sum


@dataclass(frozen=True, eq=False)
class QueryGraph:
    """The subgraphs of several queries as one graph; facts are in the order of their tails."""

    label: Tensor
    """The number of each node's label; shape ``(num_nodes,)``."""
    ptr: Tensor
    """The facts of tail v are ``ptr[v] : ptr[v + 1]``."""
    head: Tensor
    relation: Tensor
    tail: Tensor
    query: Tensor
    """The queried relation of the subgraph that a fact is in."""
    node_ptr: Tensor
    """The nodes of query i are ``node_ptr[i] : node_ptr[i + 1]``."""
    first: Tensor
    """The node of each query's head."""
    second: Tensor
    """The node of each query's tail."""
    target: Tensor
    """The relation of each query."""


class GrailConv(nn.Module):
    r"""Relational convolution with a basis decomposition and edge attention.

    .. math::
        \mathbf{h}'_t &= \operatorname{ReLU}\Big(W_0 \mathbf{h}_t
            + \sum_{(s, r, t)} \alpha_{srt}\, W_r \mathbf{h}_s\Big), \qquad W_r = \sum_b a_{rb} V_b \\
        \alpha_{srt} &= \operatorname{sigmoid}\big(\mathbf{b}^\top
            \operatorname{ReLU}(A [\mathbf{h}_s \Vert \mathbf{h}_t \Vert \mathbf{e}_r \Vert \mathbf{e}_{r^*}])\big)

    with :math:`r^*` the queried relation. Messages follow the direction of facts; a node that no fact points to gets
    zeros.

    Reference: Teru et al., 2020, arXiv:1911.06962, Section 3.3.

    Args:
        in_channels: Width of each input vector.
        out_channels: Width of each output vector.
        num_relations: Number of relations.
        num_bases: Number of bases.
        attention_channels: Width of the attention's relation vectors and hidden layer.
        edge_dropout: Probability that a message is dropped in a training step.

    Shape:
        - x: ``(num_nodes, in_channels)``
        - output: ``(num_nodes, out_channels)``
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        num_relations: int,
        *,
        num_bases: int = 4,
        attention_channels: int = 32,
        edge_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.in_channels, self.out_channels, self.edge_dropout = in_channels, out_channels, edge_dropout
        self.bases = nn.ModuleList(nn.Linear(in_channels, out_channels, bias=False) for _ in range(num_bases))
        self.mixture = nn.Parameter(torch.empty(num_relations, num_bases))
        self.own = nn.Linear(in_channels, out_channels, bias=False)
        # The rows of A, in parts: each is applied to nodes or relations, of which there are fewer than facts.
        self.sender = nn.Linear(in_channels, attention_channels)
        self.receiver = nn.Linear(in_channels, attention_channels, bias=False)
        self.relation = nn.Linear(attention_channels, attention_channels, bias=False)
        self.query = nn.Linear(attention_channels, attention_channels, bias=False)
        self.attention = nn.Linear(attention_channels, 1)
        nn.init.xavier_uniform_(self.mixture)

    def forward(self, x: Tensor, graph: QueryGraph, relations: Tensor) -> Tensor:
        """One layer; ``relations`` are the attention's vectors of all relations."""
        sender, receiver = self.sender(x).index_select(0, graph.head), self.receiver(x).index_select(0, graph.tail)
        kinds = self.relation(relations).index_select(0, graph.relation)
        queries = self.query(relations).index_select(0, graph.query)
        alpha = torch.sigmoid(self.attention((sender + receiver + kinds + queries).relu()))
        alpha = dropout(alpha, self.edge_dropout, self.training)
        share = self.mixture.index_select(0, graph.relation) * alpha
        messages = x.new_zeros(len(graph.head), self.out_channels)
        for b, basis in enumerate(self.bases):
            messages = messages + share[:, b : b + 1] * basis(x).index_select(0, graph.head)
        heard = (self.own(x) + segment_sum(messages, graph.ptr)).relu()
        return heard * (graph.ptr.diff() > 0).to(x)[:, None]

    def extra_repr(self) -> str:
        """Both widths."""
        return f"{self.in_channels}, {self.out_channels}"
