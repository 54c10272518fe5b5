from __future__ import annotations

import sys

import numpy as np
import pytest

from linkwl.errors import InputError
from linkwl.models import boosted_trees
from linkwl.models.boosted_trees import TreeSettings, as_trees, boost
from linkwl.sparse.trees import tree_sums

SETTINGS = TreeSettings(40, 100, 0.1, 8, 5, 0.7, 0.8, 1.0)


@pytest.fixture(scope="module")
def rows():
    generator = np.random.default_rng(0)
    x = generator.normal(size=(600, 5)).astype(np.float32)
    x[:, 3] = np.round(x[:, 3])  # equal values
    x[:, 4] = 0.0
    labels = (x[:, 0] * x[:, 1] + 0.3 * generator.normal(size=600) > 0).astype(float)
    return x, labels


@pytest.mark.parametrize("settings", [SETTINGS, SETTINGS._replace(leaves=2), SETTINGS._replace(leaves=200, min_data=1)])
def test_our_sums_are_lightgbms_predictions(rows, settings):
    x, labels = rows
    booster = boosted_trees._booster(x, labels, settings, seed=0, weight=None, shift=None)
    for _ in range(settings.trees):
        booster.update()
    trees = as_trees([tree["tree_structure"] for tree in booster.dump_model()["tree_info"]])
    trees.check(x.shape[1])
    other = np.random.default_rng(1).normal(size=(500, 5)).astype(np.float32)
    for some in (x, other):
        np.testing.assert_allclose(tree_sums(trees, some), booster.predict(some, raw_score=True), rtol=0, atol=1e-12)


def test_a_tree_of_one_leaf(rows):
    x, labels = rows
    trees = boost(x[:30], labels[:30], SETTINGS._replace(min_data=30, trees=3), 0).trees
    assert len(trees.feature) == 0
    assert np.ptp(tree_sums(trees, x)) == 0


def test_it_learns_and_a_seed_is_all_that_matters(rows):
    x, labels = rows
    first, again, other = (boost(x[:400], labels[:400], SETTINGS, seed).trees for seed in (3, 3, 4))
    scores = tree_sums(first, x[400:])
    assert ((scores > 0) == labels[400:]).mean() > 0.85
    assert all(np.array_equal(one, two) for one, two in zip(first, again, strict=True))
    assert not np.array_equal(tree_sums(other, x[400:]), scores)


def test_the_best_number_of_trees_is_kept(rows):
    x, labels = rows
    values = iter([0.1, 0.2, 0.9, 0.3, 0.4, 0.9, 0.5, 0.5, 0.5])
    settings = SETTINGS._replace(patience=4)
    boosted = boost(x, labels, settings, 0, valid=x, measure=lambda scores: next(values))
    assert [value for _, value in boosted.valid] == [0.1, 0.2, 0.9, 0.3, 0.4, 0.9, 0.5]
    assert len(boosted.trees.root) == 3
    np.testing.assert_array_equal(
        tree_sums(boosted.trees, x), tree_sums(boost(x, labels, settings._replace(trees=3), 0).trees, x)
    )


def test_the_metric_gets_the_sums_of_the_trees(rows):
    x, labels = rows
    seen = []

    def measure(scores):
        seen.append(scores.copy())
        return float(len(seen))

    boosted = boost(x, labels, SETTINGS._replace(trees=5), 0, valid=x[:50], measure=measure)
    np.testing.assert_allclose(tree_sums(boosted.trees, x[:50]), seen[-1], atol=1e-12)


@pytest.mark.parametrize("labels", [[], [1.0, 1.0], [0.0]])
def test_nothing_to_tell_apart(labels):
    boosted = boost(np.zeros((len(labels), 4), dtype=np.float32), np.array(labels), SETTINGS, 0)
    assert len(boosted.trees.root) == 0


def test_leaves_are_newton_steps_of_weighted_and_shifted_rows(rows):
    labels = rows[1]
    x = np.arange(len(labels), dtype=np.float32)[:, None] % 2
    generator = np.random.default_rng(0)
    weight, shift = generator.uniform(0.5, 3, len(x)), generator.normal(size=len(x))
    stump = SETTINGS._replace(trees=1, leaves=2, row_fraction=1.0, feature_fraction=1.0)
    found = tree_sums(boost(x, labels, stump, 0, weight=weight, shift=shift).trees, np.array([[0.0], [1.0]]))
    probability = 1 / (1 + np.exp(-shift))
    for side in range(2):
        at = x[:, 0] == side
        slope = (weight * (labels - probability))[at].sum()
        curve = (weight * probability * (1 - probability))[at].sum()
        assert found[side] == pytest.approx(stump.learning_rate * slope / (curve + stump.penalty), rel=1e-5)


def test_without_lightgbm_one_sentence_says_what_to_install(rows, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(InputError, match="pip install lightgbm"):
        boost(*rows, SETTINGS, 0)
