"""Training a real network: the same bits whatever happens on the way, and nothing of what is held out."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from fitting import fit, swapped
from linkwl.datasets import load_airports
from linkwl.models import create_model
from linkwl.models.registry import model_ids
from linkwl.nn.plain_walks import WalkProfile
from linkwl.protocols import PAPER

NETWORKS = model_ids("network", "own")
STEPS = {"max_steps": 8, "patience": 8, "evaluate_every": 2}


class Stop(Exception):
    """Stands for a kill."""


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


@pytest.fixture(params=NETWORKS)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def undisturbed(split):
    """The weights and the history of a run of each network, trained when first asked for."""
    return cache(lambda name: train(name, split))


def make(name, **training):
    return create_model(name, encoder={"channels": 8}, training=training)


def train(name, split, **options):
    model = make(name, **STEPS)
    history = fit(model, split, 3, **options)
    return model.state(), history


def assert_same_bits(first, second):
    assert first.keys() == second.keys()
    for key, weight in first.items():
        assert np.array_equal(weight, second[key]), key


@pytest.mark.thorough
def test_a_run_that_is_stopped_and_resumed_ends_with_the_same_bits(name, split, undisturbed, tmp_path):
    weights, history = undisturbed(name)

    def stop(report):
        if report.step == 5:
            raise Stop

    checkpoint = tmp_path / "checkpoint.safetensors"
    with pytest.raises(Stop):
        train(name, split, checkpoint=checkpoint, checkpoint_seconds=0.0, on_step=stop)
    resumed, after = train(name, split, checkpoint=checkpoint, resume=True)
    assert_same_bits(weights, resumed)
    assert after.losses == history.losses
    assert after.valid == history.valid


@pytest.mark.thorough
def test_kernels_give_the_same_bits_on_any_number_of_threads(name, split, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    weights, _ = train(name, split)
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    assert_same_bits(weights, train(name, split)[0])


def test_labels_of_held_out_pairs_change_no_step(name, split, undisturbed):
    """Positives and negatives of the validation fold are exchanged: every loss stays as it was."""
    turned = swapped(split.valid)
    _, history = undisturbed(name)
    _, other = train(name, replace(split, valid=turned))
    assert other.losses == history.losses
    np.testing.assert_allclose([auc for _, auc in other.valid], [1 - auc for _, auc in history.valid])


@pytest.mark.thorough
def test_training_lowers_the_loss(name, split):
    model = make(name, max_steps=40, patience=40, evaluate_every=10)
    history = fit(model, split, 0)
    assert np.mean(history.losses[-5:]) < 0.8 * history.losses[0]
    assert history.best_valid > 0.85


@pytest.mark.parametrize(
    "settings",
    [
        {"training": {"max_steps": 2}},
        {"gates": "on", "position": "off", "trees": "off", "training": {"max_steps": 2}},
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
    fit(model, split, 0)
    graph, num_positives = split.train.observed, 0
    for adjacency, pairs in seen:
        rowptr, col = adjacency.arrays
        assert not any(q in col[rowptr[p] : rowptr[p + 1]] for p, q in pairs)
        num_positives += graph.has_edges(pairs).sum()
    assert num_positives > 100
