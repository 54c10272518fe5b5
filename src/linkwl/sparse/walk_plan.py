"""Which walks a set of demanded pairs needs: a round adds an edge at the second end, both edges of a term observed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwl.memory import check_memory
from linkwl.sparse.edge_rows import edge_rows, group_pairs, positions
from linkwl.sparse.triples import Triples, index_type
from linkwl.sparse.walk_levels import Level, Marks, fill_terms, out_edges, reach, select
from linkwl.sparse.walk_search import search_back
from linkwl.typing import IntArray, Pairs


@dataclass(frozen=True, eq=False)
class WalkPlan:
    """What to compute, level by level, to know the walks between demanded pairs.

    Level 0 are observed edges. Round t makes level t of level t - 1: ``y[p, q] = sum over r of x[p, r] * m[r, q]``,
    with (p, r) in the pattern of level t - 1 and (r, q) an observed edge. The pattern of a level is what the round
    reaches, and the observed edges. A level holds the pairs of its pattern that the demanded pairs depend on, and the
    demanded pairs themselves, so that every round can be read out. A demanded pair outside the pattern has no terms and
    is in no term: what is computed for a pair does not depend on which other pairs are demanded.
    """

    edges: IntArray
    """Positions in ``col`` of the observed edges that are used anywhere, ascending; int64."""
    first: IntArray
    """The edge that each pair of level 0 is, as an index into `edges`; int64."""
    joins: tuple[Triples, ...]
    """The terms of rounds 1 .. L: `left` is a pair of the level before, `right` an index into `edges`."""
    adjacent: tuple[IntArray, ...]
    """For levels 1 .. L, the edge that each pair is, as an index into `edges`; -1 if it is none; int64."""
    targets: tuple[IntArray, ...]
    """For levels 1 .. L, the place of each demanded pair; int64."""


def plan_walks(
    rowptr: IntArray,
    col: IntArray,
    pairs: Pairs,
    rounds: int,
    *,
    transposed: tuple[IntArray, IntArray] | None = None,
) -> WalkPlan:
    """Finds the terms of ``rounds`` rounds that end in the demanded pairs.

    All pairs of a plan have the first node of a demanded pair, so the work goes source by source: a search back from
    the second nodes finds what each level may need, then the levels from 0 up find which of it is reached. Time is
    linear in the edges that are passed, memory in the terms.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending and distinct within each row.
        pairs: The demanded pairs, ordered; copies and pairs of a node with itself are allowed.
        rounds: Number of rounds, at least 1.
        transposed: The rows of the turned edges in the same form; not needed if every edge is there in both directions.

    Shape:
        - pairs: ``(num_pairs, 2)``

    Raises:
        ValueError: If there is no round, a pair names a node that does not exist, or the edges are not symmetric and
            their transposed rows are not given.
        MemoryLimitError: If there are more terms than memory.
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
    number = np.full(len(is_used) + 1, -1, dtype=index_type(len(edges)))  # the last entry is for no edge, -1
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
