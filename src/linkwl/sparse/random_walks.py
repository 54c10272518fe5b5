"""Biased random walks on a graph."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import IntArray

_SMALLEST = 256  # walks; for fewer, starting another thread does not pay


def random_walks(
    rowptr: IntArray, col: IntArray, sources: IntArray, length: int, *, p: float = 1.0, q: float = 1.0, seed: int
) -> IntArray:
    """Second-order random walks, one from each source.

    A walk that came from t to v goes on to a neighbour x of v with a probability proportional to 1 / p if x = t, to 1
    if x is a neighbour of t, and to 1 / q otherwise. A neighbour is proposed uniformly and accepted with a probability
    proportional to its weight, so nothing is stored per edge. A walk has random numbers of its own, from the seed and
    its place among the sources: the result does not depend on the number of threads.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending within each row.
        sources: The first nodes of the walks.
        length: Number of nodes of a walk.
        p: A large value makes it rare to return at once.
        q: A large value keeps walks near their source.
        seed: The seed of the walks, at least 0.

    Returns:
        The nodes of each walk, int32, shape ``(num_walks, length)``; -1 after a node without neighbours.

    Reference: Grover and Leskovec, node2vec: scalable feature learning for networks, KDD, 2016, Section 3.2.
    """
    walks = np.empty((len(sources), length), dtype=np.int32)
    firsts = np.ascontiguousarray(sources, dtype=np.int64)
    key = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    run_ranges(
        lambda start, stop: _walk(rowptr, col, firsts, float(p), float(q), key, start, stop, walks),
        len(firsts),
        smallest=_SMALLEST,
    )
    return walks


@kernel
def mixed(state):
    """The output of SplitMix64 for a state: 64 bits that look random even if the states are consecutive."""
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


@kernel
def next_uniform(state):
    """The next state of SplitMix64, and a number from 0 to below 1."""
    state += np.uint64(0x9E3779B97F4A7C15)
    return state, (mixed(state) >> np.uint64(11)) * (1.0 / (1 << 53))


@kernel
def _is_neighbour(rowptr, col, v, x):
    low, high = rowptr[v], rowptr[v + 1]
    while low < high:
        middle = (low + high) >> 1
        if col[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low < rowptr[v + 1] and col[low] == x


@kernel
def _walk(rowptr, col, sources, p, q, key, start, stop, walks):
    is_biased = p != 1.0 or q != 1.0
    most = max(1.0, 1.0 / p, 1.0 / q)
    for k in range(start, stop):
        state = mixed(key + np.uint64(k) * np.uint64(0xD1342543DE82EF95))
        before, v = -1, sources[k]
        walks[k, 0] = v
        for step in range(1, walks.shape[1]):
            first, degree = rowptr[v], rowptr[v + 1] - rowptr[v]
            if degree == 0:
                walks[k, step:] = -1
                break
            while True:
                state, u = next_uniform(state)
                x = col[first + np.int64(u * degree)]
                if not is_biased or before < 0 or degree == 1:
                    break
                weight = 1.0 / q
                if x == before:
                    weight = 1.0 / p
                elif _is_neighbour(rowptr, col, before, x):
                    weight = 1.0
                state, u = next_uniform(state)
                if u * most < weight:
                    break
            before, v = v, x
            walks[k, step] = v
