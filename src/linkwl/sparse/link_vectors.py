"""The neighbourhoods of pairs as vectors of one length."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.hops import search
from linkwl.sparse.pair_subgraphs import forget, grow, induce
from linkwl.sparse.palette_wl import canonical_vector, individualise, log_primes, palette_wl
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray, Pairs

MOST_NODES = 32
"""The largest number of nodes of a vector."""
_SMALLEST = 8  # pairs; for fewer, starting another thread does not pay


def link_vectors(rowptr: IntArray, col: IntArray, pairs: Pairs, num_nodes: int, max_per_hop: int) -> FloatArray:
    """The adjacency matrix of the nodes around each pair, above the diagonal, with nodes in the order of palette-WL.

    Nodes are collected one distance from the pair after the other until there are ``num_nodes``; the pair's own edge
    does not count. Their first colours are the ranks of the products of their distances to both ends. If there are
    more, the first ``num_nodes`` are kept and coloured anew; a tie at the limit is broken by individualising the node
    of smallest number. An edge counts 1 / (its distance to the pair), one at an end 1. Isomorphic neighbourhoods get
    the same vector, unless nodes that colours do not distinguish, and no symmetry exchanges, tie at the limit.

    Reference: Zhang and Chen, Weisfeiler-Lehman neural machine for link prediction, KDD, 2017, Section 3.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending within each row; every edge in both directions.
        pairs: The pairs, shape ``(num_pairs, 2)``.
        num_nodes: The number of nodes of a vector, at most :data:`MOST_NODES`.
        max_per_hop: The largest number of nodes collected at one distance; see
            :func:`linkwl.sparse.pair_subgraphs.pair_subgraphs`.

    Shape:
        - output: ``(num_pairs, num_nodes * (num_nodes - 1) / 2)``, float32
    """
    if not 2 <= num_nodes <= MOST_NODES:
        raise ValueError(f"`num_nodes` must be 2 .. {MOST_NODES}, got {num_nodes}.")
    fixed = np.ascontiguousarray(pairs, dtype=np.int64).reshape(-1, 2)
    table = log_primes(min(len(rowptr) - 1, num_nodes + max_per_hop) + 1)
    parts = run_ranges(
        lambda start, stop: _vectors(rowptr, col, fixed[start:stop], num_nodes, max_per_hop, table),
        len(fixed),
        smallest=_SMALLEST,
    )
    return np.concatenate(parts)


@kernel
def _vectors(rowptr, col, pairs, num_nodes, max_per_hop, log_prime):
    n = len(rowptr) - 1
    number, links = np.full(n, -1, dtype=np.int32), np.zeros(n, dtype=np.int32)
    node, level = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    ptr, near = np.empty(n + 1, dtype=np.int64), np.empty(64, dtype=np.int32)
    out = np.zeros((len(pairs), num_nodes * (num_nodes - 1) // 2), dtype=np.float32)
    for i in range(len(pairs)):
        p, q = pairs[i, 0], pairs[i, 1]
        size, last = grow(rowptr, col, p, q, n, num_nodes, max_per_hop, number, links, node, level)
        near, _ = induce(rowptr, col, node, size, number, p == q, ptr, near)
        if size > num_nodes:
            colour = _first_colours(ptr, near, size, p == q)
            last_colour = _untie_limit(ptr, near, size, colour, node, num_nodes, log_prime)
            forget(node, size, last, number)
            # The ends have the first colour, so they stay at the places 0 and 1.
            kept = 0
            for k in range(size):
                if colour[k] <= last_colour:
                    node[kept], level[kept] = node[k], level[k]
                    number[node[kept]] = kept
                    kept += 1
            size, last = kept, n
            near, _ = induce(rowptr, col, node, size, number, p == q, ptr, near)
        colour = _first_colours(ptr, near, size, p == q)
        out[i] = canonical_vector(ptr, near, size, colour, level, log_prime, num_nodes)
        forget(node, size, last, number)
    return out


@kernel
def _first_colours(ptr, near, size, is_loop):
    """Dense ranks, from 1, of the product of the distances to both ends; unreachable counts twice the size."""
    first, second = np.full(size, -1, dtype=np.int64), np.full(size, -1, dtype=np.int64)
    queue = np.empty(size, dtype=np.int32)
    search(ptr, near, 0, -1, size, first, queue)
    search(ptr, near, 0 if is_loop else 1, -1, size, second, queue)
    product = np.empty(size, dtype=np.int64)
    for v in range(size):
        a = first[v] if first[v] >= 0 else 2 * size
        b = second[v] if second[v] >= 0 else 2 * size
        product[v] = a * b
    colour = np.empty(size, dtype=np.int32)
    order = np.argsort(product, kind="mergesort")
    rank = 1
    for i in range(size):
        if i > 0 and product[order[i]] != product[order[i - 1]]:
            rank += 1
        colour[order[i]] = rank
    return colour


@kernel
def _untie_limit(ptr, near, size, colour, node, limit, log_prime):
    """Refines colours until some of them have exactly ``limit`` nodes together; returns the last of those."""
    while True:
        palette_wl(ptr, near, size, colour, log_prime)
        counts = np.zeros(size + 2, dtype=np.int64)
        for v in range(size):
            counts[colour[v]] += 1
        before, tie = 0, 1
        while before + counts[tie] < limit:
            before += counts[tie]
            tie += 1
        if before + counts[tie] == limit:
            return tie
        chosen = -1
        for v in range(size):
            if colour[v] == tie and (chosen < 0 or node[v] < node[chosen]):
                chosen = v
        individualise(colour, size, chosen)
