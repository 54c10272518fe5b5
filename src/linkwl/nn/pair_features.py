"""Features of node pairs, computed on demand: no n x n table is built."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

import torch
from torch import Tensor

from linkwl.nn.adjacency import Adjacency, edge_weight
from linkwl.nn.operators import neighbour_sum, segment_sum

ROWS = 1 << 10
"""Rows of a block, so that intermediate results stay in the processor's cache."""


class PairFeatures(ABC):
    """One vector for every ordered node pair.

    Layers request what they need: single pairs, blocks, or the sums over the observed edges at each node. Features
    built from node vectors compute these sums from the nodes alone.
    """

    num_nodes: int
    channels: int
    device: torch.device

    @abstractmethod
    def at(self, pairs: Tensor) -> Tensor:
        """The features of ``pairs``, shape ``(num_pairs, 2)``, as ``(num_pairs, channels)``."""

    def block(self, first: Tensor, second: Tensor) -> Tensor:
        """The features of every p in ``first`` with every q in ``second``: ``(len(first), len(second), channels)``."""
        return self.at(torch.cartesian_prod(first, second)).unflatten(0, (len(first), len(second)))

    def star_sums(self, adjacency: Adjacency) -> tuple[Tensor, Tensor]:
        """Sums over observed edges, by their weights, by first node and by second: two of ``(num_nodes, channels)``."""
        values = self.at(adjacency.pairs)
        if adjacency.weight is not None:
            values = values * adjacency.weight.to(values.dtype)[:, None]
        first = segment_sum(values, adjacency.rowptr)
        return first, values.new_zeros(first.shape).index_add(0, adjacency.col, values)


class DensePairs(PairFeatures):
    """A table with one vector per pair, ``(num_nodes, num_nodes, channels)``."""

    def __init__(self, table: Tensor) -> None:
        if table.ndim != 3 or table.shape[0] != table.shape[1]:
            raise ValueError(f"`table` must have shape (n, n, channels), got {tuple(table.shape)}.")
        self.table = table
        self.num_nodes, _, self.channels = table.shape
        self.device = table.device

    def at(self, pairs: Tensor) -> Tensor:
        """Entries of the table."""
        return self.table[pairs[:, 0], pairs[:, 1]]

    def block(self, first: Tensor, second: Tensor) -> Tensor:
        """A block of the table."""
        return self.table[first[:, None], second]


class ProductPairs(PairFeatures):
    r"""Products of node vectors: :math:`\mathbf{x}_{pq} = \mathbf{h}_p \odot \mathbf{h}_q`."""

    def __init__(self, h: Tensor) -> None:
        self.h = h
        self.num_nodes, self.channels = h.shape
        self.device = h.device

    def at(self, pairs: Tensor) -> Tensor:
        """Products at the pairs."""
        return self.h.index_select(0, pairs[:, 0]) * self.h.index_select(0, pairs[:, 1])

    def block(self, first: Tensor, second: Tensor) -> Tensor:
        """Products of all first with all second nodes."""
        return self.h.index_select(0, first)[:, None] * self.h.index_select(0, second)

    def star_sums(self, adjacency: Adjacency) -> tuple[Tensor, Tensor]:
        """Each node's vector times the sum of its neighbours'."""
        first = self.h * neighbour_sum(self.h, adjacency)
        return first, first if adjacency.is_symmetric else self.h * neighbour_sum(self.h, adjacency.transpose)


class SumPairs(PairFeatures):
    r"""Sums of node vectors: :math:`\mathbf{x}_{pq} = \mathbf{a}_p + \mathbf{b}_q`."""

    def __init__(self, a: Tensor, b: Tensor) -> None:
        self.a, self.b = a, b
        self.num_nodes, self.channels = a.shape
        self.device = a.device

    def at(self, pairs: Tensor) -> Tensor:
        """Sums at the pairs."""
        return self.a.index_select(0, pairs[:, 0]) + self.b.index_select(0, pairs[:, 1])

    def star_sums(self, adjacency: Adjacency) -> tuple[Tensor, Tensor]:
        """Each node's own vector once per edge, or by its weight, plus the sum of its neighbours'."""
        leaving, arriving = (part.strength.to(self.a.dtype)[:, None] for part in (adjacency, adjacency.transpose))
        first = torch.addcmul(neighbour_sum(self.b, adjacency), leaving, self.a)
        second = torch.addcmul(neighbour_sum(self.a, adjacency.transpose), arriving, self.b)
        return first, second


class LabelledPairs(PairFeatures):
    r"""Products of node vectors and two labels of a pair: whether it is an edge, and whether it is a node with itself.

    .. math::
        \mathbf{x}_{pq} = \big[\mathbf{h}_p \odot \mathbf{h}_q \,\Vert\, A_{pq} \,\Vert\, \mathbf{1}\{p = q\}\big]

    The last two channels are the labels.

    Args:
        h: Node vectors, ``(num_nodes, h.channels)``.
        adjacency: The observed edges.
        edge_weight: The label of each edge, the same for both directions of an undirected edge; by default its weight,
            or one.
    """

    def __init__(self, h: Tensor, adjacency: Adjacency, edge_weight: Tensor | None = None) -> None:
        self.product = ProductPairs(h)
        self.adjacency = adjacency
        if edge_weight is None:
            ones = h.new_ones(adjacency.num_entries)
            edge_weight = ones if adjacency.weight is None else adjacency.weight.to(h.dtype)
        self.edge_weight = edge_weight
        self.num_nodes, self.channels = len(h), h.shape[1] + 2
        self.device = h.device

    @classmethod
    def weighted(cls, h: Tensor, adjacency: Adjacency) -> LabelledPairs:
        """With every edge labelled by its weight in a walk, see :func:`linkwl.nn.edge_weight`."""
        edges = torch.arange(adjacency.num_entries, device=h.device)
        return cls(h, adjacency, edge_weight(adjacency, adjacency.ends(edges), h.dtype))

    @property
    def h(self) -> Tensor:
        """The node vectors."""
        return self.product.h

    def at(self, pairs: Tensor) -> Tensor:
        """Product and labels at the pairs."""
        labels = torch.stack([self._edge_labels(pairs), (pairs[:, 0] == pairs[:, 1]).to(self.h.dtype)], dim=1)
        return torch.cat([self.product.at(pairs), labels], dim=1)

    def block(self, first: Tensor, second: Tensor) -> Tensor:
        """Products, with the edges and the nodes themselves marked."""
        distinct, again = second.unique(return_inverse=True)
        if len(distinct) < len(second):
            return self.block(first, distinct).index_select(1, again)
        column = torch.full((self.num_nodes,), -1, device=second.device)
        column[second] = torch.arange(len(second), device=second.device)
        table = self.h.new_zeros(len(first), len(second), 2)
        edges, owner = self.adjacency.edges_of(first)
        place = column[self.adjacency.col[edges]]
        inside = place >= 0
        table[owner[inside], place[inside], 0] = self.edge_weight[edges[inside]]
        own = column[first]
        inside = own >= 0
        table[inside.nonzero()[:, 0], own[inside], 1] = 1
        return torch.cat([self.product.block(first, second), table], dim=2)

    def _edge_labels(self, pairs: Tensor) -> Tensor:
        place = self.adjacency.find(pairs)
        return (
            torch.where(place >= 0, self.edge_weight[place.clamp(min=0)], 0) if len(self.edge_weight) else place * 0.0
        )


def row_blocks(*tensors: Tensor) -> Iterator[tuple[Tensor, ...]]:
    """The rows of several tensors of the same length, a block at a time; all at once if a gradient is needed.

    For row-wise computations: large intermediate results take longer to write and read than to compute. A gradient
    needs them anyway.
    """
    size = max(len(tensors[0]), 1) if torch.is_grad_enabled() else ROWS
    return zip(*(tensor.split(size) for tensor in tensors), strict=True)
