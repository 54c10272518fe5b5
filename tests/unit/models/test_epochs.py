from __future__ import annotations

import json

import numpy as np

from linkwl.models.epochs import Epochs


def test_every_epoch_has_every_target_once_in_another_order():
    epochs = Epochs(12, 4, np.random.default_rng(0))
    orders = [np.concatenate([next(epochs) for _ in range(3)]) for _ in range(3)]
    for order in orders:
        assert sorted(order.tolist()) == list(range(12))
    assert not np.array_equal(orders[0], orders[1])


def test_an_incomplete_part_is_skipped_and_few_targets_are_one_part():
    epochs = Epochs(10, 4, np.random.default_rng(0))
    assert all(len(next(epochs)) == 4 for _ in range(7))
    assert sorted(next(Epochs(3, 8, np.random.default_rng(0))).tolist()) == [0, 1, 2]


def test_a_stream_continues_from_its_state():
    epochs = Epochs(10, 3, np.random.default_rng(0))
    for _ in range(5):
        next(epochs)
    other = Epochs(10, 3, np.random.default_rng(7))
    other.restore(json.loads(json.dumps(epochs.state())))
    for _ in range(5):
        np.testing.assert_array_equal(next(other), next(epochs))
