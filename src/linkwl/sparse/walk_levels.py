"""The levels of a plan of walks, source by source."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from linkwl.sparse.edge_rows import Demand, EdgeRows, sources_per_part
from linkwl.sparse.growing import with_room
from linkwl.sparse.pair_sets import starts
from linkwl.sparse.triples import Triples, index_type
from linkwl.threads import run_ranges
from linkwl.typing import BoolArray, IntArray


class Level(NamedTuple):
    """Pairs by their sources: those of source k are ``ptr[k] : ptr[k + 1]``, the demanded ones first."""

    ptr: IntArray
    node: IntArray
    edge: IntArray
    """Position of the pair in ``col``; -1 if it is not observed."""
    num_terms: IntArray
    """A pair without terms that is not observed either is outside the pattern."""
    is_forward: BoolArray
    """Whether the terms of each source are found along the edges out of the level below, or along those into this."""


class Marks(NamedTuple):
    """Which edges are in a term, by their place in ``col`` and in ``in_col``; threads set marks and never take them."""

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
    """The next level: of the first `sizes` nodes of each source's ball, those that are demanded, observed or reached.

    Also which pairs of the level below are in a term.
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
    """The terms of a level; `numbers` are those of the edges, by their place in ``col`` and in ``in_col``."""
    ptr = starts(level.num_terms)
    dtype = index_type(len(below.node), num_edges, len(level.node))
    left, right = np.empty(ptr[-1], dtype=dtype), np.empty(ptr[-1], dtype=dtype)
    run_ranges(
        lambda start, stop: _fill(rows, below, level, ptr, *numbers, left, right, start, stop),
        len(demand.source),
        smallest=sources_per_part(rows),
    )
    return Triples(ptr, left, right, len(below.node), num_edges)


@numba.njit(nogil=True, cache=True)
def _place(below, k, place):
    """Notes where the nodes of source k are in the pattern of the level below."""
    for i in range(below.ptr[k], below.ptr[k + 1]):
        if below.edge[i] >= 0 or below.num_terms[i] > 0:
            place[below.node[i]] = i - below.ptr[k]


@numba.njit(nogil=True, cache=True)
def _is_shorter_forward(rows, below, k, nodes):
    """Whether the edges out of the level below are fewer than those into its successor."""
    forward, backward = 0, 0
    for i in range(below.ptr[k], below.ptr[k + 1]):
        forward += rows.rowptr[below.node[i] + 1] - rows.rowptr[below.node[i]]
    for q in nodes:
        backward += rows.in_rowptr[q + 1] - rows.in_rowptr[q]
        if backward > forward:
            return True
    return False


@numba.njit(nogil=True, cache=True)
def _reach(
    rows, demand, below, ball, ball_ptr, sizes, marks, is_first, is_forward, is_needed, ptr, first_source, last_source
):
    num_nodes = len(rows.rowptr) - 1
    place, here = np.full(num_nodes, -1, dtype=np.int32), np.full(num_nodes, -1, dtype=np.int32)
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
            here[nodes[i]] = i
            edge[i] = -1
            count[i] = 0
        for e in range(rows.rowptr[p], rows.rowptr[p + 1]):
            i = here[rows.col[e]]
            if i >= 0:
                edge[i] = e
        # The pairs of level 0 are sorted, so both ways find a pair's terms in the same order.
        is_forward[k] = is_first and _is_shorter_forward(rows, below, k, nodes)
        if is_forward[k]:
            for j in range(start, below.ptr[k + 1]):
                r = below.node[j]
                for e in range(rows.rowptr[r], rows.rowptr[r + 1]):
                    i = here[rows.col[e]]
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
            here[nodes[i]] = -1
            if i < num_demanded or edge[i] >= 0 or count[i] > 0:
                kept_node[size], kept_edge[size], kept_count[size] = nodes[i], edge[i], count[i]
                size += 1
        ptr[k + 1] = size - before
    return kept_node[:size].copy(), kept_edge[:size].copy(), kept_count[:size].copy()


@numba.njit(nogil=True, cache=True)
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
