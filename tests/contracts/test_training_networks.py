"""Training a real network: the same bits whatever happens on the way, and nothing of what is held out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from linkwl.datasets import load_airports
from linkwl.models import create_model
from linkwl.nn.walk_profile import WalkProfile
from linkwl.splits import PAPER
from linkwl.training import fit

NETWORKS = ["2wl", "local-2wl", "2fwl", "local-2fwl", "walk-2fwl", "walk-2fwl, boosted"]
STEPS = {"max_steps": 8, "patience": 8, "evaluate_every": 2}


class Stop(Exception):
    """Stands for a kill."""


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


@pytest.fixture(params=NETWORKS)
def name(request):
    return request.param


def make(name, **training):
    if name != "walk-2fwl, boosted":
        return create_model(name, encoder={"channels": 8}, training=training)
    trees = {"trees": training["max_steps"], "patience": training["patience"]}
    looks = {"evaluate_every": training["evaluate_every"]}
    return create_model("walk-2fwl", head="boosting", gates="off", boosting=trees, training=looks)


def train(name, split, **options):
    model = make(name, **STEPS)
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
    model = make(name, max_steps=40, patience=40, evaluate_every=10)
    history = fit(model, split.train, split.valid, split.reserved, seed=0)
    assert np.mean(history.losses[-5:]) < 0.8 * history.losses[0]
    assert history.best_auc > 0.85


@pytest.mark.parametrize(
    "settings",
    [
        {"gates": "on", "training": {"max_steps": 2}},
        {"gates": "off", "training": {"max_steps": 2}},
        {"gates": "off", "head": "boosting", "boosting": {"trees": 1}},
    ],
)
def test_no_walk_takes_the_edge_that_it_is_to_predict(split, settings, monkeypatch):
    """Neither between the ends nor back to one of them: the edge is not in the graph, also when inputs are sampled."""
    seen = []

    class Spy(WalkProfile):
        def __init__(self, adjacency, steps):
            super().__init__(adjacency, steps)
            self.adjacency = adjacency

        def at(self, pairs):
            seen.append((self.adjacency, pairs.numpy().copy()))
            return super().at(pairs)

    monkeypatch.setattr("linkwl.nn.plain_walks.WalkProfile", Spy)
    model = create_model("walk-2fwl", **settings)
    fit(model, split.train, split.valid, split.reserved, seed=0)
    graph, num_positives = split.train.observed, 0
    for adjacency, pairs in seen:
        rowptr, col = adjacency.arrays
        assert not any(q in col[rowptr[p] : rowptr[p + 1]] for p, q in pairs)
        num_positives += graph.has_edges(pairs).sum()
    assert num_positives > 100
