"""Double-radius node labelling: the position of a node relative to the two ends of a link."""

from __future__ import annotations

import numpy as np

from linkwl.graph import Graph
from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import IntArray, Pairs


def drnl_labels(graph: Graph, links: Pairs) -> IntArray:
    """The DRNL label of every node for every link.

    With ``a`` the distance to p when q is removed from the graph, ``b`` the distance to q when p is removed, and
    ``d = a + b``, it is ``1 + min(a, b) + (d // 2) * (d // 2 + d % 2 - 1)``; 1 at p and q themselves; 0 if either is
    unreachable. Different finite {a, b} get different labels. The link's own edge never counts: one of its ends is
    always removed. Two breadth-first searches per link.

    Reference: Zhang and Chen, *Link Prediction Based on Graph Neural Networks*, 2018, section 4.

    Shape:
        - links: ``(num_links, 2)``
        - output: ``(num_nodes, num_links)``
    """
    links = graph.check_pairs(links)
    labels = np.zeros((graph.num_nodes, len(links)), dtype=np.int64)

    def label(start: int, stop: int) -> None:
        _label_links(graph.rowptr, graph.col, links, start, stop, labels)

    run_ranges(label, len(links), smallest=16)
    return labels


@kernel
def _label_links(rowptr, col, links, start, stop, labels):  # type: ignore[no-untyped-def]
    num_nodes = len(rowptr) - 1
    to_p, to_q = np.empty(num_nodes, dtype=np.int64), np.empty(num_nodes, dtype=np.int64)
    queue = np.empty(num_nodes, dtype=np.int64)
    for i in range(start, stop):
        p, q = links[i, 0], links[i, 1]
        _distances(rowptr, col, p, q, to_p, queue)
        _distances(rowptr, col, q, p, to_q, queue)
        for v in range(num_nodes):
            a, b = to_p[v], to_q[v]
            if a >= 0 and b >= 0:
                half, odd = (a + b) // 2, (a + b) % 2
                labels[v, i] = 1 + min(a, b) + half * (half + odd - 1)
        labels[p, i] = labels[q, i] = 1


@kernel
def _distances(rowptr, col, source, without, distance, queue):  # type: ignore[no-untyped-def]
    """Distances from a node in the graph without another node; -1 if unreachable."""
    distance[:] = -1
    distance[source] = 0
    queue[0], head, tail = source, 0, 1
    while head < tail:
        u = queue[head]
        head += 1
        for k in range(rowptr[u], rowptr[u + 1]):
            v = col[k]
            if distance[v] < 0 and v != without:
                distance[v] = distance[u] + 1
                queue[tail] = v
                tail += 1
