"""Common neighbours of pairs, and the neighbours of one end alone, as lists of nodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwl.kernel import kernel
from linkwl.memory import check_memory
from linkwl.sparse.rows import starts
from linkwl.threads import run_ranges
from linkwl.typing import IntArray, Pairs

COMMON = -1
"""In place of a missing end: the node is a neighbour of both."""
_SMALLEST = 256  # pairs; for fewer, starting another thread does not pay


@dataclass(frozen=True, eq=False)
class NeighbourOverlap:
    """The nodes around some pairs: those of pair i are ``ptr[i] : ptr[i + 1]``, common neighbours first."""

    ptr: IntArray
    """Starts of the lists; int64, shape ``(num_pairs + 1,)``."""
    node: IntArray
    """The nodes; int32."""
    missing: IntArray
    """The end that the node is not a neighbour of, :data:`COMMON` if it is one of both; int32."""


def neighbour_overlap(rowptr: IntArray, col: IntArray, pairs: Pairs, max_single: int = 0) -> NeighbourOverlap:
    """Lists N(p) and N(q), then N(p) without N(q), then N(q) without N(p), for every (p, q) of ``pairs``.

    The ends themselves are in no list, so that an edge between them changes nothing. Each of the last two lists has at
    most ``max_single`` nodes: those of largest degree, which are likeliest to be linked to the other end as well, and
    among equal ones those of smallest number. Each list is ascending. Two merges of the rows of the ends per pair, one
    to count and one to write; the bits do not depend on the number of threads.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending and distinct within each row; every edge in both directions.
        pairs: Node pairs, shape ``(num_pairs, 2)``.
        max_single: Largest number of neighbours of one end alone, for each end; 0 for common neighbours alone.

    Raises:
        MemoryLimitError: If the lists do not fit into memory.
    """
    fixed = np.ascontiguousarray(pairs, dtype=np.int64).reshape(-1, 2)
    count = np.zeros(len(fixed), dtype=np.int64)
    run_ranges(lambda a, b: _count(rowptr, col, fixed, max_single, count, a, b), len(fixed), smallest=_SMALLEST)
    ptr = starts(count)
    check_memory(8.0 * ptr[-1], f"a list of {ptr[-1]} neighbours", "score fewer pairs at a time")
    node, missing = np.empty(ptr[-1], dtype=np.int32), np.empty(ptr[-1], dtype=np.int32)
    run_ranges(
        lambda a, b: _fill(rowptr, col, fixed, max_single, ptr, node, missing, a, b), len(fixed), smallest=_SMALLEST
    )
    return NeighbourOverlap(ptr, node, missing)


@kernel
def _merge(rowptr, col, p, q, common, first, second):
    """Writes the three lists, as far as the arrays are long enough; returns their lengths."""
    i, j, end_i, end_j = rowptr[p], rowptr[q], rowptr[p + 1], rowptr[q + 1]
    both, left, right = 0, 0, 0
    while i < end_i or j < end_j:
        if j == end_j or (i < end_i and col[i] < col[j]):
            if col[i] != q:
                if left < len(first):
                    first[left] = col[i]
                left += 1
            i += 1
        elif i == end_i or col[j] < col[i]:
            if col[j] != p:
                if right < len(second):
                    second[right] = col[j]
                right += 1
            j += 1
        else:
            if both < len(common):
                common[both] = col[i]
            both += 1
            i += 1
            j += 1
    return both, left, right


@kernel
def _count(rowptr, col, pairs, most, count, start, stop):
    nowhere = np.empty(0, dtype=np.int32)
    for k in range(start, stop):
        both, left, right = _merge(rowptr, col, pairs[k, 0], pairs[k, 1], nowhere, nowhere, nowhere)
        count[k] = both + min(left, most) + min(right, most)


@kernel
def _fill(rowptr, col, pairs, most, ptr, node, missing, start, stop):
    longest = 0
    for k in range(start, stop):
        for end in range(2):
            longest = max(longest, rowptr[pairs[k, end] + 1] - rowptr[pairs[k, end]])
    first, second = np.empty(longest, dtype=np.int32), np.empty(longest, dtype=np.int32)
    for k in range(start, stop):
        p, q = pairs[k, 0], pairs[k, 1]
        both, left, right = _merge(rowptr, col, p, q, node[ptr[k] : ptr[k + 1]], first, second)
        at = ptr[k] + both
        missing[ptr[k] : at] = COMMON
        for single, end in ((first[:left], q), (second[:right], p)):
            kept = _of_largest_degree(rowptr, single, most)
            node[at : at + len(kept)] = kept
            missing[at : at + len(kept)] = end
            at += len(kept)


@kernel
def _of_largest_degree(rowptr, nodes, most):
    if most == 0 or len(nodes) <= most:
        return nodes[: min(len(nodes), most)]
    degree = np.empty(len(nodes), dtype=np.int64)
    for i in range(len(nodes)):
        degree[i] = rowptr[nodes[i]] - rowptr[nodes[i] + 1]
    return np.sort(nodes[np.argsort(degree, kind="mergesort")[:most]])
