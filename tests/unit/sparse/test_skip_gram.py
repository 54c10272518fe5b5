from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from linkwl.sparse.random_walks import mixed, next_uniform
from linkwl.sparse.skip_gram import SkipGramSettings, pair_step, skip_gram

SMALL = SkipGramSettings(channels=6, window=3, negatives=3, epochs=2, rate=0.2, sample=0.05)


def plain_skip_gram(walks, num_nodes, settings, seed):
    """The same steps with the same random numbers, in NumPy and double precision."""
    generator = np.random.default_rng(seed)
    z = ((generator.random((num_nodes, settings.channels)) - 0.5) / settings.channels).astype(np.float32)
    z, y = z.astype(np.float64), np.zeros((num_nodes, settings.channels))
    count = np.bincount(walks[walks >= 0], minlength=num_nodes)
    with np.errstate(divide="ignore"):
        ratio = settings.sample / (count / count.sum())
    keep = np.minimum(np.sqrt(ratio) + ratio, 1)
    cumulative = np.cumsum(count**0.75) / (count**0.75).sum()
    state = mixed(generator.integers(0, 1 << 63, dtype=np.uint64))

    def uniform():
        nonlocal state
        state, u = next_uniform(np.uint64(state))
        return u

    turns = [walk[walk >= 0].tolist() for _ in range(settings.epochs) for walk in walks]
    for turn, walk in enumerate(turns):
        rate = settings.rate + (1e-4 - settings.rate) * turn / len(turns)
        kept = [v for v in walk if uniform() < keep[v]]
        for i, centre in enumerate(kept):
            reach = 1 + int(uniform() * settings.window)
            for j in range(max(0, i - reach), min(len(kept), i + reach + 1)):
                if j == i:
                    continue
                drawn = [int(np.searchsorted(cumulative, uniform(), side="right")) for _ in range(settings.negatives)]
                change = np.zeros(settings.channels)
                for node in [centre, *(k for k in drawn if k != centre)]:
                    g = rate * ((node == centre) - 1 / (1 + np.exp(-z[kept[j]] @ y[node])))
                    change += g * y[node]
                    y[node] += g * z[kept[j]]
                z[kept[j]] += change
    return z


def random_walk_table():
    walks = np.random.default_rng(0).integers(0, 8, (12, 9)).astype(np.int32)
    walks[3, 4:] = walks[5, 1:] = -1
    return walks


@pytest.mark.parametrize("settings", [SMALL, SMALL._replace(window=1, negatives=1, sample=1.0)])
def test_vectors_are_those_of_the_plain_steps(settings):
    walks = random_walk_table()
    np.testing.assert_allclose(skip_gram(walks, 10, settings, 4), plain_skip_gram(walks, 10, settings, 4), atol=1e-5)


def test_a_step_follows_the_gradient():
    generator = np.random.default_rng(0)
    z, y = generator.normal(size=(2, 5)), generator.normal(size=(7, 5))
    nodes, labels = np.array([3, 0, 6]), np.array([1.0, 0.0, 0.0])
    vector, others = (torch.tensor(array, requires_grad=True) for array in (z[1], y))
    loss = binary_cross_entropy_with_logits(others[nodes] @ vector, torch.tensor(labels), reduction="sum")
    loss.backward()
    new_z, new_y = z.astype(np.float32), y.astype(np.float32)
    pair_step(new_z[1], new_y, nodes, labels, 0.1, np.empty(5, dtype=np.float32))
    np.testing.assert_allclose(new_z[1], z[1] - 0.1 * vector.grad.numpy(), atol=1e-6)
    np.testing.assert_allclose(new_y, y - 0.1 * others.grad.numpy(), atol=1e-6)


def test_nodes_that_meet_become_similar():
    generator = np.random.default_rng(0)
    walks = np.concatenate([generator.integers(0, 5, (200, 20)), generator.integers(5, 10, (200, 20))])
    walks = generator.permutation(walks).astype(np.int32)
    z = skip_gram(walks, 10, SkipGramSettings(channels=16, window=5, epochs=3, sample=0.0), 0)
    z /= np.linalg.norm(z, axis=1, keepdims=True)
    cosine = z @ z.T
    assert min(cosine[:5, :5].min(), cosine[5:, 5:].min()) > cosine[:5, 5:].max() + 0.3


def test_no_walks():
    assert skip_gram(np.empty((0, 5), dtype=np.int32), 3, SMALL, 0).shape == (3, 6)
