from __future__ import annotations

import torch
from torch import nn

from linkwl.training.stopping import EarlyStopping


def weights(value: float) -> dict[str, torch.Tensor]:
    return {"weight": torch.full((1, 1), value)}


def test_the_first_of_equally_good_weights_is_kept():
    stopping = EarlyStopping(patience=10)
    for step, (auc, value) in enumerate([(0.5, 1.0), (0.7, 2.0), (0.7, 3.0), (0.6, 4.0)], start=1):
        stopping.update(step, auc, weights(value))
    assert (stopping.best_step, stopping.best_value) == (2, 0.7)
    network = nn.Linear(1, 1, bias=False)
    stopping.restore_best(network)
    assert network.weight.item() == 2.0


def test_weights_are_copied():
    stopping, kept = EarlyStopping(patience=10), weights(1.0)
    stopping.update(1, 0.5, kept)
    kept["weight"].zero_()
    assert stopping.best_weights["weight"].item() == 1.0


def test_a_value_of_zero_is_better_than_none():
    stopping = EarlyStopping(patience=10)
    stopping.update(4, 0.0, weights(1.0))
    assert (stopping.best_step, stopping.best_value) == (4, 0.0)


def test_patience_counts_steps_since_the_best():
    stopping = EarlyStopping(patience=3)
    assert [stopping.should_stop(step) for step in (2, 3)] == [False, True]
    stopping.update(2, 0.5, weights(1.0))
    assert [stopping.should_stop(step) for step in (4, 5)] == [False, True]


def test_the_last_weights_are_kept_where_asked_for():
    stopping = EarlyStopping(patience=1, keep="last")
    for step, auc in enumerate([0.7, 0.5], start=1):
        stopping.update(step, auc, weights(step))
    assert (stopping.best_step, stopping.best_value) == (2, 0.5)
    assert stopping.best_weights["weight"].item() == 2.0
    assert not stopping.should_stop(100)


def test_without_a_look_the_network_keeps_its_weights():
    network = nn.Linear(1, 1)
    before = network.weight.item()
    EarlyStopping(patience=1).restore_best(network)
    assert network.weight.item() == before
