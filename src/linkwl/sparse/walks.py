"""Weights of all walks of given lengths between pairs of nodes, by a meet-in-the-middle method."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from linkwl.kernel import kernel
from linkwl.memory import check_memory
from linkwl.sparse.closed_walks import ClosedWalks
from linkwl.sparse.rows import with_room
from linkwl.sparse.walk_rows import LANES, source_and_target, walks_from
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray, Pairs

BYTES_PER_BLOCK = 1 << 29
"""Approximate memory of :class:`BlockedRows` besides its output, unless all rows are kept."""
BYTES_KEPT = 1 << 30
"""The rows of all nodes are kept if they take less memory."""
BYTES_PER_ENTRY = 12
_SAMPLE = 32
_SMALLEST_PART = 8
_FEWEST_TARGETS = 4
"""With fewer pairs per source, rows are not considered."""


class WalkValues(NamedTuple):
    """The result of :class:`WalkTable`."""

    between: FloatArray
    """For every pair, walks from one end to the other; float64, shape ``(num_pairs, steps - 1)``."""
    closed: FloatArray
    """For both ends of every pair, walks back to themselves; float64, shape ``(num_pairs, 2, steps - 1)``."""


class Rows(NamedTuple):
    """Rows of a power of the weighted adjacency, for some nodes."""

    ptr: IntArray
    node: IntArray
    value: FloatArray


B = TypeVar("B")
"""What is computed for a block of nodes."""


class BlockedRows(ABC, Generic[B]):
    """Rows of the ends of pairs, computed for one block of pairs after the other.

    Once more ends were requested than there are nodes, the rows of all nodes are kept, if they fit.

    Args:
        num_nodes: Number of nodes.
    """

    def __init__(self, num_nodes: int) -> None:
        self.num_nodes = num_nodes
        self._num_asked = 0
        self._all: B | None = None

    @abstractmethod
    def row_bytes(self, nodes: IntArray) -> float:
        """Approximate size of the rows of one of these nodes, in bytes."""

    @abstractmethod
    def block(self, nodes: IntArray) -> B:
        """The rows of some nodes."""

    def blocks(self, ends: Pairs, order: IntArray) -> Iterator[tuple[IntArray, B, IntArray]]:
        """Blocks of pairs, with the rows of their ends and the positions of the ends among the rows."""
        if self._all is None:
            nodes = np.unique(ends)
            self._num_asked += len(nodes)
            if self._num_asked > self.num_nodes and self._can_keep_all:
                self._all = self.block(np.arange(self.num_nodes))
        if self._all is not None:
            yield order, self._all, ends[order]
            return
        most = max(2, int(BYTES_PER_BLOCK / self.row_bytes(nodes)))
        size = max(1, len(ends) if len(nodes) <= most else most // 2)
        for start in range(0, len(ends), size):
            chosen = order[start : start + size]
            nodes, place = np.unique(ends[chosen], return_inverse=True)
            yield chosen, self.block(nodes), place.reshape(-1, 2).astype(np.int64)

    @cached_property
    def _can_keep_all(self) -> bool:
        return self.row_bytes(np.arange(self.num_nodes)) * self.num_nodes <= BYTES_KEPT


class WalkTable(BlockedRows["Block"]):
    r"""Walks of 2, 3, .., K edges: :math:`(M^k)_{pq}`, :math:`(M^k)_{pp}` and :math:`(M^k)_{qq}`.

    For a symmetric M the walks of a + b edges from p to q meet after a of them: :math:`(M^{a+b})_{pq} = \sum_u
    (M^a)_{pu} (M^b)_{qu}`. So only rows of the first half of the powers are needed, and only those of the pairs' ends.
    They are sparse as long as walks are short, and computed for one block of pairs after the other, without an n x n
    matrix. Where many pairs share an end, whole rows of all powers take less time and are computed instead; see
    :func:`~linkwl.sparse.walk_rows.walks_from`. The sums then run in another order, and may differ by about 1e-16.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending and distinct within each row; every edge in both directions.
        weight: The weight of every entry of ``col``, positive and the same in both directions.
        steps: Length K of the longest walks; at least 2.

    Shape:
        - weight: ``(num_entries,)``

    Raises:
        ValueError: If `steps` is less than 2.
    """

    def __init__(self, rowptr: IntArray, col: IntArray, weight: FloatArray, steps: int) -> None:
        if steps < 2:
            raise ValueError(f"`steps` must be at least 2, got {steps}.")
        super().__init__(len(rowptr) - 1)
        self._rowptr = np.ascontiguousarray(rowptr, dtype=np.int64)
        self._col = np.ascontiguousarray(col, dtype=np.int32)
        self._weight = np.ascontiguousarray(weight, dtype=np.float64)
        self._steps = steps
        self._closed = ClosedWalks(self._rowptr, self._col, self._weight, steps)

    def at(self, pairs: Pairs) -> WalkValues:
        """The walks of pairs; (p, q) and (q, p) give the same bits.

        Raises:
            MemoryLimitError: If the output does not fit.
        """
        pairs = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
        lengths = self._steps - 1
        check_memory(24.0 * len(pairs) * lengths, f"walks between {len(pairs)} pairs", "take fewer pairs at a time")
        source, target = source_and_target(pairs, self.num_nodes)
        if self._prefers_rows(source, pairs):
            between = walks_from(self._rowptr, self._col, self._weight, self._steps, source, target)
            return WalkValues(between, self._closed.at(pairs.ravel()).reshape(len(pairs), 2, lengths))
        ends = np.sort(pairs, axis=1)
        is_turned = ends[:, 0] != pairs[:, 0]
        between, closed = np.empty((len(ends), lengths)), np.empty((len(ends), 2, lengths))
        order = np.lexsort(ends.T[::-1])
        for chosen, block, place in self.blocks(ends, order):
            between[chosen] = block.meet(place)
            closed[chosen] = block.back[place]
        closed[is_turned] = closed[is_turned, ::-1]
        return WalkValues(between, closed)

    def _prefers_rows(self, source: IntArray, pairs: Pairs) -> bool:
        """Whether rows of all powers for the sources take less work than rows of half the length for both ends."""
        num_sources = len(np.unique(source))
        if len(pairs) < _FEWEST_TARGETS * max(num_sources, 1):
            return False
        nodes = np.unique(pairs)
        entries, products = row_work(self._rowptr, self._col, nodes, self._steps)
        pairwise = len(pairs) * entries + (len(nodes) * products if self._all is None else 0)
        return num_sources * self._steps * len(self._col) / LANES < pairwise

    def row_bytes(self, nodes: IntArray) -> float:
        """Estimated from a few of the nodes."""
        return BYTES_PER_ENTRY * max(row_work(self._rowptr, self._col, nodes, self._steps)[0], 1)

    def block(self, nodes: IntArray) -> Block:
        """The rows of all powers, and the walks back to each node."""
        depth = self._steps - self._steps // 2
        levels = list(_levels(self._rowptr, self._col, self._weight, nodes, depth))
        return Block(levels, self._steps, self.num_nodes)


class Block:
    """The rows of some nodes."""

    def __init__(self, levels: list[Rows], steps: int, num_nodes: int) -> None:
        self._levels, self._steps, self._num_nodes = levels, steps, num_nodes
        count = len(levels[0].ptr) - 1
        self.back = self.meet(np.repeat(np.arange(count, dtype=np.int64)[:, None], 2, axis=1))
        """Walks of every length from each node back to itself."""

    def meet(self, place: IntArray) -> FloatArray:
        """Walks of every length between nodes, given by their positions among the rows."""
        met = np.empty((len(place), self._steps - 1))
        for k in range(2, self._steps + 1):
            longer, shorter = self._levels[k - k // 2 - 1], self._levels[k // 2 - 1]
            meet_rows(longer, shorter, place, self._num_nodes, met[:, k - 2])
        return met


def row_work(rowptr: IntArray, col: IntArray, nodes: IntArray, steps: int) -> tuple[float, float]:
    """The mean size of a node's rows for walks of that length, and the number of multiplications to compute them.

    Estimated from a few of the nodes.
    """
    sample = some_nodes(nodes)
    depth, degree, entries, products = steps - steps // 2, np.diff(rowptr), 0, 0
    for k, rows in enumerate(_levels(rowptr, col, np.ones(len(col)), sample, depth)):
        entries += len(rows.node)
        products += int(degree[rows.node].sum()) if k < depth - 1 else 0
    return entries / max(len(sample), 1), products / max(len(sample), 1)


def _levels(rowptr: IntArray, col: IntArray, weight: FloatArray, nodes: IntArray, depth: int) -> Iterator[Rows]:
    """The nodes' rows of the first, second, .. power."""
    rows = first_rows(rowptr, col, weight, nodes)
    yield rows
    for _ in range(depth - 1):
        rows = expand_rows(rowptr, col, weight, rows)
        yield rows


def some_nodes(nodes: IntArray) -> IntArray:
    """A few of the nodes, to estimate the size of their rows."""
    return nodes[:: max(1, len(nodes) // _SAMPLE)]


def first_rows(rowptr: IntArray, col: IntArray, weight: FloatArray, nodes: IntArray) -> Rows:
    """The nodes' rows of the weighted adjacency."""
    ptr = np.zeros(len(nodes) + 1, dtype=np.int64)
    np.cumsum(np.diff(rowptr)[nodes], out=ptr[1:])
    entry = np.repeat(rowptr[nodes] - ptr[:-1], np.diff(ptr)) + np.arange(ptr[-1])
    return Rows(ptr, col[entry], weight[entry])


def expand_rows(rowptr: IntArray, col: IntArray, weight: FloatArray, rows: Rows) -> Rows:
    """The rows times the weighted adjacency: walks that are one step longer."""
    parts = run_ranges(
        lambda first, last: _expand(rowptr, col, weight, rows, first, last),
        len(rows.ptr) - 1,
        smallest=_SMALLEST_PART,
    )
    sizes, node, value = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return Rows(np.concatenate([[0], np.cumsum(sizes)]), node, value)


def meet_rows(longer: Rows, shorter: Rows, place: IntArray, num_nodes: int, out: FloatArray) -> None:
    """``out[i]`` = the product of row ``place[i, 0]`` of ``longer`` and row ``place[i, 1]`` of ``shorter``."""
    run_ranges(lambda first, last: _meet(longer, shorter, place, num_nodes, out, first, last), len(place), smallest=256)


@kernel
def _expand(rowptr, col, weight, rows, first, last):
    """Rows ``first`` .. ``last`` times the adjacency: the number of entries of each, their nodes and values."""
    num_nodes = len(rowptr) - 1
    total, owner = np.zeros(num_nodes), np.full(num_nodes, -1, dtype=np.int64)
    sizes = np.empty(last - first, dtype=np.int64)
    nodes, size = np.empty(1024, dtype=np.int32), 0
    values = np.empty(1024)
    for k in range(first, last):
        most = 0
        for i in range(rows.ptr[k], rows.ptr[k + 1]):
            most += rowptr[rows.node[i] + 1] - rowptr[rows.node[i]]
        most = min(most, num_nodes)
        nodes, values, start = with_room(nodes, size, most), with_room(values, size, most), size
        for i in range(rows.ptr[k], rows.ptr[k + 1]):
            r, x = rows.node[i], rows.value[i]
            for e in range(rowptr[r], rowptr[r + 1]):
                u = col[e]
                if owner[u] != k:
                    owner[u] = k
                    total[u] = 0.0
                    nodes[size] = u
                    size += 1
                total[u] += x * weight[e]
        for i in range(start, size):
            values[i] = total[nodes[i]]
        sizes[k - first] = size - start
    return sizes, nodes[:size].copy(), values[:size].copy()


@kernel
def _meet(longer, shorter, place, num_nodes, out, first, last):
    spread, current = np.zeros(num_nodes), -1
    for i in range(first, last):
        p, q = place[i, 0], place[i, 1]
        if p != current:
            if current >= 0:
                for j in range(longer.ptr[current], longer.ptr[current + 1]):
                    spread[longer.node[j]] = 0.0
            for j in range(longer.ptr[p], longer.ptr[p + 1]):
                spread[longer.node[j]] = longer.value[j]
            current = p
        total = 0.0
        for j in range(shorter.ptr[q], shorter.ptr[q + 1]):
            total += shorter.value[j] * spread[shorter.node[j]]
        out[i] = total
