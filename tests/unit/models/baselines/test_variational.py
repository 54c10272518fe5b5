from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from fitting import fit, same_state, swapped
from linkwl import LinkPredictor
from linkwl.datasets import load_airports
from linkwl.errors import InputError, SplitError
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.baselines.variational import VisibleBatches
from linkwl.models.bundled import bundled_settings
from linkwl.protocols import PAPER
from linkwl.splits import Fold, Targets
from network_cases import random_graph, some_pairs

STEPS = {"max_steps": 6, "evaluate_every": 2}


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


@pytest.fixture(params=["vgae", "svgae"])
def name(request):
    return request.param


def with_features(graph, kind="sparse"):
    table = np.random.default_rng(0).poisson(0.5, (graph.num_nodes, 7)).astype(float)
    if kind == "dense":
        return graph.with_features(table)
    return graph.with_features(csr_array(table))


def test_batches_show_all_links_and_avoid_what_is_held_out(split):
    batches = VisibleBatches(split.train, split.reserved, 2, seed=0)
    first, second = next(batches), next(batches)
    assert first.observed is split.train.observed
    np.testing.assert_array_equal(first.positives, split.train.positives)
    assert len(first.negatives) == 2 * len(first.positives)
    assert not split.reserved.contains(first.negatives).any()
    assert not np.array_equal(first.negatives, second.negatives)
    other = VisibleBatches(split.train, split.reserved, 2, seed=1)
    state = batches.state()
    third = next(batches)
    other.restore(state)
    np.testing.assert_array_equal(next(other).negatives, third.negatives)


def test_batches_of_nothing_are_refused():
    graph = Graph.from_pairs([], num_nodes=3)
    nothing = np.empty((0, 2), dtype=np.int32)
    with pytest.raises(SplitError, match="no edge to train on"):
        VisibleBatches(Fold(graph, Targets(nothing, nothing)), graph, 1, seed=0)


@pytest.mark.parametrize(
    ("settings", "has_features", "is_transductive"),
    [
        ({}, False, True),
        ({}, True, False),
        ({"nodes": "encoded"}, False, False),
        ({"nodes": "identities"}, True, True),
        ({"variant": "paper"}, False, True),
        ({"variant": "paper"}, True, False),
    ],
)
def test_it_is_transductive_if_nodes_are_identities(name, settings, has_features, is_transductive):
    graph = with_features(random_graph()) if has_features else random_graph()
    model = create_model(name, **settings)
    model.start(graph, seed=0)
    assert model.is_transductive is is_transductive
    larger = random_graph(50)
    larger = with_features(larger) if has_features else larger
    if is_transductive:
        with pytest.raises(InputError, match="knows only the 40 nodes it was trained on, and graph has 50"):
            model(larger, [(0, 1)])
    else:
        assert np.isfinite(model(larger, [(0, 49)])).all()


def test_a_predictor_refuses_other_nodes(name):
    names = [f"n{v}" for v in range(40)]
    edges = [(names[p], names[q]) for p, q in random_graph().edges]
    predictor = LinkPredictor(name, settings={"training": {"max_steps": 3}}).fit(edges)
    with pytest.raises(InputError, match="knows only the nodes it was trained on"):
        predictor.observe([("x", "y"), ("y", "z")])


@pytest.mark.parametrize("kind", ["sparse", "dense"])
@pytest.mark.parametrize("variant", ["ours", "paper"])
def test_features_are_read(name, variant, kind):
    graph = with_features(random_graph(), kind)
    model = create_model(name, variant=variant)
    model.start(graph, seed=0)
    pairs = some_pairs(graph)
    other = graph.with_features(graph.features[::-1])
    assert np.abs(model(graph, pairs) - model(other, pairs)).max() > 1e-4
    with pytest.raises(InputError, match="trained with 7 features per node, and graph has none"):
        model(random_graph(), pairs)


@pytest.mark.parametrize("variant", ["ours", "paper"])
def test_labels_of_held_out_pairs_change_no_step(name, variant, split):
    model, other = (create_model(name, variant=variant, training=STEPS) for _ in range(2))
    history = fit(model, split, 3)
    turned = fit(other, replace(split, valid=swapped(split.valid)), 3)
    assert turned.losses == history.losses
    assert len(set(history.losses)) == len(history.losses)


@pytest.mark.parametrize("variant", ["ours", "paper"])
def test_a_run_that_is_stopped_and_resumed_ends_with_the_same_bits(name, variant, split, tmp_path):
    class Stop(Exception):
        pass

    def stop(report):
        if report.step == 3:
            raise Stop

    whole, parts, resumed = (create_model(name, variant=variant, training=STEPS) for _ in range(3))
    fit(whole, split)
    checkpoint = tmp_path / "checkpoint.safetensors"
    with pytest.raises(Stop):
        fit(parts, split, checkpoint=checkpoint, checkpoint_seconds=0.0, on_step=stop)
    fit(resumed, split, checkpoint=checkpoint, resume=True)
    assert same_state(whole, resumed)


def test_links_are_hidden_in_our_variant_and_visible_in_the_published(name, split, monkeypatch):
    seen = []
    model = create_model(name, training=STEPS)
    loss = type(model).loss

    def spy(self, batch):
        seen.append(batch.observed.contains(batch.positives).mean())
        return loss(self, batch)

    monkeypatch.setattr(type(model), "loss", spy)
    fit(model, split)
    assert set(seen) == {0.0}
    seen.clear()
    fit(create_model(name, variant="paper", training=STEPS), split)
    assert set(seen) == {1.0}


def test_published_settings(name, split):
    settings = bundled_settings(name, "usair", "paper")
    model = create_model(name, **settings)
    assert (model.config.variant, model.config.encoder.channels, model.training.max_steps) == ("paper", 32, 200)
    plan = model.plan(split.train.observed)
    assert 0 < plan.cost.memory < 1e9
    assert model.num_targets(split.train.observed) == 2 * split.train.observed.num_edges
    assert bundled_settings("svgae", "pubmed", "paper")["training"]["max_steps"] == 400


def test_it_learns(name, split):
    history = fit(create_model(name, training={"max_steps": 100, "evaluate_every": 20}), split)
    assert history.best_valid > (0.8 if name == "vgae" else 0.7)  # a sphere has no place for degrees
