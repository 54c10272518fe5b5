"""Where two nodes lie in the whole graph: what walks of a few edges cannot see."""

from __future__ import annotations

import numpy as np

from linkwl.graph import Graph
from linkwl.memory import check_memory
from linkwl.models.cost import Cost
from linkwl.models.node_scores import NODE_SCORES, node_scores
from linkwl.models.spectral import LowRank, leading_smoothing
from linkwl.typing import FloatArray, Pairs

SPECTRAL = ("low", "low8", "tail", "spread")
OWN = ("clustering", "core", "pagerank", "component", "triangles")
"""What is read of single nodes; degrees are in every profile of walks."""
POSITION = SPECTRAL + tuple(f"{name}_{which}" for name in OWN for which in ("min", "max"))

RANK = 32
MAX_DENSE_NODES = 500
"""Up to this size eigenvectors are found densely."""
_FEW = 8
_ITERATIONS = 200
"""About the number of products with a matrix until its eigenvectors are found."""
_DAMPING = 0.98
_TAIL_UNIT = 1e-4
_SMALLEST = 1e-6
_COLUMNS = [NODE_SCORES.index(name) for name in OWN]


class GlobalPosition:
    r"""A table of the global position of pairs; reads the graph once, then answers from any thread.

    With the leading eigenvectors u of :math:`S = D^{-1/2} A D^{-1/2}` without the trivial ones of its components, and
    their eigenvalues :math:`\lambda`:

    - *low rank*: :math:`\sum_k \lambda_k u_{pk} u_{qk}`, of 32 vectors and of 8;
    - *tail*: the damped sum of all walks longer than K edges, :math:`\sum_k \frac{\lambda_k^{K+1}}{1 - a \lambda_k}
      u_{pk} u_{qk}`, on a logarithmic scale. Of long walks the leading vectors are all that remains;
    - *spread*: the logarithm of :math:`n \sum_k (u_{pk} - u_{qk})^2`;
    - *ends*: the smaller and the larger of clustering, core number, PageRank, logarithm of the size of the component,
      and number of triangles.

    Every number is a function of walks, so 2-FWL determines it: pairs that 2-FWL cannot tell apart have the same row.
    Eigenvectors are used in full eigenspaces only, whose products and distances do not depend on the chosen basis. The
    row of a pair depends neither on the other rows nor on the order of the pair, and is rounded to float32, so that
    equal numbers stay equal. Directions are ignored. No array has n x n entries beyond 500 nodes.

    Args:
        graph: The graph.
        steps: Length K of the longest walks that are read besides.
        rank: Number of eigenvectors.
        max_dense_nodes: Largest number of nodes for a dense eigenvalue problem.
    """

    def __init__(self, graph: Graph, steps: int, *, rank: int = RANK, max_dense_nodes: int = MAX_DENSE_NODES) -> None:
        links = graph.links
        what = f"reading the global position of the nodes of {graph.name}"
        check_memory(position_cost(links, rank).memory, what, "set position=off and trees=off")
        low = leading_smoothing(links, rank, max_dense_nodes)
        tail = low.values ** (steps + 1) / (1 - _DAMPING * low.values)
        self._products = (low, low.leading(_FEW), LowRank(low.vectors, tail))
        self._ends = node_scores(links)[:, _COLUMNS]

    def __call__(self, pairs: Pairs) -> FloatArray:
        """The table, shape ``(num_pairs, len(POSITION))``; float64 that fit into float32."""
        low, low8, tail = (_product(matrix, pairs) for matrix in self._products)
        spread = np.log(self._products[0].distances(pairs) + _SMALLEST)
        ends = np.sort(self._ends[pairs], axis=1)  # (num_pairs, 2, own)
        columns = [low, low8, np.sign(tail) * np.log1p(np.abs(tail) / _TAIL_UNIT), spread]
        columns += [ends[:, which, name] for name in range(ends.shape[2]) for which in range(2)]
        return np.stack(columns, axis=1).astype(np.float32).astype(np.float64)


def position_cost(graph: Graph, rank: int = RANK) -> Cost:
    """The cost of reading a graph: Lanczos vectors, those that are kept, and the edges."""
    memory = 8.0 * graph.num_nodes * (4 * rank + 16) + 64.0 * len(graph.col)
    return Cost(memory, _ITERATIONS * (len(graph.col) + 2.0 * rank * graph.num_nodes))


def _product(matrix: LowRank, pairs: Pairs) -> FloatArray:
    """Entries of a low-rank matrix, without the rounding errors of those that are 0."""
    entries = matrix.products(pairs)
    return np.where(np.abs(entries) < 1e-10, 0.0, entries)
