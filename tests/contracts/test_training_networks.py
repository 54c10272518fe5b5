"""Training a real network: the same bits whatever happens on the way, and nothing of what is held out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from linkwl.datasets import load_airports
from linkwl.models import create_model
from linkwl.splits import PAPER
from linkwl.training import fit

NETWORKS = ["2wl", "local-2wl", "2fwl", "local-2fwl"]
STEPS = {"max_steps": 8, "patience": 8, "evaluate_every": 2}


class Stop(Exception):
    """Stands for a kill."""


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


@pytest.fixture(params=NETWORKS)
def name(request):
    return request.param


def train(name, split, **options):
    model = create_model(name, encoder={"channels": 8}, training=STEPS)
    history = fit(model, split.train, split.valid, split.reserved, seed=3, **options)
    return model.state_dict(), history


def assert_same_bits(first, second):
    assert first.keys() == second.keys()
    for key, weight in first.items():
        assert torch.equal(weight, second[key]), key


def test_a_run_that_is_stopped_and_resumed_ends_with_the_same_bits(name, split, tmp_path):
    weights, history = train(name, split)

    def stop(report):
        if report.step == 5:
            raise Stop

    checkpoint = tmp_path / "checkpoint.safetensors"
    with pytest.raises(Stop):
        train(name, split, checkpoint=checkpoint, checkpoint_seconds=0.0, on_step=stop)
    resumed, after = train(name, split, checkpoint=checkpoint, resume=True)
    assert_same_bits(weights, resumed)
    assert after.losses == history.losses
    assert after.valid_auc == history.valid_auc


def test_kernels_give_the_same_bits_on_any_number_of_threads(name, split, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    weights, _ = train(name, split)
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    assert_same_bits(weights, train(name, split)[0])


def test_labels_of_held_out_pairs_change_no_step(name, split):
    """Positives and negatives of the validation fold are exchanged: every loss stays as it was."""
    turned = replace(split.valid, positives=split.valid.negatives, negatives=split.valid.positives)
    _, history = train(name, split)
    _, other = train(name, replace(split, valid=turned))
    assert other.losses == history.losses
    np.testing.assert_allclose([auc for _, auc in other.valid_auc], [1 - auc for _, auc in history.valid_auc])


def test_training_lowers_the_loss(name, split):
    model = create_model(name, training={"max_steps": 40, "patience": 40, "evaluate_every": 10})
    history = fit(model, split.train, split.valid, split.reserved, seed=0)
    assert np.mean(history.losses[-5:]) < 0.8 * history.losses[0]
    assert history.best_auc > 0.85
