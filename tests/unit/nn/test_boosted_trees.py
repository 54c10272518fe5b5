"""Trees against scikit-learn's, and a descent that descends."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.ensemble import HistGradientBoostingClassifier
from torch.nn.functional import binary_cross_entropy_with_logits

from linkwl.nn.boosted_trees import BoostedTrees, TreeDescent


def task(num_rows=600, channels=5, levels=9, seed=0):
    """Rows of few different values, and labels that depend on two channels; half of them are 1."""
    generator = np.random.default_rng(seed)
    x = generator.integers(0, levels, (num_rows, channels)).astype(np.float32)
    told = x[:, 0] * (x[:, 1] > levels / 2) + generator.normal(size=num_rows)
    return x, (told > np.median(told)).astype(np.float32)


def grown(x, y, steps, *, depth=3, parts=1, **options):
    trees = BoostedTrees(x.shape[1], steps, depth=depth)
    trees.fit_knots(torch.from_numpy(x))
    optimizer, losses = TreeDescent(trees, 0.2, **options), []
    for _ in range(steps):
        optimizer.zero_grad()
        total = 0.0
        for rows, labels in zip(np.split(x, parts), np.split(y, parts), strict=True):
            loss = binary_cross_entropy_with_logits(trees(torch.from_numpy(rows)), torch.from_numpy(labels)) / parts
            loss.backward()
            total += loss.item()
        optimizer.step()
        losses.append(total)
    return trees.eval(), losses


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_they_are_those_of_scikit_learn(depth):
    x, y = task()
    trees, _ = grown(x, y, 12, depth=depth, share=1.0)
    other = HistGradientBoostingClassifier(
        learning_rate=0.2,
        max_iter=12,
        max_depth=depth,
        max_leaf_nodes=None,
        min_samples_leaf=20,
        l2_regularization=1.0,
        early_stopping=False,
    ).fit(x, y)
    np.testing.assert_allclose(trees(torch.from_numpy(x)).detach(), other.decision_function(x), atol=1e-4)


def test_batches_of_one_step_are_one_sample():
    x, y = task()
    torch.manual_seed(0)
    whole, _ = grown(x, y, 5)
    torch.manual_seed(0)
    parts, _ = grown(x, y, 5, parts=4)
    np.testing.assert_allclose(*(trees(torch.from_numpy(x)).detach() for trees in (whole, parts)), atol=1e-5)


def test_the_loss_falls_with_every_tree():
    x, y = task()
    _, losses = grown(x, y, 30, share=1.0)
    assert losses[0] == pytest.approx(np.log(2))
    assert (np.diff(losses) < 0).all()
    assert losses[-1] < 0.5


def test_a_leaf_has_no_fewer_rows_than_it_must():
    x, y = task(num_rows=60)
    trees, _ = grown(x, y, 1, fewest=31, share=1.0)
    assert torch.isinf(trees.threshold[0]).all()
    assert len(np.unique(trees(torch.from_numpy(x)).detach())) == 1


def test_a_row_is_told_the_same_in_any_company():
    x, y = task()
    trees, _ = grown(x, y, 20)
    together = trees(torch.from_numpy(x)).detach()
    alone = torch.cat([trees(torch.from_numpy(x[i : i + 1])).detach() for i in range(0, 600, 50)])
    assert torch.equal(alone, together[::50])


def test_its_state_is_all_that_a_copy_needs():
    x, y = task()
    trees, _ = grown(x, y, 7)
    copy = BoostedTrees(5, 7)
    copy.load_state_dict(trees.state_dict())
    assert torch.equal(copy.eval()(torch.from_numpy(x)), trees(torch.from_numpy(x)))
    copy.reset_parameters()
    assert not copy(torch.from_numpy(x)).any()
