"""The observed edges as tensors."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from linkwl.nn.weighted_walks import EdgeValues
from linkwl.typing import FloatArray, IntArray


class Adjacency:
    """Observed edges in compressed rows; immutable, with derived tensors computed once.

    Build one with :meth:`from_csr` or, from PyG's form, with :meth:`from_edge_index`. An undirected edge is stored in
    both of its rows.

    Args:
        rowptr: Row v of `col` is ``rowptr[v] : rowptr[v + 1]``; int64, shape ``(num_nodes + 1,)``.
        col: Neighbours, ascending and distinct within each row; int64, shape ``(num_edges,)``.
        is_symmetric: Whether every edge is stored in both directions.
        values: The weights of the edges without directions, for networks that read them; on the CPU.
        weight: The weight of each entry of `col`, above 0, for sums over neighbours and walks; by default 1.

    Example:
        >>> Adjacency.from_edge_index(torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=4)
        Adjacency(4 nodes, 4 entries, symmetric)
    """

    def __init__(
        self,
        rowptr: Tensor,
        col: Tensor,
        *,
        is_symmetric: bool,
        values: EdgeValues | None = None,
        weight: Tensor | None = None,
    ) -> None:
        self.rowptr = rowptr
        self.col = col
        self.num_nodes = len(rowptr) - 1
        self.is_symmetric = is_symmetric
        self.values = values
        self.weight = weight

    @classmethod
    def from_csr(cls, rowptr: IntArray, col: IntArray, *, is_symmetric: bool) -> Adjacency:
        """From sorted compressed rows, which are copied."""
        wide = [torch.from_numpy(np.array(array, dtype=np.int64)) for array in (rowptr, col)]
        return cls(*wide, is_symmetric=is_symmetric)

    @classmethod
    def from_edge_index(cls, edge_index: Tensor, num_nodes: int) -> Adjacency:
        """From PyG's form; detects whether the edges are symmetric.

        Args:
            edge_index: First and second ends, shape ``(2, num_edges)``; sorted, without duplicates.
            num_nodes: Number of nodes, including isolated ones.

        Raises:
            ValueError: If `edge_index` has another shape, names unknown nodes, is not sorted or has duplicates.
        """
        if edge_index.ndim != 2 or len(edge_index) != 2 or edge_index.is_floating_point():
            raise ValueError(
                "`edge_index` must hold whole numbers and have shape (2, num_edges), "
                f"got {edge_index.dtype} and shape {tuple(edge_index.shape)}."
            )
        row, col = edge_index.long()
        if len(row) and not 0 <= int(edge_index.min()) <= int(edge_index.max()) < num_nodes:
            raise ValueError(f"`edge_index` must hold node indices 0 .. {num_nodes - 1}.")
        key = row * num_nodes + col
        if not bool((key[1:] > key[:-1]).all()):
            raise ValueError(
                "`edge_index` must be sorted by row, then by column, without duplicates; "
                "use `torch_geometric.utils.coalesce(edge_index)`."
            )
        rowptr = torch.zeros(num_nodes + 1, dtype=torch.int64, device=col.device)
        torch.cumsum(torch.bincount(row, minlength=num_nodes), dim=0, out=rowptr[1:])
        mirrored = (col * num_nodes + row).sort().values
        return cls(rowptr, col.contiguous(), is_symmetric=torch.equal(mirrored, key))

    @property
    def device(self) -> torch.device:
        """The device of the tensors."""
        return self.col.device

    @property
    def num_entries(self) -> int:
        """Total number of entries in all rows: twice the number of edges of an undirected graph."""
        return len(self.col)

    @cached_property
    def row(self) -> Tensor:
        """First end of every edge (`col` is the second); int64, shape ``(num_entries,)``."""
        nodes = torch.arange(self.num_nodes, device=self.device)
        return torch.repeat_interleave(nodes, self.degree, output_size=self.num_entries)

    @cached_property
    def pairs(self) -> Tensor:
        """Both ends of every edge; int64, shape ``(num_entries, 2)``."""
        return torch.stack([self.row, self.col], dim=1)

    @cached_property
    def degree(self) -> Tensor:
        """Length of each row; int64, shape ``(num_nodes,)``."""
        return self.rowptr.diff()

    @cached_property
    def strength(self) -> Tensor:
        """Sum of the weights in each row, which without weights is its length; shape ``(num_nodes,)``."""
        if self.weight is None:
            return self.degree
        return self.weight.new_zeros(self.num_nodes).index_add(0, self.row, self.weight)

    @cached_property
    def transpose(self) -> Adjacency:
        """The reversed edges; the same object if the edges are symmetric."""
        if self.is_symmetric:
            return self
        order = torch.argsort(self.col, stable=True)
        rowptr = torch.zeros_like(self.rowptr)
        torch.cumsum(torch.bincount(self.col, minlength=self.num_nodes), dim=0, out=rowptr[1:])
        weight = None if self.weight is None else self.weight[order]
        turned = Adjacency(rowptr, self.row[order], is_symmetric=False, weight=weight)
        turned.__dict__["transpose"] = self
        return turned

    @cached_property
    def undirected(self) -> Adjacency:
        """The edges in both directions, with the mean weight of an edge and its reverse; the same if symmetric."""
        if self.is_symmetric:
            return self
        keys, place = torch.cat([self._keys, self.transpose._keys]).unique(return_inverse=True)
        row, col = keys // self.num_nodes, keys % self.num_nodes
        rowptr = torch.zeros_like(self.rowptr)
        torch.cumsum(torch.bincount(row, minlength=self.num_nodes), dim=0, out=rowptr[1:])
        weight = None
        if self.weight is not None and self.transpose.weight is not None:
            both = torch.cat([self.weight, self.transpose.weight])
            weight = both.new_zeros(len(keys)).index_add(0, place, both) / torch.bincount(place)
        return Adjacency(rowptr, col, is_symmetric=True, weight=weight)

    @cached_property
    def directions(self) -> Tensor:
        """Whether each entry of :attr:`undirected` is an edge, and whether its reverse is; bool, shape ``(.., 2)``."""
        ends = self.undirected.pairs
        return torch.stack([self.find(ends) >= 0, self.find(ends.flip(1)) >= 0], dim=1)

    @cached_property
    def arrays(self) -> tuple[IntArray, IntArray]:
        """The rows for the kernels: `rowptr` as int64 and `col` as int32 arrays."""
        return self.rowptr.cpu().numpy(), self.col.to("cpu", torch.int32).numpy()

    def ends(self, edges: Tensor) -> Tensor:
        """Both ends of the edges at these positions in `col`; int64, shape ``(num_chosen, 2)``."""
        row = torch.searchsorted(self.rowptr, edges, right=True) - 1
        return torch.stack([row, self.col.index_select(0, edges)], dim=1)

    def edges_of(self, nodes: Tensor) -> tuple[Tensor, Tensor]:
        """The positions in `col` of the rows of ``nodes``, one row after the other, and the owner of each.

        The owner is an index into ``nodes``, so a node may be listed more than once.
        """
        count = self.degree[nodes]
        owner = torch.repeat_interleave(torch.arange(len(nodes), device=self.device), count)
        offset = self.rowptr[nodes] - (count.cumsum(0) - count)
        return torch.arange(len(owner), device=self.device) + offset[owner], owner

    def find(self, pairs: Tensor) -> Tensor:
        """The position in `col` of each pair, -1 if it is not an edge; int64, shape ``(num_pairs,)``."""
        if self.num_entries == 0:
            return pairs.new_full((len(pairs),), -1)
        wanted = pairs[:, 0] * self.num_nodes + pairs[:, 1]
        place = torch.searchsorted(self._keys, wanted).clamp(max=self.num_entries - 1)
        return torch.where(self._keys[place] == wanted, place, -1)

    @cached_property
    def _keys(self) -> Tensor:
        """One ascending number per edge."""
        return self.row * self.num_nodes + self.col

    def to(self, device: torch.device | str) -> Adjacency:
        """The same edges on another device."""
        if torch.device(device) == self.device:
            return self
        arrays = self.rowptr.to(device), self.col.to(device)
        weight = None if self.weight is None else self.weight.to(device)
        return Adjacency(*arrays, is_symmetric=self.is_symmetric, values=self.values, weight=weight)

    def with_values(self, values: EdgeValues | None) -> Adjacency:
        """The same edges with these weights."""
        return Adjacency(self.rowptr, self.col, is_symmetric=self.is_symmetric, values=values)

    def with_weight(self, weight: FloatArray) -> Adjacency:
        """The same edges, each entry of `col` with a weight in sums over neighbours and in walks."""
        tensor = torch.from_numpy(np.array(weight, dtype=np.float64)).to(self.device)
        return Adjacency(self.rowptr, self.col, is_symmetric=self.is_symmetric, weight=tensor)

    def __repr__(self) -> str:
        kind = "symmetric" if self.is_symmetric else "directed"
        return f"Adjacency({self.num_nodes} nodes, {self.num_entries} entries, {kind})"


def edge_weight(adjacency: Adjacency, ends: Tensor, dtype: torch.dtype) -> Tensor:
    r"""Symmetric normalisation: :math:`1 / \sqrt{d_p d_q}` of edges (p, q); walks through hubs get little weight.

    In a directed graph :math:`d_p` counts the edges that leave p and :math:`d_q` those that arrive at q. With weights
    it is :math:`w_{pq} / \sqrt{s_p s_q}`, where s are the sums of the weights of these edges.

    Shape:
        - ends: ``(num_chosen, 2)``, edges of the adjacency
        - output: ``(num_chosen,)``
    """
    leaving = adjacency.strength.index_select(0, ends[:, 0])
    arriving = adjacency.transpose.strength.index_select(0, ends[:, 1])
    share = (leaving * arriving).to(dtype).rsqrt()
    return share if adjacency.weight is None else share * adjacency.weight[adjacency.find(ends)].to(dtype)
