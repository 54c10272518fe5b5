"""Skip-gram with negative sampling: vectors of nodes that meet in walks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.random_walks import mixed, next_uniform
from linkwl.typing import FloatArray, IntArray

_LAST_RATE = 1e-4
"""The learning rate falls to this value."""
_POWER = 0.75
"""Negatives are drawn by the frequency of a node to this power."""


class SkipGramSettings(NamedTuple):
    """How vectors are learned; the defaults are those of word2vec."""

    channels: int = 128
    window: int = 10
    """The largest distance in a walk; the actual one is drawn anew for each position, from 1."""
    negatives: int = 5
    """Number of negatives for each pair of nodes that meet."""
    epochs: int = 1
    rate: float = 0.025
    """The first learning rate, which falls linearly."""
    sample: float = 1e-3
    """Positions of nodes with a larger share of all positions are skipped at random; 0 for none."""


def skip_gram(walks: IntArray, num_nodes: int, settings: SkipGramSettings, seed: int) -> FloatArray:
    r"""Vectors of the nodes such that those that meet in walks have large products.

    For a node :math:`c` of a walk, another node :math:`u` at most a window away and negatives :math:`k`, a step of
    gradient descent reduces

    .. math::
        -\log \sigma(\langle z_u, y_c \rangle) - \sum_k \log \sigma(-\langle z_u, y_k \rangle)

    Positions are processed in the order of the walks by one thread, so that the result is always the same.

    Args:
        walks: Nodes, shape ``(num_walks, length)``; a walk ends before the first -1.
        num_nodes: Number of nodes.
        settings: How vectors are learned.
        seed: The seed, at least 0.

    Returns:
        The vectors :math:`z`, float32, shape ``(num_nodes, channels)``.

    Reference: Mikolov et al., Distributed representations of words and phrases, NIPS, 2013, Eq. (4).
    """
    generator = np.random.default_rng(seed)
    z = ((generator.random((num_nodes, settings.channels)) - 0.5) / settings.channels).astype(np.float32)
    y = np.zeros_like(z)
    count = np.bincount(walks[walks >= 0].reshape(-1), minlength=num_nodes)
    if count.sum() == 0:
        return z
    keep, cumulative = _keep(count, settings.sample), np.cumsum(count**_POWER)
    key = generator.integers(0, 1 << 63, dtype=np.uint64)
    _train(walks, z, y, keep, cumulative / cumulative[-1], settings, key)
    return z


def _keep(count: IntArray, sample: float) -> FloatArray:
    """The probability that a position of each node is used."""
    share = count / count.sum()
    if sample == 0:
        return np.ones(len(count))
    ratio = sample / np.maximum(share, 1e-300)
    return np.minimum(np.sqrt(ratio) + ratio, 1.0)


@kernel(fastmath={"reassoc", "contract"})
def pair_step(z, y, nodes, labels, rate, change):
    """A step for one vector ``z`` and the vectors ``y[nodes]``; the loss is the cross-entropy of the labels.

    The vectors ``y`` are changed one after the other, and ``z`` last. ``change`` is a buffer as long as ``z``.
    """
    channels = len(z)
    change[:] = 0
    for k in range(len(nodes)):
        other = y[nodes[k]]
        product = np.float32(0)
        for j in range(channels):
            product += z[j] * other[j]
        g = np.float32(rate * (labels[k] - 1 / (1 + np.exp(-np.float64(product)))))
        for j in range(channels):
            change[j] += g * other[j]
            other[j] += g * z[j]
    for j in range(channels):
        z[j] += change[j]


@kernel
def _train(walks, z, y, keep, cumulative, settings, key):
    num_walks, length = walks.shape
    state = mixed(key)
    change = np.empty(z.shape[1], dtype=np.float32)
    kept = np.empty(length, dtype=np.int32)
    nodes = np.empty(1 + settings.negatives, dtype=np.int64)
    labels = np.zeros(1 + settings.negatives)
    labels[0] = 1
    # A table of guesses spares most of the bisection.
    table = np.searchsorted(cumulative, np.arange(4 * len(cumulative)) / (4 * len(cumulative)), side="right")
    for turn in range(settings.epochs * num_walks):
        done = turn / (settings.epochs * num_walks)
        rate = settings.rate + (_LAST_RATE - settings.rate) * done
        size = 0
        for step in range(length):
            v = walks[turn % num_walks, step]
            if v < 0:
                break
            state, u = next_uniform(state)
            if u < keep[v]:
                kept[size] = v
                size += 1
        for i in range(size):
            state, u = next_uniform(state)
            reach = 1 + int(u * settings.window)
            for j in range(max(0, i - reach), min(size, i + reach + 1)):
                if j == i:
                    continue
                nodes[0], found = kept[i], 1
                for _ in range(settings.negatives):
                    state, u = next_uniform(state)
                    k = table[int(u * len(table))]
                    while cumulative[k] <= u:
                        k += 1
                    if k != kept[i]:
                        nodes[found] = k
                        found += 1
                pair_step(z[kept[j]], y, nodes[:found], labels[:found], rate, change)
