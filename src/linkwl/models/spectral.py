"""Leading eigenvectors of a graph, where they are well defined."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh, splu

from linkwl.graph import Graph
from linkwl.sparse.cores import core_numbers
from linkwl.sparse.sums import entry_sums
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, Pairs

_EigenPairs: TypeAlias = tuple[FloatArray, FloatArray]

_TIE = 1e-7
"""Eigenvalues this close, relative to the largest, count as equal."""
_SHIFT = 1.001
"""Just above the largest eigenvalue of S."""
_MOST_BRANCHING = 2000
"""Branching nodes up to which the shifted matrix is factored: its factors may be dense there."""
_ROUGH = 0.1
"""Relative error of eigenvalues that are only a bound."""
_POLYNOMIAL_DEGREE = 10
"""Products with S in one product with a polynomial of it."""


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
    if graph.num_edges == 0 or rank == 0:
        return _nothing(graph)
    adjacency = graph.to_scipy()
    if graph.num_nodes <= max(max_dense, rank + 1):
        values, vectors = np.linalg.eigh(adjacency.toarray())
    else:
        values, vectors = _lanczos(adjacency, rank + 1, "LM")
    return _without_ties(values, vectors, np.abs(values), rank)


def leading_smoothing(graph: Graph, rank: int, max_dense: int) -> LowRank:
    r"""The eigenvectors of :math:`S = D^{-1/2} A D^{-1/2}` with the largest eigenvalues below the trivial ones.

    Each component has a trivial eigenvector :math:`\sqrt{d}` with eigenvalue 1, so there are as many as components, and
    which of their combinations a solver returns is arbitrary. They are removed beforehand; what they tell is in degrees
    and components. Of equal eigenvalues at the end of the list none is kept, for the same reason, and none that is 0.

    Graphs of up to ``max_dense`` nodes are solved densely, larger ones by Lanczos iterations with an inverse or a
    polynomial of S, from a fixed vector. They may miss copies of an eigenvalue that occurs many times, as in graphs of
    many equal components.
    """
    if graph.num_edges == 0 or rank == 0:
        return _nothing(graph)
    adjacency = graph.to_scipy()
    _, component = connected_components(adjacency, directed=False)
    scale = sp.diags_array(np.maximum(graph.degree, 1).astype(np.float64) ** -0.5)
    volume = np.bincount(component, weights=graph.degree)
    root = np.sqrt(graph.degree / np.maximum(volume, 1)[component])
    trivial = sp.csr_array((root, (np.arange(graph.num_nodes), component)), (graph.num_nodes, len(volume)))
    smoothing = sp.csr_array(scale @ adjacency @ scale)
    if graph.num_nodes <= max(max_dense, rank + 1):
        values, vectors = np.linalg.eigh(smoothing.toarray() - (trivial @ trivial.T).toarray())
    elif _num_branching(graph) <= _MOST_BRANCHING:
        values, vectors = _by_inverse(smoothing, trivial, rank + 1)
    else:
        values, vectors = _by_polynomial(smoothing, trivial, rank + 1)
    return _without_ties(values, vectors, values, rank)


def _by_polynomial(smoothing: sp.csr_array, trivial: sp.csr_array, count: int) -> _EigenPairs:
    r"""The leading eigenpairs of S without its trivial part, by products with a polynomial of it.

    Approximate eigenvalues are never above the exact ones, so a few iterations give a bound below all that are wanted.
    The Chebyshev polynomial of the interval from -1 to that bound is small there and grows fast above it. Its leading
    eigenvalues are far apart, and far fewer vectors have to be made orthogonal than with S itself.
    """
    across = sp.csr_array(trivial.T)

    def project(x: FloatArray) -> FloatArray:
        return x - trivial @ (across @ x)

    def multiply(x: FloatArray) -> FloatArray:
        return project(smoothing @ x)

    values, vectors = _lanczos(_operator(smoothing, multiply), count, "LA", tolerance=_ROUGH)
    if len(values) < count:
        return _lanczos(_operator(smoothing, multiply), count, "LA")
    bound = max(values.min(), 0.0)  # eigenvalues that are not positive are of no use
    centre, radius = (bound - 1) / 2, (bound + 1) / 2

    def filtered(x: FloatArray) -> FloatArray:
        before = project(x)
        last = (smoothing @ before - centre * before) / radius
        for _ in range(_POLYNOMIAL_DEGREE - 1):
            before, last = last, (2 / radius) * (smoothing @ last - centre * last) - before
        return project(last)

    _, vectors = _lanczos(_operator(smoothing, filtered), count, "LA", start=vectors.sum(axis=1))
    return np.einsum("ij,ij->j", vectors, multiply(vectors)), vectors


def _by_inverse(smoothing: sp.csr_array, trivial: sp.csr_array, count: int) -> _EigenPairs:
    r"""The same by products with the inverse of :math:`s I - S`, s just above 1; far fewer are needed.

    Where branching nodes are few, its factors are small: trees and chains add almost nothing to them.
    """
    shifted = sp.csc_array(_SHIFT * sp.eye_array(smoothing.shape[0]) - smoothing)
    factors = splu(shifted, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0, options={"SymmetricMode": True})
    across = sp.csr_array(trivial.T)

    def multiply(x: FloatArray) -> FloatArray:
        x = factors.solve(x - trivial @ (across @ x))
        return x - trivial @ (across @ x)

    inverse, vectors = _lanczos(_operator(smoothing, multiply), count, "LA")
    is_trivial = inverse < 0.25  # those of others are at least 1 / (s + 1)
    return np.where(is_trivial, 0.0, _SHIFT - 1 / np.where(is_trivial, 1.0, inverse)), vectors


def _num_branching(graph: Graph) -> int:
    """The number of nodes with three neighbours or more once trees have been cut off."""
    is_inside = core_numbers(graph.rowptr, graph.col) >= 2
    return int((is_inside & (graph.to_scipy() @ is_inside.astype(np.float64) >= 3)).sum())


def _operator(like: sp.csr_array, multiply: Callable[[FloatArray], FloatArray]) -> LinearOperator:
    return LinearOperator(like.shape, matvec=lambda x: multiply(x.ravel()), dtype=np.float64)


def _lanczos(
    matrix: sp.csr_array | LinearOperator,
    count: int,
    which: str,
    *,
    tolerance: float = 0.0,
    start: FloatArray | None = None,
) -> _EigenPairs:
    start = np.random.default_rng(0).standard_normal(matrix.shape[0]) if start is None else start
    try:
        values, vectors = eigsh(matrix, count, which=which, v0=start, tol=tolerance, rng=0)
    except ArpackNoConvergence as error:  # rare; what has converged is exact
        values, vectors = error.eigenvalues, error.eigenvectors
    return values, vectors


def _without_ties(values: FloatArray, vectors: FloatArray, size: FloatArray, rank: int) -> LowRank:
    """The eigenpairs of the largest sizes, without ties at the end."""
    order = np.argsort(-size, kind="stable")[: rank + 1]
    if len(order) == 0:
        return LowRank(vectors, values)
    last = max(size[order[-1]], 0.0) if len(order) == rank + 1 else 0.0
    order = order[size[order] > last + _TIE * max(np.abs(values).max(), 1.0)]
    return LowRank(np.ascontiguousarray(vectors[:, order]), values[order])


def _nothing(graph: Graph) -> LowRank:
    return LowRank(np.zeros((graph.num_nodes, 0)), np.zeros(0))


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
