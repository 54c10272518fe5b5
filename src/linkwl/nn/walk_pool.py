"""Walk pooling: how random walks between two nodes change when their link is added."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.kernels import has_kernels
from linkwl.nn.norms import dropout
from linkwl.sparse.edge_products import edge_products, edge_products_gradient
from linkwl.sparse.return_walks import first_returns, first_returns_gradient
from linkwl.typing import IntArray

_SLOPE = 0.2  # of the leaky ReLU
_NOWHERE = -1e9  # the log-sum of a node without neighbours


class Subgraphs:
    """The subgraphs of some pairs as one graph, each without the link of its pair.

    Args:
        adjacency: The edges; none joins two subgraphs.
        node_ptr: The nodes of pair i are ``node_ptr[i] : node_ptr[i + 1]``; int64.
        ends: The ends of each pair, among its nodes; int64, shape ``(num_pairs, 2)``.
    """

    def __init__(self, adjacency: Adjacency, node_ptr: Tensor, ends: Tensor) -> None:
        self.adjacency, self.node_ptr, self.ends = adjacency, node_ptr, ends

    @property
    def rows(self) -> tuple[IntArray, IntArray, IntArray]:
        """The starts of the subgraphs and the rows of their edges, for the kernels."""
        adjacency = self.adjacency
        return self.node_ptr.numpy(), adjacency.rowptr.numpy(), adjacency.col.numpy()


class WalkPool(nn.Module):
    r"""Numbers of a pair (i, j) from the powers of two transition matrices, with its link and without.

    .. math::
        P_{xy} = \frac{\exp \omega_{xy}}{\sum_{z \in \Gamma(x)} \exp \omega_{xz}}, \qquad
        \omega_{xy} = \frac{Q(\mathbf{z}_x)^\top K(\mathbf{z}_y)}{\sqrt{c}}

    With :math:`P^+` for the subgraph with the link and :math:`P^-` for that without, they are, for each head and
    :math:`\tau = 2, \ldots, \tau_c`, the sums :math:`(P^\tau)_{ii} + (P^\tau)_{jj}` and :math:`(P^\tau)_{ij} +
    (P^\tau)_{ji}` of both, and :math:`\mathrm{tr} (P^+)^\tau - \mathrm{tr} (P^-)^\tau`; and
    :math:`\sigma(\omega_{ij}) + \sigma(\omega_{ji})`. The link is added and removed for links and other pairs alike.

    No power is computed. The link changes only the rows of i and j, so with the 2 x 2 matrices :math:`F_\tau` of first
    returns to the ends (:func:`linkwl.sparse.return_walks.first_returns`) and :math:`R_\tau` the entries of
    :math:`P^\tau` at the ends,

    .. math::
        R_\tau = \sum_{k=1}^{\tau} F_k R_{\tau - k}, \qquad
        \mathrm{tr}\, P^\tau = \mathrm{tr}\, P_{\setminus ij}^\tau
            + \sum_{k=1}^{\tau} k\, \mathrm{tr}(F_k R_{\tau - k}), \qquad
        F^+_k = \mathrm{diag}(1 - P^+_{ij}, 1 - P^+_{ji})\, F^-_k \quad (k > 1)

    where :math:`P_{\setminus ij}`, the rest of the subgraph, is the same for both and cancels. The time for a subgraph
    with e edges is O(e heads (channels + walk_length)) instead of O(n^3 heads walk_length) for its n nodes.

    Reference: Pan, Shi and Dokmanic, 2022, arXiv:2110.04375, Section 3.

    Args:
        in_channels: Width of a node's vector.
        channels: Width of the queries and keys.
        heads: Number of transition matrices, each with its own queries and keys.
        walk_length: The longest walk :math:`\tau_c`, at least 2.
        dropout: Dropout within the maps of queries and keys.

    Shape:
        - z: ``(num_nodes, in_channels)``
        - output: ``(num_pairs, out_channels)``
    """

    def __init__(
        self, in_channels: int, channels: int, *, heads: int = 2, walk_length: int = 8, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.channels, self.heads, self.walk_length, self.dropout = channels, heads, walk_length, dropout
        self.out_channels = heads * (5 * (walk_length - 1) + 1)
        self.hidden = nn.ModuleList(nn.Linear(in_channels, channels) for _ in range(2))
        self.maps = nn.ModuleList(nn.Linear(channels, heads * channels) for _ in range(2))

    def forward(self, z: Tensor, graph: Subgraphs) -> Tensor:
        """The numbers of every pair: of each length those of the ends with and without the link, and of the trace."""
        query, key = self._vectors(z, 0), self._vectors(z, 1)
        weight = edge_dots(query, key, graph)  # (entries, heads)
        total = row_logsumexp(weight, graph.adjacency)  # (nodes, heads)
        row = graph.adjacency.row
        returns = return_walks((weight - total.index_select(0, row)).exp(), graph, self.walk_length)
        i, j = graph.ends.T
        omega = torch.stack([(query[i] * key[j]).sum(-1), (query[j] * key[i]).sum(-1)], dim=-1)  # (pairs, heads, 2)
        # The link joins the neighbours of its end: exp(omega) beside their sum.
        added = torch.sigmoid(omega - torch.stack([total[i], total[j]], dim=-1))
        numbers = pool_returns(returns, added)
        return torch.cat([omega.sigmoid().sum(-1), numbers.flatten(1)], dim=1)

    def _vectors(self, z: Tensor, which: int) -> Tensor:
        """Queries or keys, scaled so that a product has unit variance; ``(num_nodes, heads, channels)``."""
        hidden = F.leaky_relu(self.hidden[which](z), _SLOPE)
        mapped = self.maps[which](dropout(hidden, self.dropout, self.training))
        scaled: Tensor = mapped.view(len(z), self.heads, self.channels) * self.channels**-0.25
        return scaled

    def extra_repr(self) -> str:
        """The settings."""
        return f"channels={self.channels}, heads={self.heads}, walk_length={self.walk_length}"


def pool_returns(returns: Tensor, added: Tensor) -> Tensor:
    """The numbers of :class:`WalkPool` from the first returns without the link.

    Shape:
        - returns: ``(num_pairs, heads, walk_length, 2, 2)``
        - added: ``(num_pairs, heads, 2)``, the transitions from i to j and from j to i over the link
        - output: ``(num_pairs, heads, walk_length - 1, 5)``
    """
    link = torch.diag_embed(added).flip(-1)[:, :, None]  # (pairs, heads, 1, 2, 2): p_ij and p_ji off the diagonal
    with_link = torch.cat([link, (1 - added)[:, :, None, :, None] * returns[:, :, 1:]], dim=2)
    first = torch.stack([with_link, returns])  # (2, pairs, heads, length, 2, 2)
    length = first.shape[3]
    times = torch.arange(1, length + 1, dtype=returns.dtype, device=returns.device)[:, None, None]
    # The powers in descending order, so that those that are needed next are the first ones.
    powers = torch.eye(2, dtype=returns.dtype, device=returns.device).expand(*first.shape[:3], 1, 2, 2)
    rows = []
    for tau in range(1, length + 1):
        products = first[:, :, :, :tau] @ powers
        power = products.sum(3)
        powers = torch.cat([power[:, :, :, None], powers], dim=3)
        if tau > 1:
            trace = _trace((products * times[:tau]).sum(3))
            at_ends, between = _trace(power), _trace(power.flip(-1))
            rows.append(torch.stack([*at_ends, *between, trace[0] - trace[1]], dim=-1))
    return torch.stack(rows, dim=2)


def _trace(x: Tensor) -> Tensor:
    return x[..., 0, 0] + x[..., 1, 1]


def edge_dots(query: Tensor, key: Tensor, graph: Subgraphs) -> Tensor:
    """The inner product of the first end's query and the second end's key, for every entry and head.

    On the CPU the vectors are not copied, forward or backward.

    Shape:
        - query, key: ``(num_nodes, heads, channels)``
        - output: ``(num_entries, heads)``
    """
    if not has_kernels(query):
        return (query[graph.adjacency.row] * key[graph.adjacency.col]).sum(-1)
    return _EdgeDots.apply(query, key, graph)  # type: ignore[no-untyped-call]


def return_walks(weight: Tensor, graph: Subgraphs, length: int) -> Tensor:
    """The weights of first returns to the ends; see :func:`linkwl.sparse.return_walks.first_returns`.

    Shape:
        - weight: ``(num_entries, heads)``
        - output: ``(num_pairs, heads, length, 2, 2)``
    """
    if has_kernels(weight):
        return _ReturnWalks.apply(weight, graph, length)  # type: ignore[no-untyped-call]
    num_nodes, heads = graph.adjacency.num_nodes, weight.shape[1]
    i, j = graph.ends.T
    h = weight.new_zeros(num_nodes, heads, 2)
    h[i, :, 0], h[j, :, 1] = 1, 1
    is_inner = weight.new_ones(num_nodes, 1, 1).index_fill(0, graph.ends.flatten(), 0)
    returns = []
    for _ in range(length):
        steps = weight[:, :, None] * h[graph.adjacency.col]
        h = torch.zeros_like(h).index_add(0, graph.adjacency.row, steps)
        returns.append(h[graph.ends])  # (pairs, 2, heads, 2)
        h = h * is_inner
    return torch.stack(returns, dim=1).permute(0, 3, 1, 2, 4)


def row_logsumexp(weight: Tensor, adjacency: Adjacency) -> Tensor:
    """The logarithm of the sum of exponentials of the entries of each row; a large negative number if it is empty.

    Shape:
        - weight: ``(num_entries, heads)``
        - output: ``(num_nodes, heads)``
    """
    row = adjacency.row[:, None].expand(weight.shape)
    top = weight.new_full((adjacency.num_nodes, weight.shape[1]), -math.inf)
    top = top.scatter_reduce(0, row, weight.detach(), "amax")
    is_empty = (adjacency.degree == 0)[:, None]
    top = top.masked_fill(is_empty, 0)
    sums = torch.zeros_like(top).index_add(0, adjacency.row, (weight - top.index_select(0, adjacency.row)).exp())
    return torch.where(is_empty, _NOWHERE, torch.where(is_empty, 1, sums).log() + top)


class _EdgeDots(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, query: Tensor, key: Tensor, graph: Subgraphs) -> Tensor:
        ctx.save_for_backward(query, key)
        ctx.graph = graph
        arrays = (x.detach().contiguous().numpy() for x in (query, key))
        return torch.from_numpy(edge_products(*graph.rows, *arrays))

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor, Tensor, None]:
        arrays = (x.detach().contiguous().numpy() for x in (*ctx.saved_tensors, *grad_outputs))
        by_query, by_key = edge_products_gradient(*ctx.graph.rows, *arrays)
        return torch.from_numpy(by_query), torch.from_numpy(by_key), None


class _ReturnWalks(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weight: Tensor, graph: Subgraphs, length: int) -> Tensor:
        ctx.save_for_backward(weight)
        node_ptr, rowptr, col = graph.rows
        arrays = node_ptr, graph.ends.numpy(), rowptr, col
        ctx.arrays = arrays
        return torch.from_numpy(first_returns(*arrays, weight.detach().contiguous().numpy(), length))

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor, None, None]:
        arrays = (x.detach().contiguous().numpy() for x in (*ctx.saved_tensors, *grad_outputs))
        return torch.from_numpy(first_returns_gradient(*ctx.arrays, *arrays)), None, None
