"""From where the demanded nodes of each source can be reached."""

from __future__ import annotations

import numba
import numpy as np

from linkwl.sparse.edge_rows import Demand, EdgeRows, sources_per_part
from linkwl.sparse.growing import with_room
from linkwl.threads import run_ranges
from linkwl.typing import IntArray


def search_back(rows: EdgeRows, demand: Demand, depth: int) -> tuple[IntArray, IntArray]:
    """The nodes from which each source's demanded nodes are at most `depth` edges away, the nearest first.

    Also how many there are of each source within 0, 1, .. `depth` edges: level t of L may need those within L - t.
    """
    ends = np.zeros((len(demand.source), depth + 1), dtype=np.int64)
    parts = run_ranges(
        lambda start, stop: _search_back(rows, demand, ends, start, stop), len(ends), smallest=sources_per_part(rows)
    )
    return np.concatenate(parts), ends


@numba.njit(nogil=True, cache=True)
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
