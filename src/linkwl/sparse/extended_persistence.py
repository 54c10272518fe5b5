"""Extended persistence of a graph whose nodes have values: its components and loops, and when they come and go."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.kernel import kernel
from linkwl.typing import FloatArray, IntArray

ORDINARY, RELATIVE, COMPONENT, LOOP = 0, 1, 2, 3


class Diagram(NamedTuple):
    """The points of a persistence diagram."""

    birth: FloatArray
    death: FloatArray
    kind: IntArray
    """:data:`ORDINARY`, :data:`RELATIVE`, :data:`COMPONENT` or :data:`LOOP`."""


def extended_persistence(num_nodes: int, edges: IntArray, value: FloatArray) -> Diagram:
    r"""The points of the extended persistence diagram in dimensions 0 and 1, without those of no persistence.

    Nodes enter by ascending value, an edge with the later of its ends, and then everything is filled in again by
    descending value, an edge with the end of smaller value.

    - *ordinary*: a component of the ascending filtration, from its smallest value to that where it joins an older one;
    - *relative*: a component of the descending filtration, from its largest value to that where it joins an older one;
    - *component*: of the whole graph, from its smallest value to its largest;
    - *loop*: from the value at which the ascending filtration closes it to that at which the descending one does.

    A loop is found by Kruskal's way: edges enter in ascending order, into a forest whose edges are as late as possible
    in value of their smaller ends. An edge that closes a cycle is paired with the edge of the cycle that is the last in
    the descending filtration, which leaves the forest. For e edges the time is O(e log e) and a path of the forest for
    each loop.

    Reference: Yan, Ma, Gao, Tang and Chen, 2021, arXiv:2102.10255; Cohen-Steiner, Edelsbrunner and Harer,
    Extending persistence using Poincare and Lefschetz duality, 2009.

    Args:
        num_nodes: Number of nodes.
        edges: Distinct undirected edges without loops, shape ``(num_edges, 2)``.
        value: The values of the nodes.
    """
    ends = np.ascontiguousarray(edges, dtype=np.int64).reshape(-1, 2)
    return Diagram(*persist(num_nodes, ends, np.ascontiguousarray(value, dtype=np.float64)))


@kernel
def persist(num_nodes, edges, value):
    """The points of :func:`extended_persistence`."""
    m = len(edges)
    late, early = np.empty(m), np.empty(m)
    for e in range(m):
        a, b = value[edges[e, 0]], value[edges[e, 1]]
        late[e], early[e] = max(a, b), min(a, b)
    # A point for each merge of either filtration, each loop and each component.
    birth, death = np.empty(m + 2 * num_nodes), np.empty(m + 2 * num_nodes)
    kind = np.empty(m + 2 * num_nodes, dtype=np.int64)
    count = 0

    leader, oldest = np.arange(num_nodes), value.copy()
    for e in np.argsort(-early, kind="mergesort"):
        p, q = find(leader, edges[e, 0]), find(leader, edges[e, 1])
        if p != q:
            if oldest[p] < oldest[q]:
                p, q = q, p
            if oldest[q] > early[e]:
                birth[count], death[count], kind[count] = oldest[q], early[e], RELATIVE
                count += 1
            leader[q] = p
    largest = oldest.copy()
    for v in range(num_nodes):
        largest[v] = oldest[find(leader, v)]

    leader, oldest = np.arange(num_nodes), value.copy()
    parent, above = np.full(num_nodes, -1), np.empty(num_nodes)  # the forest: the edge to the parent, by its early end
    for e in np.argsort(late, kind="mergesort"):
        u, v = edges[e]
        p, q = find(leader, u), find(leader, v)
        _make_root(parent, above, u)
        if p != q:
            if oldest[p] > oldest[q]:
                p, q = q, p
            if oldest[q] < late[e]:
                birth[count], death[count], kind[count] = oldest[q], late[e], ORDINARY
                count += 1
            leader[q] = p
            parent[u], above[u] = v, early[e]
            continue
        last, at = early[e], -1
        while v != u:
            if above[v] < last:
                last, at = above[v], v
            v = parent[v]
        if late[e] != last:
            birth[count], death[count], kind[count] = late[e], last, LOOP
            count += 1
        if at >= 0:
            parent[at] = -1
            parent[u], above[u] = edges[e, 1], early[e]

    for v in range(num_nodes):
        if leader[v] == v and oldest[v] < largest[v]:
            birth[count], death[count], kind[count] = oldest[v], largest[v], COMPONENT
            count += 1
    return birth[:count], death[:count], kind[:count]


@kernel
def find(leader, v):
    """The leader of a node's set; paths to it are halved on the way."""
    while leader[v] != v:
        leader[v] = leader[leader[v]]
        v = leader[v]
    return v


@kernel
def _make_root(parent, above, v):
    """Turns the edges on the path from v to the root of its tree round, so that v is the root."""
    before, edge = -1, 0.0
    while v >= 0:
        up, next_edge = parent[v], above[v]
        parent[v], above[v] = before, edge
        before, edge, v = v, next_edge, up
