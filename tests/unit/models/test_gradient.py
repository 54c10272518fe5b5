from __future__ import annotations

import numpy as np
import pytest
import torch
from pydantic import ValidationError

from fitting import same_state
from linkwl import InputError
from linkwl.datasets import load_airports
from linkwl.models.gradient import GradientConfig, TrainingConfig, seeded, torch_threads
from toy_model import Toy, ToyConfig, ToyEncoderConfig


@pytest.fixture(scope="module")
def graph():
    return load_airports()


@pytest.fixture
def model(graph):
    model = Toy()
    model.start(graph, seed=0)
    return model


def test_a_model_without_weights_says_so(graph):
    model = Toy()
    assert model.network is None
    with pytest.raises(InputError, match="toy has no weights yet; train it"):
        model(graph, [(0, 1)])
    with pytest.raises(InputError, match="no weights"):
        model.state()


def test_the_seed_gives_the_weights_and_nothing_global_changes(graph, model):
    torch.manual_seed(5)
    before = torch.get_rng_state()
    again, other = Toy(), Toy()
    again.start(graph, seed=0)
    other.start(graph, seed=1)
    assert same_state(model, again)
    assert not same_state(model, other)
    assert torch.equal(torch.get_rng_state(), before)


def test_the_shape_is_that_of_the_graph(graph, model):
    assert model.shape == {"num_features": 0}
    wide = Toy()
    wide.start(graph.with_features(np.ones((graph.num_nodes, 3), dtype=np.float32)), seed=0)
    assert wide.shape["num_features"] == 3
    assert wide.state()["0.weight"].shape == (8, 5)


def test_scores_are_the_logits_without_dropout_block_by_block(graph, model, monkeypatch):
    pairs = np.random.default_rng(0).integers(0, graph.num_nodes, (100, 2))
    model.network.train()
    scores = model(graph, pairs)
    assert scores.dtype == np.float64
    assert model.network.training  # as it was
    np.testing.assert_array_equal(model.watch(graph)(pairs), scores)
    np.testing.assert_array_equal(model(graph, pairs), scores)
    monkeypatch.setattr(Toy, "block_size", 7)
    # A product of other rows may be rounded in another way; `exact` scores are equal to the bit.
    np.testing.assert_allclose(model(graph, pairs), scores, rtol=1e-6)
    by_block = model.exact()(graph)(pairs)
    monkeypatch.undo()
    np.testing.assert_array_equal(model.exact()(graph)(pairs), by_block)
    with_dropout = model.logits(graph, pairs)
    assert with_dropout.requires_grad
    assert not np.allclose(with_dropout.detach().numpy(), scores)
    with model.evaluating() as network:
        assert not network.training
        np.testing.assert_array_equal(model.logits(graph, pairs).detach().numpy(), scores.astype(np.float32))
    assert model.network.training


def test_the_mode_comes_back_after_an_error(model):
    model.network.train()
    with pytest.raises(RuntimeError), model.evaluating():
        raise RuntimeError
    assert model.network.training


def test_a_clone_has_the_settings_and_no_weights(graph):
    model = Toy(ToyConfig(encoder=ToyEncoderConfig(channels=3)))
    model.start(graph, seed=0)
    clone = model.clone()
    assert type(clone) is Toy
    assert clone.config == model.config
    assert clone.network is None
    assert clone.device == model.device


def test_weights_round_trip(graph, model):
    other = Toy()
    other.load_state(model.state(), model.shape)
    assert other.shape == model.shape
    assert same_state(model, other)
    pairs = [(0, 1), (2, 3)]
    np.testing.assert_array_equal(other(graph, pairs), model(graph, pairs))
    with torch.no_grad():
        model.network[0].bias.fill_(9.0)
    assert not same_state(model, other)  # they were copied


def test_a_network_of_another_shape_is_built_anew(graph, model):
    wide = Toy()
    wide.start(graph.with_features(np.ones((graph.num_nodes, 3), dtype=np.float32)), seed=0)
    wide.load_state(model.state(), model.shape)
    assert same_state(model, wide)
    assert wide.shape == model.shape


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda state: state.pop("0.bias"), "missing or unknown: '0.bias'"),
        (lambda state: state.update(more=np.zeros(1)), "missing or unknown: 'more'"),
        (
            lambda state: state.update({"0.bias": np.zeros(3, dtype=np.float32)}),
            r"must be torch.float32 of shape \(8,\), got",
        ),
        (lambda state: state.update({"0.bias": np.zeros(8)}), "got torch.float64"),
    ],
)
def test_weights_that_do_not_fit_are_refused(model, change, sentence):
    state, other = model.state(), Toy()
    change(state)
    with pytest.raises(ValueError, match=sentence):
        other.load_state(state, model.shape)
    assert other.network is None


def test_expected_weights_take_no_memory_and_no_randomness(model):
    before = torch.get_rng_state()
    expected = model.expected_state({"num_features": 10**12, "max_degree": 1})
    assert expected["0.weight"].is_meta
    assert expected["0.weight"].shape == (8, 10**12 + 2)
    assert torch.equal(torch.get_rng_state(), before)


def test_it_moves_between_devices(model):
    assert model.to("meta").network[0].weight.is_meta
    assert model.clone().device == torch.device("meta")


def test_seeded_leaves_no_trace():
    torch.manual_seed(1)
    before = torch.get_rng_state()
    with seeded(7):
        first = torch.rand(1)
    with pytest.raises(RuntimeError), seeded(7):
        assert torch.rand(1) == first
        raise RuntimeError
    assert torch.equal(torch.get_rng_state(), before)


def test_settings_have_defaults_and_bounds():
    config = GradientConfig()
    assert config.training.model_dump() == {
        "learning_rate": 0.005,
        "schedule": "constant",
        "weight_decay": 0.0,
        "batch_ratio": 0.125,
        "max_batch": 32768,
        "batches_per_step": 1,
        "negatives_per_positive": 1,
        "near_share": 0.0,
        "max_steps": 500,
        "links_per_step": 0,
        "patience": 120,
        "evaluate_every": 5,
        "average": 0.97,
        "keep": "best",
    }
    for bad in ({"learning_rate": 0}, {"batch_ratio": 1.1}, {"max_steps": 0}, {"weight_decay": -1}, {"lr": 1}):
        with pytest.raises(ValidationError):
            TrainingConfig(**bad)
    with pytest.raises(ValidationError):
        config.training.patience = 3


def test_a_scorer_keeps_the_weights_of_its_moment(graph, model):
    pairs = [(0, 1), (2, 3)]
    scorer, look = model.prepare(graph), model.watch(graph)
    before = scorer(pairs)
    with torch.no_grad():
        model.network[-1].bias += 1
    np.testing.assert_array_equal(scorer(pairs), before)
    np.testing.assert_allclose(look(np.array(pairs)), before + 1, rtol=1e-6)


def test_exact_scores_are_rounded_and_the_same_alone(graph, model):
    pairs = np.random.default_rng(0).integers(0, graph.num_nodes, (200, 2))
    scorer = model.exact()(graph)
    scores = scorer(pairs)
    np.testing.assert_array_equal(scores * 2**20, np.round(scores * 2**20))
    np.testing.assert_array_equal([scorer(pair[None])[0] for pair in pairs], scores)
    np.testing.assert_allclose(scores, model(graph, pairs), atol=1e-5)


def test_torch_threads_are_restored_after_an_error():
    before = torch.get_num_threads()
    with pytest.raises(RuntimeError), torch_threads(before + 1):
        assert torch.get_num_threads() == before + 1
        raise RuntimeError
    assert torch.get_num_threads() == before


def test_one_cycle_warms_up_and_comes_down():
    config = TrainingConfig(learning_rate=0.1, max_steps=100, schedule="one-cycle")
    rates = [config.rate(step) for step in range(1, 101)]
    assert max(rates) == pytest.approx(0.1)
    assert rates.index(max(rates)) == 29  # three tenths of the way
    assert rates[:30] == sorted(rates[:30])
    assert rates[29:] == sorted(rates[29:], reverse=True)
    assert rates[-1] < 1e-4
    assert TrainingConfig(learning_rate=0.1).rate(7) == 0.1
    assert TrainingConfig(max_steps=1, schedule="one-cycle").rate(1) > 0


@pytest.mark.parametrize(
    ("num_edges", "max_steps", "expected"), [(100, 1200, 400), (9600, 1200, 800), (10**6, 1200, 1200), (9600, 50, 50)]
)
def test_larger_graphs_get_more_steps_if_the_settings_ask_for_it(num_edges, max_steps, expected):
    config = TrainingConfig(max_steps=max_steps, links_per_step=12, schedule="one-cycle")
    assert config.on(num_edges).max_steps == expected
    assert config.on(num_edges).rate(expected) < 1e-3 * config.learning_rate
    assert TrainingConfig(max_steps=max_steps).on(num_edges).max_steps == max_steps
