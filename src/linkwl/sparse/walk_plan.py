"""The walks that requested pairs depend on: a round adds an observed edge at the second end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from linkwl.kernel import kernel
from linkwl.memory import check_memory
from linkwl.sparse.join import Triples
from linkwl.sparse.rows import (
    Demand,
    EdgeRows,
    edge_rows,
    group_pairs,
    index_type,
    positions,
    sources_per_part,
    starts,
    with_room,
)
from linkwl.threads import run_ranges
from linkwl.typing import BoolArray, IntArray, Pairs


@dataclass(frozen=True, eq=False)
class WalkPlan:
    """The computation of the walks between requested pairs, level by level.

    Level 0 holds observed edges. Round t computes level t from level t - 1: ``y[p, q] = sum over r of x[p, r] * m[r,
    q]``, with (p, r) in the pattern of level t - 1 and (r, q) an observed edge. The pattern of a level consists of the
    pairs that the round reaches and the observed edges. A level holds the pairs of its pattern that the requested pairs
    depend on, and the requested pairs themselves, so that every round can be read out. A requested pair outside the
    pattern has no terms and is in no term: the result for a pair does not depend on the other requested pairs.
    """

    edges: IntArray
    """Positions in ``col`` of all used observed edges, ascending; int64."""
    first: IntArray
    """The edge of each pair of level 0, as an index into `edges`; int64."""
    joins: tuple[Triples, ...]
    """The terms of rounds 1 .. L: `left` is a pair of the previous level, `right` an index into `edges`."""
    adjacent: tuple[IntArray, ...]
    """For levels 1 .. L, the edge of each pair, as an index into `edges`; -1 if it is not an edge; int64."""
    targets: tuple[IntArray, ...]
    """For levels 1 .. L, the position of each requested pair; int64."""


def plan_walks(
    rowptr: IntArray,
    col: IntArray,
    pairs: Pairs,
    rounds: int,
    *,
    transposed: tuple[IntArray, IntArray] | None = None,
) -> WalkPlan:
    """Finds the terms of ``rounds`` rounds that end in the requested pairs.

    All pairs of a plan have the first node of a requested pair, so the work goes source by source: a backward search
    from the second nodes finds the pairs that each level may need, then the levels from 0 up find those that are
    reached. Time is linear in the traversed edges, memory in the terms.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending and distinct within each row.
        pairs: The requested pairs, ordered; duplicates and pairs of a node with itself are allowed.
        rounds: Number of rounds, at least 1.
        transposed: The rows of the reversed edges in the same form; not needed if every edge is in both directions.

    Shape:
        - pairs: ``(num_pairs, 2)``

    Raises:
        ValueError: If there is no round, a pair names a node that does not exist, or the edges are not symmetric and
            their transposed rows are not given.
        MemoryLimitError: If the terms do not fit into memory.
    """
    if rounds < 1:
        raise ValueError(f"`rounds` must be at least 1, got {rounds}.")
    rows = edge_rows(rowptr, col, transposed)
    demand = group_pairs(pairs, len(rowptr) - 1)
    ball, ends = search_back(rows, demand, rounds - 1)
    marks = Marks(*np.zeros((2, len(rows.col)), dtype=np.bool_))
    levels = [out_edges(rows, demand.source)]
    for t in range(1, rounds + 1):
        level, is_needed = reach(rows, demand, levels[-1], ball, ends[:, rounds - t], ends[:, -1], marks, t == 1)
        if t == 1:
            levels[0] = select(levels[0], is_needed)
        levels.append(level)

    entries = np.flatnonzero(marks.is_used_in)
    position = positions(rows, entries)
    is_used = marks.is_used
    is_used[position] = True
    for level in levels:
        is_used[level.edge[level.edge >= 0]] = True
    edges = np.flatnonzero(is_used)
    number = np.full(len(is_used) + 1, -1, dtype=index_type(len(edges)))  # the last entry is for -1, no edge
    number[edges] = np.arange(len(edges))
    number_in = np.full_like(number, -1)
    number_in[entries] = number[position]

    num_terms = sum(int(level.num_terms.sum()) for level in levels)
    num_bytes = 2 * num_terms * number.itemsize + 24 * sum(len(level.node) for level in levels)
    check_memory(num_bytes, f"a plan with {num_terms} terms", "take fewer pairs at a time, or fewer rounds")

    def terms(t: int) -> Triples:
        return fill_terms(rows, demand, levels[t - 1], levels[t], (number, number_in), len(edges))

    def places(level: Level) -> IntArray:
        shift = np.repeat(level.ptr[:-1] - demand.ptr[:-1], np.diff(demand.ptr))
        return demand.place + shift[demand.place]

    return WalkPlan(
        edges=edges,
        first=number[levels[0].edge].astype(np.int64),
        joins=tuple(terms(t) for t in range(1, rounds + 1)),
        adjacent=tuple(number[level.edge].astype(np.int64) for level in levels[1:]),
        targets=tuple(places(level) for level in levels[1:]),
    )


def search_back(rows: EdgeRows, demand: Demand, depth: int) -> tuple[IntArray, IntArray]:
    """The nodes at most `depth` edges before the requested nodes of each source, the nearest first.

    Also their numbers for each source within 0, 1, .. `depth` edges: level t of L may need those within L - t.
    """
    ends = np.zeros((len(demand.source), depth + 1), dtype=np.int64)
    parts = run_ranges(
        lambda start, stop: _search_back(rows, demand, ends, start, stop), len(ends), smallest=sources_per_part(rows)
    )
    return np.concatenate(parts), ends


@kernel
def _search_back(rows, demand, ends, first_source, last_source):
    num_nodes = len(rows.rowptr) - 1
    found_by = np.full(num_nodes, -1, dtype=np.int32)
    ball = np.empty(num_nodes, dtype=np.int32)
    size = 0
    for k in range(first_source, last_source):
        ball = with_room(ball, size, num_nodes)
        start = low = size
        for i in range(demand.ptr[k], demand.ptr[k + 1]):
            ball[size] = demand.node[i]
            found_by[demand.node[i]] = k
            size += 1
        ends[k, 0] = size - start
        for d in range(1, ends.shape[1]):
            high = size
            for i in range(low, high):
                q = ball[i]
                for e in range(rows.in_rowptr[q], rows.in_rowptr[q + 1]):
                    r = rows.in_col[e]
                    if found_by[r] != k:
                        found_by[r] = k
                        ball[size] = r
                        size += 1
            low = high
            ends[k, d] = size - start
    return ball[:size].copy()


class Level(NamedTuple):
    """Pairs by their sources: those of source k are ``ptr[k] : ptr[k + 1]``, the requested ones first."""

    ptr: IntArray
    node: IntArray
    edge: IntArray
    """Position of the pair in ``col``; -1 if it is not observed."""
    num_terms: IntArray
    """A pair that has no terms and is not observed is outside the pattern."""
    is_forward: BoolArray
    """Whether the terms of each source are found along the edges out of the level below, or into this level."""


class Marks(NamedTuple):
    """Which edges are in a term, by position in ``col`` and in ``in_col``; threads set marks and never clear them."""

    is_used: BoolArray
    is_used_in: BoolArray


def out_edges(rows: EdgeRows, source: IntArray) -> Level:
    """The edges out of the sources."""
    ptr = starts(np.diff(rows.rowptr)[source])
    edge = np.repeat(rows.rowptr[source] - ptr[:-1], np.diff(ptr)) + np.arange(ptr[-1])
    no_terms = np.zeros(len(edge), dtype=np.int32)
    return Level(ptr, rows.col[edge], edge, no_terms, is_forward=np.zeros(len(source), dtype=np.bool_))


def select(level: Level, is_kept: BoolArray) -> Level:
    """The pairs that are kept."""
    kept_before = np.concatenate([[0], np.cumsum(is_kept)])
    return level._replace(
        ptr=kept_before[level.ptr],
        node=level.node[is_kept],
        edge=level.edge[is_kept],
        num_terms=level.num_terms[is_kept],
    )


def reach(
    rows: EdgeRows,
    demand: Demand,
    below: Level,
    ball: IntArray,
    sizes: IntArray,
    ball_sizes: IntArray,
    marks: Marks,
    is_first: bool,
) -> tuple[Level, BoolArray]:
    """The next level: of the first `sizes` nodes of each source's ball, those that are requested, observed or reached.

    Also marks which pairs of the level below are in a term.
    """
    num_sources = len(demand.source)
    ball_ptr = starts(ball_sizes)
    ptr = np.zeros(num_sources + 1, dtype=np.int64)
    is_needed, is_forward = np.zeros(len(below.node), dtype=np.bool_), np.zeros(num_sources, dtype=np.bool_)
    parts = run_ranges(
        lambda start, stop: _reach(
            rows, demand, below, ball, ball_ptr, sizes, marks, is_first, is_forward, is_needed, ptr, start, stop
        ),
        num_sources,
        smallest=sources_per_part(rows),
    )
    np.cumsum(ptr, out=ptr)
    node, edge, num_terms = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return Level(ptr, node, edge, num_terms, is_forward), is_needed


def fill_terms(
    rows: EdgeRows,
    demand: Demand,
    below: Level,
    level: Level,
    numbers: tuple[IntArray, IntArray],
    num_edges: int,
) -> Triples:
    """The terms of a level; `numbers` are the numbers of the edges, by position in ``col`` and in ``in_col``."""
    ptr = starts(level.num_terms)
    dtype = index_type(len(below.node), num_edges, len(level.node))
    left, right = np.empty(ptr[-1], dtype=dtype), np.empty(ptr[-1], dtype=dtype)
    run_ranges(
        lambda start, stop: _fill(rows, below, level, ptr, *numbers, left, right, start, stop),
        len(demand.source),
        smallest=sources_per_part(rows),
    )
    return Triples(ptr, left, right, len(below.node), num_edges)


@kernel
def _place(below, k, place):
    """Records the positions of the nodes of source k in the pattern of the level below."""
    for i in range(below.ptr[k], below.ptr[k + 1]):
        if below.edge[i] >= 0 or below.num_terms[i] > 0:
            place[below.node[i]] = i - below.ptr[k]


@kernel
def _is_shorter_forward(rows, below, k, nodes):
    """Whether the level below has fewer outgoing edges than the next level has incoming edges."""
    forward, backward = 0, 0
    for i in range(below.ptr[k], below.ptr[k + 1]):
        forward += rows.rowptr[below.node[i] + 1] - rows.rowptr[below.node[i]]
    for q in nodes:
        backward += rows.in_rowptr[q + 1] - rows.in_rowptr[q]
        if backward > forward:
            return True
    return False


@kernel
def _reach(
    rows, demand, below, ball, ball_ptr, sizes, marks, is_first, is_forward, is_needed, ptr, first_source, last_source
):
    num_nodes = len(rows.rowptr) - 1
    place, index = np.full(num_nodes, -1, dtype=np.int32), np.full(num_nodes, -1, dtype=np.int32)
    largest = 0
    for k in range(first_source, last_source):
        largest = max(largest, sizes[k])
    edge, count = np.empty(largest, dtype=np.int64), np.empty(largest, dtype=np.int32)
    kept_node, kept_edge = np.empty(largest, dtype=np.int32), np.empty(largest, dtype=np.int64)
    kept_count = np.empty(largest, dtype=np.int32)
    size = 0
    for k in range(first_source, last_source):
        p, start = demand.source[k], below.ptr[k]
        nodes = ball[ball_ptr[k] : ball_ptr[k] + sizes[k]]
        for i in range(len(nodes)):
            index[nodes[i]] = i
            edge[i] = -1
            count[i] = 0
        for e in range(rows.rowptr[p], rows.rowptr[p + 1]):
            i = index[rows.col[e]]
            if i >= 0:
                edge[i] = e
        # The pairs of level 0 are sorted, so both directions find a pair's terms in the same order.
        is_forward[k] = is_first and _is_shorter_forward(rows, below, k, nodes)
        if is_forward[k]:
            for j in range(start, below.ptr[k + 1]):
                r = below.node[j]
                for e in range(rows.rowptr[r], rows.rowptr[r + 1]):
                    i = index[rows.col[e]]
                    if i >= 0:
                        count[i] += 1
                        marks.is_used[e] = True
                        is_needed[j] = True
        else:
            _place(below, k, place)
            for i in range(len(nodes)):
                q = nodes[i]
                for e in range(rows.in_rowptr[q], rows.in_rowptr[q + 1]):
                    j = place[rows.in_col[e]]
                    if j >= 0:
                        count[i] += 1
                        marks.is_used_in[e] = True
                        is_needed[start + j] = True
            for j in range(start, below.ptr[k + 1]):
                place[below.node[j]] = -1
        kept_node = with_room(kept_node, size, len(nodes))
        kept_edge = with_room(kept_edge, size, len(nodes))
        kept_count = with_room(kept_count, size, len(nodes))
        num_demanded, before = demand.ptr[k + 1] - demand.ptr[k], size
        for i in range(len(nodes)):
            index[nodes[i]] = -1
            if i < num_demanded or edge[i] >= 0 or count[i] > 0:
                kept_node[size], kept_edge[size], kept_count[size] = nodes[i], edge[i], count[i]
                size += 1
        ptr[k + 1] = size - before
    return kept_node[:size].copy(), kept_edge[:size].copy(), kept_count[:size].copy()


@kernel
def _fill(rows, below, level, ptr, number, number_in, left, right, first_source, last_source):
    num_nodes = len(rows.rowptr) - 1
    place, cursor = np.full(num_nodes, -1, dtype=np.int32), np.full(num_nodes, -1, dtype=np.int64)
    for k in range(first_source, last_source):
        start, nodes = below.ptr[k], level.node[level.ptr[k] : level.ptr[k + 1]]
        if level.is_forward[k]:
            for i in range(level.ptr[k], level.ptr[k + 1]):
                cursor[level.node[i]] = ptr[i]
            for j in range(start, below.ptr[k + 1]):
                r = below.node[j]
                for e in range(rows.rowptr[r], rows.rowptr[r + 1]):
                    q = rows.col[e]
                    if cursor[q] >= 0:
                        left[cursor[q]], right[cursor[q]] = j, number[e]
                        cursor[q] += 1
            for q in nodes:
                cursor[q] = -1
        else:
            _place(below, k, place)
            for i in range(level.ptr[k], level.ptr[k + 1]):
                q, t = level.node[i], ptr[i]
                for e in range(rows.in_rowptr[q], rows.in_rowptr[q + 1]):
                    j = place[rows.in_col[e]]
                    if j >= 0:
                        left[t], right[t] = start + j, number_in[e]
                        t += 1
            for j in range(start, below.ptr[k + 1]):
                place[below.node[j]] = -1
