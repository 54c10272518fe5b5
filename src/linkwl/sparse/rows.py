"""Compressed rows: edges by either end, pairs by their first node, rows cut into parts and arrays that grow."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import num_threads
from linkwl.typing import IntArray, Pairs

_NARROW_LIMIT = 2**31 - 1
_OPERATIONS_PER_PART = 1 << 18  # for fewer, starting another thread does not pay
_WALKS_PER_PART = 1 << 14  # walks of two edges; for fewer, starting another thread does not pay


class EdgeRows(NamedTuple):
    """Row p of `col` holds the ends of the edges out of p, row q of `in_col` the starts of the edges into q."""

    rowptr: IntArray
    col: IntArray
    in_rowptr: IntArray
    in_col: IntArray

    def turned(self) -> EdgeRows:
        """The same edges in the other direction."""
        return EdgeRows(self.in_rowptr, self.in_col, self.rowptr, self.col)


class Demand(NamedTuple):
    """Distinct requested pairs: the second nodes of source k are ``ptr[k] : ptr[k + 1]`` of `node`."""

    source: IntArray
    ptr: IntArray
    node: IntArray
    place: IntArray
    """The index of each given pair among the distinct pairs; int64."""


def edge_rows(rowptr: IntArray, col: IntArray, transposed: tuple[IntArray, IntArray] | None) -> EdgeRows:
    """Both lists of the edges; the same list twice if `transposed` is None, for symmetric edges."""
    arrays = _fixed(rowptr, np.int64), _fixed(col, np.int32)
    turned = arrays if transposed is None else (_fixed(transposed[0], np.int64), _fixed(transposed[1], np.int32))
    if len(turned[0]) != len(arrays[0]) or len(turned[1]) != len(arrays[1]):
        raise ValueError(
            f"`transposed` must have as many nodes and edges as the rows, {len(arrays[0]) - 1} and {len(arrays[1])}, "
            f"got {len(turned[0]) - 1} and {len(turned[1])}."
        )
    return EdgeRows(*arrays, *turned)


def starts(counts: IntArray) -> IntArray:
    """The starts of consecutive parts of these sizes, and the end of the last."""
    ptr = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=ptr[1:])
    return ptr


def index_type(*counts: int) -> type[np.signedinteger[Any]]:
    """The narrowest type that can index these counts: an index of half the bytes is read in half the time."""
    return np.int32 if max(counts) <= _NARROW_LIMIT else np.int64


def sources_per_part(rows: EdgeRows) -> int:
    """The number of sources that is worth a thread; for fewer, starting one does not pay."""
    mean_degree = len(rows.col) / max(len(rows.rowptr) - 1, 1)
    return 1 + int(_WALKS_PER_PART / (1 + mean_degree**2))


def positions(rows: EdgeRows, entries: IntArray) -> IntArray:
    """The positions of edges in `col`, given their positions in `in_col`; int64.

    Raises:
        ValueError: If one of them is missing.
    """
    found = _find(rows, entries) if 8 * len(entries) < len(rows.col) else _positions(rows)[entries]
    if len(found) and found.min() < 0:
        raise ValueError("the edges are not symmetric; give the sorted rows of the reversed edges as `transposed`.")
    return found


def group_pairs(pairs: Pairs, num_nodes: int) -> Demand:
    """The distinct requested pairs, grouped by their first node.

    Raises:
        ValueError: If a pair names a node that does not exist.
    """
    pairs = np.asarray(pairs).reshape(-1, 2)
    if len(pairs) and not 0 <= pairs.min() <= pairs.max() < num_nodes:
        raise ValueError(f"`pairs` must hold node indices 0 .. {num_nodes - 1}.")
    return Demand(*_group(_fixed(pairs, np.int32), num_nodes))


def _fixed(array: IntArray, dtype: type[np.signedinteger[Any]]) -> IntArray:
    """The array in one type and read-only, so that kernels are compiled once."""
    view = np.ascontiguousarray(array, dtype=dtype).view()
    view.setflags(write=False)
    return view


@kernel
def _positions(rows):
    """Rows are sorted, so the edges (p, q) with p ascending are the entries of row q of the other list in order."""
    position = np.full(len(rows.in_col), -1, dtype=np.int64)
    cursor = rows.in_rowptr[:-1].copy()
    for p in range(len(rows.rowptr) - 1):
        for e in range(rows.rowptr[p], rows.rowptr[p + 1]):
            q = rows.col[e]
            k = cursor[q]
            if k < rows.in_rowptr[q + 1] and rows.in_col[k] == p:
                position[k] = e
                cursor[q] += 1
    return position


@kernel
def _find(rows, entries):
    """Entries ascend, so those of a row are adjacent; each is found by bisection."""
    position = np.full(len(entries), -1, dtype=np.int64)
    q = 0
    for i in range(len(entries)):
        while rows.in_rowptr[q + 1] <= entries[i]:
            q += 1
        p = rows.in_col[entries[i]]
        low, high = rows.rowptr[p], rows.rowptr[p + 1]
        while low < high:
            middle = (low + high) >> 1
            if rows.col[middle] < q:
                low = middle + 1
            else:
                high = middle
        if low < rows.rowptr[p + 1] and rows.col[low] == q:
            position[i] = low
    return position


@kernel
def _group(pairs, num_nodes):
    start = np.zeros(num_nodes + 1, dtype=np.int64)
    for i in range(len(pairs)):
        start[pairs[i, 0] + 1] += 1
    for p in range(num_nodes):
        start[p + 1] += start[p]
    order = np.empty(len(pairs), dtype=np.int64)
    for i in range(len(pairs)):
        order[start[pairs[i, 0]]] = i
        start[pairs[i, 0]] += 1
    source, ptr = np.empty(len(pairs), dtype=np.int32), np.empty(len(pairs) + 1, dtype=np.int64)
    node, place = np.empty(len(pairs), dtype=np.int32), np.empty(len(pairs), dtype=np.int64)
    found_at = np.full(num_nodes, -1, dtype=np.int64)
    num_sources, count = 0, 0
    for k in order:
        p, q = pairs[k, 0], pairs[k, 1]
        if num_sources == 0 or p != source[num_sources - 1]:
            source[num_sources], ptr[num_sources] = p, count
            num_sources += 1
        if found_at[q] < ptr[num_sources - 1]:  # not found yet, or found for another source
            found_at[q], node[count] = count, q
            count += 1
        place[k] = found_at[q]
    ptr[num_sources] = count
    return source[:num_sources].copy(), ptr[: num_sources + 1].copy(), node[:count].copy(), place


def parts_for_threads(ptr: IntArray, channels: int) -> list[tuple[int, int]]:
    """Ranges of rows for the threads: a few more than threads, to balance uneven work, and none very short."""
    work = (int(ptr[-1]) + len(ptr) - 1) * channels
    return equal_parts(ptr, min(4 * num_threads(), work // _OPERATIONS_PER_PART) if num_threads() > 1 else 1)


def equal_parts(ptr: IntArray, num_parts: int) -> list[tuple[int, int]]:
    """At most ``num_parts`` ranges that cover all rows, with about equally many entries each; at least one."""
    num_rows, num_entries = len(ptr) - 1, int(ptr[-1])
    if num_parts <= 1 or num_rows <= 1:
        return [(0, num_rows)]
    # Rows without entries also cost a little: if there are many, they must not all go to one part.
    load = ptr + np.arange(num_rows + 1)
    inner = np.searchsorted(load, (num_entries + num_rows) * np.arange(1, num_parts) // num_parts)
    cuts = np.unique(np.concatenate([[0], inner, [num_rows]]))
    return list(pairwise(cuts.tolist()))


@kernel
def with_room(array, size, num_more):
    """The array itself if ``num_more`` entries fit after the first ``size``, else a longer copy."""
    if size + num_more <= len(array):
        return array
    longer = np.empty(2 * len(array) + num_more, dtype=array.dtype)
    longer[:size] = array[:size]
    return longer
