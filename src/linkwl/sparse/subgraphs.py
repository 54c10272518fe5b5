"""Enclosing subgraphs: the entities near both ends of a pair, and the facts between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.hops import search
from linkwl.sparse.rows import starts, with_room
from linkwl.threads import run_ranges
from linkwl.typing import IntArray, Pairs

_SMALLEST = 16  # pairs; for fewer, starting another thread does not pay


class FactRows(NamedTuple):
    """Facts in compressed rows, and who is joined with whom by any of them."""

    rowptr: IntArray
    """The entities joined with v, in either direction, are ``col[rowptr[v] : rowptr[v + 1]]``."""
    col: IntArray
    head_ptr: IntArray
    """The facts of head v are ``head_ptr[v] : head_ptr[v + 1]``."""
    relation: IntArray
    tail: IntArray


@dataclass(frozen=True, eq=False)
class Subgraphs:
    """The subgraphs of some pairs, one after the other; nodes are numbered within each, the ends first.

    A pair of two entities starts with its first end, then its second; a pair of an entity with itself with that one.
    """

    node_ptr: IntArray
    """The nodes of pair i are ``node_ptr[i] : node_ptr[i + 1]``; int64."""
    node: IntArray
    first: IntArray
    """Distance of each node to the first end, without passing the second."""
    second: IntArray
    """Distance of each node to the second end, without passing the first."""
    edge_ptr: IntArray
    """The facts of pair i are ``edge_ptr[i] : edge_ptr[i + 1]``; int64."""
    head: IntArray
    """Number of the head within the subgraph."""
    relation: IntArray
    tail: IntArray


def enclosing_subgraphs(facts: FactRows, pairs: Pairs, hops: int, max_nodes: int) -> Subgraphs:
    """The entities at most ``hops`` from both ends of each pair, and all facts between them.

    Distances ignore directions, and those to one end do not pass the other: the ends have distances (0, 1) and (1, 0).
    If there are more than ``max_nodes``, those with the largest sums of both distances are left out, all with the same
    sum together, so that the choice does not depend on the numbers of the entities. Memory grows with the result.

    Args:
        facts: The graph.
        pairs: The pairs, shape ``(num_pairs, 2)``.
        hops: The largest distance, at least 1.
        max_nodes: The largest number of nodes of a subgraph, at least 2.
    """
    fixed = np.ascontiguousarray(pairs, dtype=np.int64).reshape(-1, 2)
    parts = run_ranges(
        lambda start, stop: _extract(facts, fixed[start:stop], hops, max_nodes), len(fixed), smallest=_SMALLEST
    )
    num_nodes, node, first, second, num_edges, head, relation, tail = (
        np.concatenate(arrays) for arrays in zip(*parts, strict=True)
    )
    return Subgraphs(starts(num_nodes), node, first, second, starts(num_edges), head, relation, tail)


@kernel
def _extract(facts, pairs, hops, max_nodes):
    n = len(facts.rowptr) - 1
    from_first, from_second = np.full(n, -1, dtype=np.int32), np.full(n, -1, dtype=np.int32)
    first_queue, second_queue = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    number = np.full(n, -1, dtype=np.int32)
    num_nodes, num_edges = np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs), dtype=np.int64)
    node, first, second = np.empty(64, dtype=np.int32), np.empty(64, dtype=np.int32), np.empty(64, dtype=np.int32)
    head, relation, tail = np.empty(64, dtype=np.int32), np.empty(64, dtype=np.int32), np.empty(64, dtype=np.int32)
    size, count = 0, 0
    of_sum = np.zeros(2 * hops + 1, dtype=np.int64)
    for i in range(len(pairs)):
        p, q = pairs[i]
        is_loop = p == q
        found = search(facts.rowptr, facts.col, p, -1 if is_loop else q, hops, from_first, first_queue)
        others = search(facts.rowptr, facts.col, q, -1 if is_loop else p, hops, from_second, second_queue)
        of_sum[:] = 0
        for k in range(found):
            v = first_queue[k]
            if v != p and from_second[v] >= 0:
                of_sum[from_first[v] + from_second[v]] += 1
        room, largest = max_nodes - (1 if is_loop else 2), 0
        while largest < 2 * hops and of_sum[largest + 1] <= room:
            largest += 1
            room -= of_sum[largest]
        start = size
        node = with_room(node, size, found + 2)
        first, second = with_room(first, size, found + 2), with_room(second, size, found + 2)
        node[size], first[size], second[size] = p, 0, 0 if is_loop else 1
        number[p] = 0
        size += 1
        if not is_loop:
            node[size], first[size], second[size] = q, 1, 0
            number[q] = 1
            size += 1
        for k in range(found):
            v = first_queue[k]
            if v != p and from_second[v] >= 0 and from_first[v] + from_second[v] <= largest:
                node[size], first[size], second[size] = v, from_first[v], from_second[v]
                number[v] = size - start
                size += 1
        num_nodes[i], before = size - start, count
        for k in range(start, size):
            v = node[k]
            degree = facts.head_ptr[v + 1] - facts.head_ptr[v]
            head, relation = with_room(head, count, degree), with_room(relation, count, degree)
            tail = with_room(tail, count, degree)
            for e in range(facts.head_ptr[v], facts.head_ptr[v + 1]):
                if number[facts.tail[e]] >= 0:
                    head[count], relation[count], tail[count] = k - start, facts.relation[e], number[facts.tail[e]]
                    count += 1
        num_edges[i] = count - before
        for k in range(start, size):
            number[node[k]] = -1
        for k in range(found):
            from_first[first_queue[k]] = -1
        for k in range(others):
            from_second[second_queue[k]] = -1
    return (
        num_nodes,
        node[:size].copy(),
        first[:size].copy(),
        second[:size].copy(),
        num_edges,
        head[:count].copy(),
        relation[:count].copy(),
        tail[:count].copy(),
    )
