"""Windows of time: training edges that are predicted from the edges before them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from linkwl.graph import Graph
from linkwl.typing import IntArray

_PAST = 0.2
"""The share of the edges that are before every window: a window needs a past to be predicted from."""


class TimeWindows:
    """The train edges in the order of their times, for windows that hide all that comes after their beginning.

    A model that is to forecast is trained in the same situation: it sees the graph as it was, and its targets are the
    next edges. With edges hidden at random it would see later edges around each target.

    Args:
        graph: The train edges, with their times.
        size: Number of edges of a window; smaller if there are too few.
    """

    def __init__(self, graph: Graph, size: int) -> None:
        assert graph.edge_time is not None
        self.graph, self._time = graph, graph.edge_time
        self._order = np.argsort(self._time, kind="stable")
        self.first = min(max(int(_PAST * len(self._order)), 1), len(self._order) - 1)
        self.size = max(1, min(size, len(self._order) - self.first))

    @property
    def num_starts(self) -> int:
        """Number of different windows."""
        return len(self._order) - self.size - self.first + 1

    @classmethod
    def divided(cls, graph: Graph, count: int) -> Iterator[tuple[Graph, IntArray]]:
        """Windows that do not overlap, the latest first; see :meth:`window`."""
        if graph.num_edges == 0:
            return
        later = graph.num_edges - cls(graph, 1).first
        windows = cls(graph, later // count)
        for start in range(windows.num_starts - 1, -1, -windows.size)[:count]:
            yield windows.window(start)

    def window(self, start: int) -> tuple[Graph, IntArray]:
        """The graph before a window, and the positions of the window's edges among the edges of the graph.

        Edges whose nodes are not known by then are left out, as in the folds that the model is measured on; all are
        kept if there would be none.
        """
        begin = self.first + start
        chosen = np.sort(self._order[begin : begin + self.size])
        before = self.graph.select(self._time < self._time[self._order[begin]])
        is_known = (before.degree + before.reversed.degree > 0)[self.graph.edges[chosen]].all(axis=1)
        return before, chosen[is_known] if is_known.any() else chosen
