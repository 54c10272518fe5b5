"""Sums over the common neighbours of a node with every other node."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray


def common_neighbour_rows(rowptr: IntArray, col: IntArray, sources: IntArray, weight: FloatArray) -> FloatArray:
    """Rows of sums over paths of two edges: ``out[i, q] = sum of weight[v] over paths sources[i] -> v -> q``.

    The sum runs over v in ascending order, so it has the bits of
    :func:`~linkwl.sparse.common_neighbours.common_neighbour_sums`. Time: the number of paths, and one number per node.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending within each row; those that edges lead to, in a directed graph.
        sources: The nodes that the paths start from.
        weight: The weight of the node in the middle; float64.

    Shape:
        - weight: ``(num_nodes,)``
        - output: ``(num_sources, num_nodes)``
    """
    out = np.zeros((len(sources), len(rowptr) - 1))
    run_ranges(lambda a, b: _add_paths(rowptr, col, sources[a:b], weight, out[a:b]), len(sources), smallest=4)
    return out


@kernel
def _add_paths(rowptr, col, sources, weight, out):
    for i in range(len(sources)):
        for a in range(rowptr[sources[i]], rowptr[sources[i] + 1]):
            v = col[a]
            for b in range(rowptr[v], rowptr[v + 1]):
                out[i, col[b]] += weight[v]
