"""Sets of pairs by their first nodes, and what a set needs of the level below."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numba
import numpy as np

from linkwl.sparse.edge_rows import EdgeRows
from linkwl.sparse.growing import with_room
from linkwl.threads import run_ranges
from linkwl.typing import IntArray

R = TypeVar("R")

_SMALLEST_PART = 256  # pairs; what fewer need is found before another thread has woken up


class PairSet(NamedTuple):
    """Distinct pairs by their first nodes: the second nodes of p are ``ptr[p] : ptr[p + 1]`` of `node`."""

    ptr: IntArray
    node: IntArray


def starts(counts: IntArray) -> IntArray:
    """Where each part starts if parts of these sizes follow each other, and where the last ends."""
    ptr = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=ptr[1:])
    return ptr


def run_nodes(pairs: PairSet, function: Callable[[int, int], R]) -> list[R]:
    """The results on consecutive ranges of first nodes, several at a time."""
    num_nodes = len(pairs.ptr) - 1
    return run_ranges(function, num_nodes, smallest=1 + _SMALLEST_PART * num_nodes // (1 + len(pairs.node)))


def turn(pairs: PairSet) -> tuple[PairSet, IntArray]:
    """The pairs (q, p) of all pairs (p, q), and where each of them was."""
    ptr, node, place = _turn(pairs)
    return PairSet(ptr, node), place


def needed_below(rows: EdgeRows, pairs: PairSet) -> PairSet:
    """The pairs and all that is in a term of theirs."""
    turned, _ = turn(pairs)
    by_first = _collect(pairs, lambda *part: _collect_needed(rows, pairs, *part))
    by_second, _ = turn(_collect(turned, lambda *part: _collect_needed(rows.turned(), turned, *part)))
    return _collect(by_first, lambda *part: _collect_either(by_first, by_second, *part))


def _collect(pairs: PairSet, function: Callable[[IntArray, int, int], IntArray]) -> PairSet:
    """The pairs that ``function`` finds for ranges of first nodes; it counts them in its first argument."""
    counts = np.zeros(len(pairs.ptr) - 1, dtype=np.int64)
    parts = run_nodes(pairs, lambda *part: function(counts, *part))
    return PairSet(starts(counts), np.concatenate(parts))


@numba.njit(nogil=True, cache=True)
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


@numba.njit(nogil=True, cache=True)
def _add_new(nodes, mark, marks, found, size):
    """Appends the nodes that do not have the mark yet, and marks them."""
    for r in nodes:
        if marks[r] != mark:
            marks[r] = mark
            found[size] = r
            size += 1
    return size


@numba.njit(nogil=True, cache=True)
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


@numba.njit(nogil=True, cache=True)
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
