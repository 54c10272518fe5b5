"""Plans of Bellman-Ford: which states of which sources the requested pairs depend on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.pna import MessageRows
from linkwl.sparse.rows import Demand, group_pairs, starts, with_room
from linkwl.threads import run_ranges
from linkwl.typing import IntArray, Pairs

MAX_ROWS = 1 << 17
"""States of a block of sources, unless one source alone has more."""
_SOURCES = 256  # whose states are listed at a time
_SMALLEST = 4  # sources; for fewer, starting another thread does not pay


class Step(NamedTuple):
    """One step of Bellman-Ford: the states of some pairs after it, in ascending order of the degree."""

    rows: MessageRows
    """The messages of each state: its own previous state first, then those of the neighbours."""
    sizes: list[int]
    """Number of states for each of :attr:`DegreeOrder.counts`."""

    @property
    def own(self) -> IntArray:
        """The index of each state before the step; int32."""
        return self.rows.col[self.rows.ptr[:-1]]


class DegreeOrder(NamedTuple):
    """The nodes in ascending order of the degree."""

    order: IntArray
    """The nodes; int32."""
    rank: IntArray
    """The place of each node in `order`; int32."""
    counts: IntArray
    """The distinct numbers of messages, ascending: degree, loop and boundary."""
    group: IntArray
    """The index of each node's number in `counts`."""

    @classmethod
    def of(cls, degree: IntArray) -> DegreeOrder:
        """The order of nodes with these degrees."""
        order = np.argsort(degree, kind="stable").astype(np.int32)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order), dtype=np.int32)
        counts, group = np.unique(degree + 2, return_inverse=True)
        return cls(order, rank, counts, group.reshape(-1))

    def sizes(self, nodes: IntArray) -> list[int]:
        """How many of these nodes have each of the numbers."""
        sizes: list[int] = np.bincount(self.group[nodes], minlength=len(self.counts)).tolist()
        return sizes


@dataclass(frozen=True, eq=False)
class SourceBlock:
    """The states of some sources.

    A step reads a table: first the background states of all nodes in the order of :class:`DegreeOrder`, then the states
    of the previous step. Before the first one these are the sources themselves.
    """

    num_start: int
    """Number of states before the first step, each at its source."""
    steps: list[Step]
    place: IntArray
    """The indices of the requested pairs in the table after the last step; int64."""

    @property
    def num_states(self) -> int:
        """Number of states, those before the first step included."""
        return self.num_start + sum(step.rows.num_rows for step in self.steps)


@dataclass(frozen=True, eq=False)
class SweepPlan:
    r"""Bellman-Ford from many sources at once, without the states that no requested pair depends on.

    A message moves by one edge a step. So after :math:`t` steps the state of a node farther than :math:`t` from the
    source is what it would be without a source: a *background* state, which is computed once for all sources. And a
    state after :math:`t` of :math:`T` steps matters only if the requested node is at most :math:`T - t` edges away.
    What is left are the nodes on walks of at most :math:`T` edges (loops included) between the two nodes of a pair.
    Nothing is approximated.
    """

    rowptr: IntArray
    col: IntArray
    num_steps: int
    degrees: DegreeOrder
    background: Step
    """A step of the background states of all nodes."""

    @classmethod
    def of(cls, rowptr: IntArray, col: IntArray, num_steps: int) -> SweepPlan:
        """The plan for a graph.

        Args:
            rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``; int64.
            col: Neighbours, without loops and in both directions; int32.
            num_steps: Number of steps; at least one.
        """
        degrees, n = DegreeOrder.of(np.diff(rowptr)), len(rowptr) - 1
        ptr = starts(np.diff(rowptr)[degrees.order] + 1)
        out, empty = np.empty(ptr[-1], dtype=np.int32), np.empty(0, dtype=np.int32)
        # One source without states of its own, so that all messages are from the background.
        none, all_, nodes = np.zeros(2, dtype=np.int64), np.array([0, n]), np.arange(n, dtype=np.int32)
        _write_messages(rowptr, col, degrees.rank, none, empty, empty, all_, nodes, degrees.rank, ptr, out, 0, 1)
        background = Step(MessageRows(ptr, out, np.zeros(n, dtype=np.bool_)), degrees.sizes(nodes))
        return cls(rowptr, col, num_steps, degrees, background)

    def group(self, pairs: Pairs) -> Demand:
        """The distinct ordered pairs (source, node) by their sources."""
        return group_pairs(pairs, len(self.rowptr) - 1)

    def blocks(self, demand: Demand, max_rows: int = MAX_ROWS) -> Iterator[SourceBlock]:
        """The states that the requested pairs depend on, some sources at a time, in the order of the distinct pairs."""
        for first in range(0, len(demand.source), _SOURCES):
            source = demand.source[first : first + _SOURCES]
            ptr = demand.ptr[first : first + len(source) + 1]
            list_states = partial(_list_states, self.rowptr, self.col, self.num_steps, source, ptr, demand.node)
            found = run_ranges(list_states, len(source), smallest=_SMALLEST)
            sizes, nodes, reached = (np.concatenate(parts) for parts in zip(*found, strict=True))
            total = starts(sizes.sum(axis=1))
            for start, stop in _cuts(total, max_rows):
                steps, last = self._steps(source[start:stop], sizes[start:stop], nodes[total[start] : total[stop]])
                place = self.degrees.rank[demand.node[ptr[start] : ptr[stop]]].astype(np.int64)
                # The states after the last step are those of the pairs within reach, in the order of the pairs.
                place[reached[ptr[start] - ptr[0] : ptr[stop] - ptr[0]]] = len(self.rowptr) - 1 + last
                yield SourceBlock(int(sizes[start:stop, -1].sum()), steps, place)

    def _steps(self, source: IntArray, sizes: IntArray, nodes: IntArray) -> tuple[list[Step], IntArray]:
        """The steps of some sources, and where their last states are, source by source."""
        n, degree, rank = len(self.rowptr) - 1, np.diff(self.rowptr), self.degrees.rank
        bounds = starts(sizes.reshape(-1))[:-1].reshape(sizes.shape)
        steps: list[Step] = []
        below: tuple[IntArray, IntArray, IntArray] | None = None
        for column in range(self.num_steps, -1, -1):  # states are listed from the last step to before the first
            counts = sizes[:, column]
            ptr = starts(counts)
            node = nodes[np.repeat(bounds[:, column] - ptr[:-1], counts) + np.arange(ptr[-1])]
            order = _sorting(rank[node], n)
            place: IntArray = np.empty(len(node), dtype=np.int32)
            place[order] = np.arange(len(node), dtype=np.int32)
            if below is not None:
                message_ptr = starts(degree[node[order]] + 1)
                out = np.empty(message_ptr[-1], dtype=np.int32)
                write = partial(
                    _write_messages, self.rowptr, self.col, rank, *below, ptr, node, place, message_ptr, out
                )
                run_ranges(write, len(source), smallest=_SMALLEST)
                at_source = node[order] == np.repeat(source, counts)[order]
                steps.append(Step(MessageRows(message_ptr, out, at_source), self.degrees.sizes(node)))
            below = ptr, node, place
        return steps, place.astype(np.int64)


def _cuts(total: IntArray, most: int) -> Iterator[tuple[int, int]]:
    """Ranges of consecutive sources with at most so many states, or of one source; `total` are the starts of each."""
    start = 0
    while start < len(total) - 1:
        stop = max(int(np.searchsorted(total, total[start] + most, side="right")) - 1, start + 1)
        yield start, stop
        start = stop


def _sorting(rank: IntArray, num_nodes: int) -> IntArray:
    """The stable order of ranks; numpy sorts short integers several times as fast."""
    return np.argsort(rank.astype(np.uint16) if num_nodes <= 1 << 16 else rank, kind="stable")


@kernel
def _list_states(rowptr, col, num_steps, source, target_ptr, target, first, last):
    """The nodes of each source whose states are needed, from the last step to before the first.

    Returns the number of nodes per source and step, the nodes, and whether each target is within reach.
    """
    n = len(rowptr) - 1
    sizes = np.empty((last - first, num_steps + 1), dtype=np.int64)
    reached = np.zeros(target_ptr[last] - target_ptr[first], dtype=np.bool_)
    distance, mark = np.full(n, -1, dtype=np.int16), np.full(n, -1, dtype=np.int64)
    queue = np.empty(n, dtype=np.int32)
    nodes, count, stamp = np.empty(1024, dtype=np.int32), 0, 0
    for s in range(first, last):
        queue[0], distance[source[s]] = source[s], 0
        head, tail = 0, 1
        while head < tail:
            p = queue[head]
            head += 1
            if distance[p] == num_steps:
                break
            for k in range(rowptr[p], rowptr[p + 1]):
                if distance[col[k]] < 0:
                    distance[col[k]] = distance[p] + 1
                    queue[tail] = col[k]
                    tail += 1
        begin = count
        nodes = with_room(nodes, count, n)
        for k in range(target_ptr[s], target_ptr[s + 1]):
            if distance[target[k]] >= 0:
                reached[k - target_ptr[first]] = True
                nodes[count] = target[k]
                count += 1
        sizes[s - first, 0] = count - begin
        for step in range(1, num_steps + 1):
            end, left = count, num_steps - step
            nodes = with_room(nodes, count, n)
            for i in range(begin, end):
                v = nodes[i]
                if distance[v] <= left and mark[v] != stamp:
                    mark[v], nodes[count] = stamp, v
                    count += 1
                for k in range(rowptr[v], rowptr[v + 1]):
                    x = col[k]
                    if 0 <= distance[x] <= left and mark[x] != stamp:
                        mark[x], nodes[count] = stamp, x
                        count += 1
            sizes[s - first, step] = count - end
            begin = end
            stamp += 1
        for i in range(tail):
            distance[queue[i]] = -1
    return sizes, nodes[:count].copy(), reached


@kernel
def _write_messages(rowptr, col, rank, below_ptr, below, below_place, ptr, node, place, message_ptr, out, first, last):
    """Writes the messages of the states of some sources: from states below where there are any, else background."""
    n = len(rank)
    slot = np.full(n, -1, dtype=np.int32)
    for s in range(first, last):
        for i in range(below_ptr[s], below_ptr[s + 1]):
            slot[below[i]] = below_place[i]
        for i in range(ptr[s], ptr[s + 1]):
            v, at = node[i], message_ptr[place[i]]
            out[at] = n + slot[v] if slot[v] >= 0 else rank[v]
            for k in range(rowptr[v], rowptr[v + 1]):
                x = col[k]
                at += 1
                out[at] = n + slot[x] if slot[x] >= 0 else rank[x]
        for i in range(below_ptr[s], below_ptr[s + 1]):
            slot[below[i]] = -1
