"""The pairs that requested pairs depend on if one edge per term is enough: the paper's local neighbourhood."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from linkwl.kernel import kernel
from linkwl.memory import check_memory
from linkwl.sparse.join import Triples
from linkwl.sparse.rows import EdgeRows, edge_rows, group_pairs, index_type, starts, with_room
from linkwl.threads import run_ranges
from linkwl.typing import IntArray, Pairs

R = TypeVar("R")

_SMALLEST_PART = 256  # pairs; for fewer, starting another thread does not pay


@dataclass(frozen=True, eq=False)
class UnionPlan:
    """The computation of requested pairs, level by level.

    Round t computes level t from level t - 1: ``y[p, q] = sum over r of x[p, r] * z[r, q]``, where (p, r) or (r, q) is
    an observed edge, or both are. Both factors and the pair itself are in the level below.

    Reference: Hu et al., 2022, arXiv:2206.09567, the local variant of 2-FWL.
    """

    pairs: IntArray
    """The pairs of level 0, distinct; int64, shape ``(num_pairs, 2)``."""
    joins: tuple[Triples, ...]
    """The terms of rounds 1 .. L: `left` and `right` are pairs of the previous level."""
    own: tuple[IntArray, ...]
    """For levels 1 .. L, the position of each pair in the previous level; int64."""
    targets: IntArray
    """The position of each requested pair in level L; int64."""


def plan_unions(
    rowptr: IntArray,
    col: IntArray,
    pairs: Pairs,
    rounds: int,
    *,
    transposed: tuple[IntArray, IntArray] | None = None,
) -> UnionPlan:
    """Finds the terms of ``rounds`` rounds that end in the requested pairs.

    The terms of (p, q) are all r with an edge from p to r or from r to q. Time and memory are linear in the terms.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending and distinct within each row.
        pairs: The requested pairs, ordered; duplicates and pairs of a node with itself are allowed.
        rounds: Number of rounds, at least 1.
        transposed: The rows of the reversed edges in the same form; not needed if every edge is in both directions.

    Shape:
        - pairs: ``(num_pairs, 2)``

    Raises:
        ValueError: If there is no round or a pair names a node that does not exist.
        MemoryLimitError: If the terms do not fit into memory.
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
    """The terms of a level, the positions of its pairs in the level below, and the level below."""
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


@kernel
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


@kernel
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


@kernel
def _fill_right(rows, turned, place_of_turned, below_turned, place_below, ptr, right, first_node, last_node):
    """Like the left factors, but processes the pairs by their second nodes.

    A mark p at r means that there is an edge from p to r, which stays true for the next q.
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


class PairSet(NamedTuple):
    """Distinct pairs by their first nodes: the second nodes of p are ``ptr[p] : ptr[p + 1]`` of `node`."""

    ptr: IntArray
    node: IntArray


def run_nodes(pairs: PairSet, function: Callable[[int, int], R]) -> list[R]:
    """The results on consecutive ranges of first nodes, several at a time."""
    num_nodes = len(pairs.ptr) - 1
    return run_ranges(function, num_nodes, smallest=1 + _SMALLEST_PART * num_nodes // (1 + len(pairs.node)))


def turn(pairs: PairSet) -> tuple[PairSet, IntArray]:
    """The reversed pairs (q, p) of all pairs (p, q), and the original position of each."""
    ptr, node, place = _turn(pairs)
    return PairSet(ptr, node), place


def needed_below(rows: EdgeRows, pairs: PairSet) -> PairSet:
    """The pairs and all pairs in their terms."""
    turned, _ = turn(pairs)
    by_first = _collect(pairs, lambda *part: _collect_needed(rows, pairs, *part))
    by_second, _ = turn(_collect(turned, lambda *part: _collect_needed(rows.turned(), turned, *part)))
    return _collect(by_first, lambda *part: _collect_either(by_first, by_second, *part))


def _collect(pairs: PairSet, function: Callable[[IntArray, int, int], IntArray]) -> PairSet:
    """The pairs that ``function`` finds for ranges of first nodes; it writes their counts to its first argument."""
    counts = np.zeros(len(pairs.ptr) - 1, dtype=np.int64)
    parts = run_nodes(pairs, lambda *part: function(counts, *part))
    return PairSet(starts(counts), np.concatenate(parts))


@kernel
def _turn(pairs):
    num_nodes = len(pairs.ptr) - 1
    ptr = np.zeros(num_nodes + 1, dtype=np.int64)
    for q in pairs.node:
        ptr[q + 1] += 1
    for q in range(num_nodes):
        ptr[q + 1] += ptr[q]
    cursor = ptr[:-1].copy()
    node, place = np.empty(len(pairs.node), dtype=np.int32), np.empty(len(pairs.node), dtype=np.int64)
    for p in range(num_nodes):
        for i in range(pairs.ptr[p], pairs.ptr[p + 1]):
            k = cursor[pairs.node[i]]
            node[k], place[k] = p, i
            cursor[pairs.node[i]] += 1
    return ptr, node, place


@kernel
def _add_new(nodes, mark, marks, found, size):
    """Appends the nodes without the mark, and marks them."""
    for r in nodes:
        if marks[r] != mark:
            marks[r] = mark
            found[size] = r
            size += 1
    return size


@kernel
def _collect_needed(rows, pairs, counts, first_node, last_node):
    num_nodes = len(counts)
    marks, found = np.full(num_nodes, -1, dtype=np.int32), np.empty(num_nodes, dtype=np.int32)
    size = 0
    for p in range(first_node, last_node):
        seconds = pairs.node[pairs.ptr[p] : pairs.ptr[p + 1]]
        if len(seconds) > 0:
            found, before = with_room(found, size, num_nodes), size
            size = _add_new(seconds, p, marks, found, size)
            size = _add_new(rows.col[rows.rowptr[p] : rows.rowptr[p + 1]], p, marks, found, size)
            for q in seconds:
                size = _add_new(rows.in_col[rows.in_rowptr[q] : rows.in_rowptr[q + 1]], p, marks, found, size)
            counts[p] = size - before
    return found[:size].copy()


@kernel
def _collect_either(one, other, counts, first_node, last_node):
    num_nodes = len(counts)
    marks, found = np.full(num_nodes, -1, dtype=np.int32), np.empty(num_nodes, dtype=np.int32)
    size = 0
    for p in range(first_node, last_node):
        found, before = with_room(found, size, num_nodes), size
        size = _add_new(one.node[one.ptr[p] : one.ptr[p + 1]], p, marks, found, size)
        size = _add_new(other.node[other.ptr[p] : other.ptr[p + 1]], p, marks, found, size)
        counts[p] = size - before
    return found[:size].copy()
