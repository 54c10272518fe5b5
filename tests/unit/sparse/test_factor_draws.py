from __future__ import annotations

import numpy as np
import pytest

from linkwl.sparse import reference
from linkwl.sparse.factor_draws import draw_factors


def examples(num_nodes=12, count=40, seed=0):
    generator = np.random.default_rng(seed)
    pairs = generator.integers(0, num_nodes - 1, (count, 2))  # the last node has no pair
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    return pairs, generator.integers(0, 2, len(pairs)).astype(float)


@pytest.mark.parametrize(
    "settings",
    [
        {"rank": 1, "skipped": 0, "draws": 1},
        {"rank": 3, "skipped": 0, "draws": 5},
        {"rank": 2, "skipped": 3, "draws": 2, "thinning": 2},
    ],
)
def test_draws_are_those_of_the_plain_sampler(settings):
    pairs, labels = examples()
    found = draw_factors(pairs, labels, 12, **settings, generator=np.random.default_rng(5))
    offset, weight, factors = reference.draw_factors(pairs, labels, 12, **settings, generator=np.random.default_rng(5))
    assert found.offset == pytest.approx(offset)
    np.testing.assert_allclose(found.weight, weight, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(found.factors, factors, rtol=1e-5, atol=1e-6)


def test_the_mean_of_the_draws_is_the_function_behind_the_labels():
    generator = np.random.default_rng(0)
    w, v = generator.normal(size=40), generator.normal(size=(40, 2))
    first, second = np.triu_indices(40, 1)
    truth = 0.7 + w[first] + w[second] + (v[first] * v[second]).sum(axis=1)
    shown = generator.random(len(truth)) < 0.7
    pairs = np.stack([first, second], axis=1)
    labels = truth[shown] + 0.1 * generator.normal(size=shown.sum())
    found = draw_factors(pairs[shown], labels, 40, rank=2, skipped=100, draws=50, generator=generator)
    products = (found.factors[first] * found.factors[second]).sum(axis=2).mean(axis=1)
    predicted = found.offset + found.weight[first] + found.weight[second] + products
    assert np.abs(predicted - truth)[~shown].mean() < 0.1  # the noise of the labels


def test_without_pairs_the_draws_come_from_the_prior():
    pairs, labels = np.empty((0, 2), dtype=np.int32), np.empty(0)
    found = draw_factors(pairs, labels, 5, rank=2, skipped=0, draws=3, generator=np.random.default_rng(0))
    assert found.offset == 0
    assert found.factors.shape == (5, 3, 2)
    assert np.isfinite(found.factors).all()
