"""Leading eigenvectors of a graph, where they are well defined."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from linkwl.graph import Graph
from linkwl.sparse.sums import entry_sums
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, Pairs

_TIE = 1e-7
"""Eigenvalues this close, relative to the largest, count as equal."""


class LowRank(NamedTuple):
    """Eigenvectors and eigenvalues; products and distances of rows do not depend on the signs of the vectors."""

    vectors: FloatArray
    """Shape ``(num_nodes, rank)``; orthonormal."""
    values: FloatArray
    """Shape ``(rank,)``."""

    def leading(self, count: int) -> LowRank:
        """The first vectors, at most ``count``: none of equal eigenvalues that would not all be among them."""
        if count >= len(self.values):
            return self
        size = np.abs(self.values)
        is_kept = size[:count] > size[count] + _TIE * max(size.max(), 1.0)
        return LowRank(self.vectors[:, :count][:, is_kept], self.values[:count][is_kept])

    def products(self, pairs: Pairs) -> FloatArray:
        r"""The entries :math:`\sum_k \lambda_k u_{pk} u_{qk}`."""
        return row_products(self.vectors * np.sqrt(np.abs(self.values)), pairs, np.sign(self.values))

    def distances(self, pairs: Pairs) -> FloatArray:
        r"""The squared distances :math:`n \sum_k (u_{pk} - u_{qk})^2`; times n, they do not shrink with the graph."""
        n = len(self.vectors)
        blocks = run_ranges(lambda a, b: _distances(self.vectors, pairs[a:b]), len(pairs))
        return n * np.concatenate(blocks)


def leading_adjacency(graph: Graph, rank: int, max_dense: int) -> LowRank:
    """The eigenvectors of A with the largest eigenvalues in size; see :func:`leading_smoothing` for ties."""
    return _leading(graph.to_scipy(), None, graph.num_nodes, rank, max_dense, by_size=True)


def leading_smoothing(graph: Graph, rank: int, max_dense: int) -> LowRank:
    r"""The eigenvectors of :math:`S = D^{-1/2} A D^{-1/2}` with the largest eigenvalues below the trivial ones.

    Each component has a trivial eigenvector :math:`\sqrt{d}` with eigenvalue 1, so there are as many as components, and
    which of their combinations a solver returns is arbitrary. They are removed beforehand; what they tell is in degrees
    and components. Of equal eigenvalues at the end of the list none is kept, for the same reason, and none that is 0.

    Graphs of up to ``max_dense`` nodes are solved densely, larger ones by Lanczos iterations from a fixed vector, which
    may miss copies of an eigenvalue that occurs many times, as in graphs of many equal components.
    """
    adjacency = graph.to_scipy()
    _, component = connected_components(adjacency, directed=False)
    scale = sp.diags_array(np.maximum(graph.degree, 1).astype(np.float64) ** -0.5)
    volume = np.bincount(component, weights=graph.degree)
    trivial = np.sqrt(graph.degree / np.maximum(volume, 1)[component])
    columns = sp.csr_array((trivial, (np.arange(graph.num_nodes), component)), (graph.num_nodes, len(volume)))
    return _leading(sp.csr_array(scale @ adjacency @ scale), columns, graph.num_nodes, rank, max_dense, by_size=False)


def _leading(
    matrix: sp.csr_array, trivial: sp.csr_array | None, n: int, rank: int, max_dense: int, *, by_size: bool
) -> LowRank:
    """The leading eigenpairs of a symmetric matrix, without trivial ones and without ties at the end."""
    wanted = min(rank + 1, n)
    if matrix.nnz == 0 or rank == 0:
        return LowRank(np.zeros((n, 0)), np.zeros(0))
    if n <= max_dense or wanted >= n:
        dense = matrix.toarray()
        if trivial is not None:
            dense -= (trivial @ trivial.T).toarray()
        values, vectors = np.linalg.eigh(dense)
    else:
        start = np.random.default_rng(0).standard_normal(n)
        which = "LM" if by_size else "LA"
        try:
            values, vectors = eigsh(_operator(matrix, trivial), wanted, which=which, v0=start, rng=0)
        except ArpackNoConvergence as error:  # rare; what has converged is exact
            values, vectors = error.eigenvalues, error.eigenvectors
    size = np.abs(values) if by_size else values
    if len(size) == 0:
        return LowRank(np.zeros((n, 0)), np.zeros(0))
    order = np.argsort(-size, kind="stable")[:wanted]
    last = max(size[order[-1]], 0.0) if wanted == rank + 1 else 0.0
    order = order[size[order] > last + _TIE * max(np.abs(values).max(), 1.0)]
    return LowRank(np.ascontiguousarray(vectors[:, order]), values[order])


def _operator(matrix: sp.csr_array, trivial: sp.csr_array | None) -> sp.csr_array | LinearOperator:
    if trivial is None:
        return matrix
    across = sp.csr_array(trivial.T)

    def multiply(x: FloatArray) -> FloatArray:
        x = x.ravel()
        return matrix @ x - trivial @ (across @ x)

    return LinearOperator(matrix.shape, matvec=multiply, dtype=np.float64)


def row_products(z: FloatArray, pairs: Pairs, sign: FloatArray | None = None) -> FloatArray:
    """The inner product of the two rows of each pair, in float64; a row's sum does not depend on the other rows."""
    out = np.zeros(len(pairs))
    if z.shape[1] == 0:
        return out
    other = z if sign is None else z * sign
    p, q = (np.ascontiguousarray(column) for column in np.sort(pairs, axis=1).T)
    run_ranges(lambda a, b: entry_sums(z, other, p, q, out, a, b), len(pairs))
    return out


def _distances(z: FloatArray, pairs: Pairs) -> FloatArray:
    step = 1 << 13  # rows at a time
    blocks = (pairs[start : start + step] for start in range(0, len(pairs), step))
    return np.concatenate([np.square(z[block[:, 0]] - z[block[:, 1]]).sum(axis=1) for block in blocks] or [np.empty(0)])
