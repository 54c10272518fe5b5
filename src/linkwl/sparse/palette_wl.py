"""Palette-WL: an ordering of the nodes of a small graph by colours that are refined."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.typing import FloatArray

_TOLERANCE = 1e-9  # sums of logarithms in another order differ by less, those of other colours hardly ever
_MOST_ORDERS = 2000  # tried to break the ties of one graph


def log_primes(count: int) -> FloatArray:
    """The logarithms of the first ``count`` primes; number k is at place k, and place 0 is not used."""
    largest = max(16, int(count * (np.log(max(count, 2)) + np.log(np.log(max(count, 3))) + 1)))
    is_prime = np.ones(largest + 1, dtype=bool)
    is_prime[:2] = False
    for k in range(2, int(largest**0.5) + 1):
        if is_prime[k]:
            is_prime[k * k :: k] = False
    return np.concatenate([[0.0], np.log(np.flatnonzero(is_prime)[:count])])


@kernel
def palette_wl(ptr, near, size, colour, log_prime):
    r"""Refines colours until they are stable: :math:`c_v \leftarrow \text{rank}(c_v, \sum_{u \in N(v)} \ln P(c_u))`.

    :math:`P(k)` is the k-th prime, so that the sums of other multisets of colours differ. The published form ranks
    :math:`c_v + \sum_{u \in N(v)} \ln P(c_u) / \lceil \sum_u \ln P(c_u) \rceil`; as the second term is below 1, the
    order is the same. Classes are divided and never change their order.

    Args:
        ptr: The neighbours of node v are ``near[ptr[v] : ptr[v + 1]]``.
        near: Neighbours.
        size: The number of nodes.
        colour: To be refined in place: dense ranks, from 1.
        log_prime: See :func:`log_primes`; at least as many as there are nodes.

    Returns:
        The number of colours.

    Reference: Zhang and Chen, Weisfeiler-Lehman neural machine for link prediction, KDD, 2017, Section 3.2.
    """
    sums = np.empty(size)
    count = 0
    for v in range(size):
        count = max(count, colour[v])
    while count < size:
        for v in range(size):
            total = 0.0
            for e in range(ptr[v], ptr[v + 1]):
                total += log_prime[colour[near[e]]]
            sums[v] = total
        order = np.argsort(sums, kind="mergesort")
        order = order[np.argsort(colour[order], kind="mergesort")]
        refined = np.empty(size, dtype=colour.dtype)
        rank = 1
        for i in range(size):
            v = order[i]
            if i > 0:
                before = order[i - 1]
                if colour[v] != colour[before] or sums[v] - sums[before] > _TOLERANCE:
                    rank += 1
            refined[v] = rank
        colour[:size] = refined
        if rank == count:
            break
        count = rank
    return count


@kernel
def individualise(colour, size, node):
    """Puts a node before the others of its colour, as a colour of its own."""
    own = colour[node]
    for v in range(size):
        if v != node and colour[v] >= own:
            colour[v] += 1


@kernel
def canonical_vector(ptr, near, size, colour, level, log_prime, length):
    """The adjacency of a small graph as a vector, in an order of its nodes that does not depend on their numbers.

    The order is that of the refined colours. A node of the first colour with several nodes is put before the others,
    and colours are refined again, until there are no ties. Every node of the colour is tried, and the
    lexicographically largest vector is kept; of nodes with the same neighbours only one, as the others give the same.
    After some thousand orders, which hardly a graph has, the largest so far is taken.

    Args:
        ptr: The neighbours of node v are ``near[ptr[v] : ptr[v + 1]]``.
        near: Neighbours.
        size: The number of nodes; at most ``length`` and 62.
        colour: The first colours, dense ranks from 1.
        level: The distance of each node to the nearer end of the pair.
        log_prime: See :func:`log_primes`.
        length: The number of nodes that the vector has room for.

    Returns:
        The entries above the diagonal, row by row: 1 / (1 + the smaller level of both ends) of an edge, 0 otherwise.
    """
    mask = np.zeros(size, dtype=np.int64)
    for v in range(size):
        for e in range(ptr[v], ptr[v + 1]):
            mask[v] |= np.int64(1) << np.int64(near[e])
    colours = np.empty((size + 1, size), dtype=np.int32)
    tried = np.zeros(size + 1, dtype=np.int64)
    counts = np.zeros(size + 1, dtype=np.int64)
    colours[0] = colour[:size]
    counts[0] = palette_wl(ptr, near, size, colours[0], log_prime)
    best = np.zeros(length * (length - 1) // 2, dtype=np.float32)
    has_best, depth, num_orders = False, 0, 0
    while depth >= 0:
        if counts[depth] == size:
            vector = _vector(ptr, near, size, colours[depth], level, length)
            if not has_best or _is_larger(vector, best):
                best, has_best = vector, True
            num_orders += 1
            depth -= 1
            if num_orders >= _MOST_ORDERS:
                break
            continue
        chosen = _next_member(colours[depth], size, mask, tried[depth])
        if chosen < 0:
            depth -= 1
            continue
        tried[depth] |= np.int64(1) << np.int64(chosen)
        colours[depth + 1] = colours[depth]
        individualise(colours[depth + 1], size, chosen)
        counts[depth + 1] = palette_wl(ptr, near, size, colours[depth + 1], log_prime)
        tried[depth + 1] = 0
        depth += 1
    return best


@kernel
def _next_member(colour, size, mask, tried):
    """A node of the first colour with several nodes that was not tried and has no tried twin; -1 if there is none."""
    sizes = np.zeros(size + 2, dtype=np.int64)
    for v in range(size):
        sizes[colour[v]] += 1
    tie = 1
    while sizes[tie] < 2:
        tie += 1
    for v in range(size):
        if colour[v] != tie or (tried >> np.int64(v)) & 1:
            continue
        is_new = True
        for u in range(size):
            if (tried >> np.int64(u)) & 1:
                both = (np.int64(1) << np.int64(u)) | (np.int64(1) << np.int64(v))
                if mask[u] & ~both == mask[v] & ~both:
                    is_new = False
                    break
        if is_new:
            return v
    return -1


@kernel
def _vector(ptr, near, size, colour, level, length):
    vector = np.zeros(length * (length - 1) // 2, dtype=np.float32)
    for v in range(size):
        i = colour[v] - 1
        for e in range(ptr[v], ptr[v + 1]):
            u = near[e]
            j = colour[u] - 1
            if i < j:
                vector[i * length - i * (i + 1) // 2 + j - i - 1] = 1.0 / (1 + min(level[u], level[v]))
    return vector


@kernel
def _is_larger(vector, other):
    for k in range(len(vector)):
        if vector[k] != other[k]:
            return vector[k] > other[k]
    return False
