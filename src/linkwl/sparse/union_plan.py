"""Which pairs a set of demanded pairs needs where one edge of a term is enough: the paper's local neighbourhood."""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np

from linkwl.memory import check_memory
from linkwl.sparse.edge_rows import EdgeRows, edge_rows, group_pairs
from linkwl.sparse.pair_sets import PairSet, needed_below, run_nodes, starts, turn
from linkwl.sparse.triples import Triples, index_type
from linkwl.typing import IntArray, Pairs


@dataclass(frozen=True, eq=False)
class UnionPlan:
    """What to compute, level by level, to know the demanded pairs.

    Round t makes level t of level t - 1: ``y[p, q] = sum over r of x[p, r] * z[r, q]``, with (p, r) or (r, q) an
    observed edge, or both. Both factors and the pair itself are in the level below.

    Reference: Hu et al., 2022, arXiv:2206.09567, the local variant of 2-FWL.
    """

    pairs: IntArray
    """The pairs of level 0, distinct; int64, shape ``(num_pairs, 2)``."""
    joins: tuple[Triples, ...]
    """The terms of rounds 1 .. L: `left` and `right` are pairs of the level before."""
    own: tuple[IntArray, ...]
    """For levels 1 .. L, the place of each pair in the level before; int64."""
    targets: IntArray
    """The place of each demanded pair in level L; int64."""


def plan_unions(
    rowptr: IntArray,
    col: IntArray,
    pairs: Pairs,
    rounds: int,
    *,
    transposed: tuple[IntArray, IntArray] | None = None,
) -> UnionPlan:
    """Finds the terms of ``rounds`` rounds that end in the demanded pairs.

    The terms of (p, q) are all r to which an edge leads from p or from which one leads to q. Time and memory are linear
    in the terms.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending and distinct within each row.
        pairs: The demanded pairs, ordered; copies and pairs of a node with itself are allowed.
        rounds: Number of rounds, at least 1.
        transposed: The rows of the turned edges in the same form; not needed if every edge is there in both directions.

    Shape:
        - pairs: ``(num_pairs, 2)``

    Raises:
        ValueError: If there is no round or a pair names a node that does not exist.
        MemoryLimitError: If there are more terms than memory.
    """
    if rounds < 1:
        raise ValueError(f"`rounds` must be at least 1, got {rounds}.")
    rows = edge_rows(rowptr, col, transposed)
    demand = group_pairs(pairs, len(rowptr) - 1)
    counts = np.zeros(len(rowptr) - 1, dtype=np.int64)
    counts[demand.source] = np.diff(demand.ptr)
    level = PairSet(starts(counts), demand.node)
    joins: list[Triples] = []
    own: list[IntArray] = []
    for _ in range(rounds):
        triples, places, level = _step(rows, level)
        joins.insert(0, triples)
        own.insert(0, places)
    return UnionPlan(
        pairs=np.stack([np.repeat(np.arange(len(counts)), np.diff(level.ptr)), level.node], axis=1),
        joins=tuple(joins),
        own=tuple(own),
        targets=demand.place,
    )


def _step(rows: EdgeRows, level: PairSet) -> tuple[Triples, IntArray, PairSet]:
    """The terms of a level, the places of its pairs in the level below, and the level below."""
    turned, place = turn(level)
    below = needed_below(rows, level)
    below_turned, place_below = turn(below)

    counts = np.empty(len(level.node), dtype=np.int64)
    run_nodes(level, lambda *part: _count_terms(rows, level, counts, *part))
    ptr = starts(counts)
    dtype = index_type(len(below.node), len(level.node))
    num_bytes = 2 * np.dtype(dtype).itemsize * int(ptr[-1])
    check_memory(num_bytes, f"a round with {ptr[-1]} terms", "take fewer pairs at a time, or fewer rounds")
    left, right = np.empty(ptr[-1], dtype=dtype), np.empty(ptr[-1], dtype=dtype)
    own = np.empty(len(level.node), dtype=np.int64)
    run_nodes(level, lambda *part: _fill_left(rows, level, below, ptr, left, own, *part))
    run_nodes(turned, lambda *part: _fill_right(rows, turned, place, below_turned, place_below, ptr, right, *part))
    return Triples(ptr, left, right, len(below.node), len(below.node)), own, below


@numba.njit(nogil=True, cache=True)
def _count_terms(rows, level, counts, first_node, last_node):
    marks = np.full(len(rows.rowptr) - 1, -1, dtype=np.int32)
    for p in range(first_node, last_node):
        ends = rows.col[rows.rowptr[p] : rows.rowptr[p + 1]]
        for r in ends:
            marks[r] = p
        for i in range(level.ptr[p], level.ptr[p + 1]):
            q, count = level.node[i], len(ends)
            for e in range(rows.in_rowptr[q], rows.in_rowptr[q + 1]):
                count += marks[rows.in_col[e]] != p
            counts[i] = count


@numba.njit(nogil=True, cache=True)
def _fill_left(rows, level, below, ptr, left, own, first_node, last_node):
    """The terms of a pair are the ends of the edges out of p, then the other starts of the edges into q."""
    num_nodes = len(rows.rowptr) - 1
    marks, place = np.full(num_nodes, -1, dtype=np.int32), np.empty(num_nodes, dtype=np.int64)
    for p in range(first_node, last_node):
        ends = rows.col[rows.rowptr[p] : rows.rowptr[p + 1]]
        for r in ends:
            marks[r] = p
        for j in range(below.ptr[p], below.ptr[p + 1]):
            place[below.node[j]] = j
        for i in range(level.ptr[p], level.ptr[p + 1]):
            q, t = level.node[i], ptr[i]
            own[i] = place[q]
            for r in ends:
                left[t] = place[r]
                t += 1
            for e in range(rows.in_rowptr[q], rows.in_rowptr[q + 1]):
                r = rows.in_col[e]
                if marks[r] != p:
                    left[t] = place[r]
                    t += 1


@numba.njit(nogil=True, cache=True)
def _fill_right(rows, turned, place_of_turned, below_turned, place_below, ptr, right, first_node, last_node):
    """As for the left factors, but with the pairs of one second node after the other.

    A mark p at r says that an edge leads from p to r, which stays true for the next q.
    """
    num_nodes = len(rows.rowptr) - 1
    marks, place = np.full(num_nodes, -1, dtype=np.int32), np.empty(num_nodes, dtype=np.int64)
    for q in range(first_node, last_node):
        origins = rows.in_col[rows.in_rowptr[q] : rows.in_rowptr[q + 1]]
        for j in range(below_turned.ptr[q], below_turned.ptr[q + 1]):
            place[below_turned.node[j]] = place_below[j]
        for i in range(turned.ptr[q], turned.ptr[q + 1]):
            p, t = turned.node[i], ptr[place_of_turned[i]]
            for e in range(rows.rowptr[p], rows.rowptr[p + 1]):
                marks[rows.col[e]] = p
                right[t] = place[rows.col[e]]
                t += 1
            for r in origins:
                if marks[r] != p:
                    right[t] = place[r]
                    t += 1
