"""Weights of walks along and against directed edges, by the pattern of their directions."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from linkwl.memory import check_memory
from linkwl.sparse.walks import (
    BYTES_PER_ENTRY,
    BlockedRows,
    Rows,
    expand_rows,
    first_rows,
    meet_rows,
    some_nodes,
)
from linkwl.typing import FloatArray, IntArray, Pairs

ALONG, AGAINST = "+", "-"
CLOSED = ("++", "+-", "-+", "+++", "++-", "+-+", "-++")
"""The patterns of walks of two and three steps back to a node; each other one is one of these, walked the other way."""


def patterns(steps: int) -> list[str]:
    """The patterns of walks between two nodes: ``+`` for a step along an edge, ``-`` for one against it.

    These are all patterns of two and of three steps; longer walks go along all edges or against all.
    """
    short = ["".join(signs) for k in (2, 3) if k <= steps for signs in product(ALONG + AGAINST, repeat=k)]
    return [*short, *(sign * k for k in range(4, steps + 1) for sign in (ALONG, AGAINST))]


def turned(pattern: str) -> str:
    """The pattern of the same walks, walked the other way."""
    return "".join(AGAINST if sign == ALONG else ALONG for sign in reversed(pattern))


class DirectedEdges(NamedTuple):
    """Directed edges in compressed rows, with their weights."""

    rowptr: IntArray
    """int64."""
    col: IntArray
    """int32."""
    weight: FloatArray
    """float64, one per entry of ``col``."""


class DirectedWalkValues(NamedTuple):
    """The result of :class:`DirectedWalkTable`."""

    between: FloatArray
    """For every pair, walks from the first node to the second; float64, shape ``(num_pairs, len(patterns(steps)))``."""
    closed: FloatArray
    """For both nodes of every pair, walks back to themselves; float64, shape ``(num_pairs, 2, len(CLOSED))``."""


class DirectedWalkTable(BlockedRows["DirectedBlock"]):
    r"""Walks by pattern: :math:`(M_{s_1} \cdots M_{s_k})_{pq}` with :math:`M_+ = M` and :math:`M_- = M^\top`.

    As in :class:`~linkwl.sparse.walks.WalkTable`, walks from p to q meet in the middle: the first half of a pattern is
    a row of p, the second half, walked the other way, a row of q.

    Args:
        along: The edges, with positive weights.
        against: The reversed edges with the same weights.
        steps: Length of the longest walks; at least 2.

    Raises:
        ValueError: If `steps` is less than 2.
    """

    def __init__(self, along: DirectedEdges, against: DirectedEdges, steps: int) -> None:
        if steps < 2:
            raise ValueError(f"`steps` must be at least 2, got {steps}.")
        super().__init__(len(along.rowptr) - 1)
        self._edges = {ALONG: along, AGAINST: against}
        self._steps, self._patterns = steps, patterns(steps)

    def at(self, pairs: Pairs) -> DirectedWalkValues:
        """The walks of ordered pairs.

        Raises:
            MemoryLimitError: If the output does not fit.
        """
        ends = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
        width = len(self._patterns) + 2 * len(CLOSED)
        check_memory(8.0 * len(ends) * width, f"walks between {len(ends)} pairs", "take fewer pairs at a time")
        between, closed = np.empty((len(ends), len(self._patterns))), np.empty((len(ends), 2, len(CLOSED)))
        for chosen, block, place in self.blocks(ends, np.lexsort(ends.T[::-1])):
            between[chosen] = block.meet(self._patterns, place)
            closed[chosen] = block.back[place]
        return DirectedWalkValues(between, closed)

    def row_bytes(self, nodes: IntArray) -> float:
        """Estimated from a few of the nodes."""
        sample = some_nodes(nodes)
        entries = sum(len(rows.node) for rows in self._rows(sample).values())
        return BYTES_PER_ENTRY * max(entries / max(len(sample), 1), 1)

    def block(self, nodes: IntArray) -> DirectedBlock:
        """The rows of all first and second halves of patterns."""
        return DirectedBlock(self._rows(nodes), self.num_nodes)

    def _rows(self, nodes: IntArray) -> dict[str, Rows]:
        """The rows by pattern: one step, two, and all steps in one direction up to half of the longest walk."""
        rows = {sign: first_rows(*edges, nodes) for sign, edges in self._edges.items()}
        longest = max(len(_halves(pattern)[0]) for pattern in (*self._patterns, *CLOSED))
        for length in range(2, longest + 1):
            for before in [pattern for pattern in rows if len(pattern) == length - 1]:
                for sign, edges in self._edges.items():
                    if length == 2 or set(before) == {sign}:
                        rows[before + sign] = expand_rows(*edges, rows[before])
        return rows


class DirectedBlock:
    """The rows of some nodes by pattern, and their walks back to themselves."""

    def __init__(self, rows: dict[str, Rows], num_nodes: int) -> None:
        self._rows, self._num_nodes = rows, num_nodes
        count = len(rows[ALONG].ptr) - 1
        self.back = self.meet(CLOSED, np.repeat(np.arange(count, dtype=np.int64)[:, None], 2, axis=1))
        """Walks of the patterns :data:`CLOSED`."""

    def meet(self, names: tuple[str, ...] | list[str], place: IntArray) -> FloatArray:
        """Walks of some patterns between nodes, given by their positions among the rows."""
        met = np.empty((len(place), len(names)))
        for column, pattern in enumerate(names):
            first, second = _halves(pattern)
            meet_rows(self._rows[first], self._rows[turned(second)], place, self._num_nodes, met[:, column])
        return met


def _halves(pattern: str) -> tuple[str, str]:
    """The first half of a pattern, which is not the shorter one, and the second."""
    middle = (len(pattern) + 1) // 2
    return pattern[:middle], pattern[middle:]
