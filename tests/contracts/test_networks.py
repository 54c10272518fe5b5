"""What the four networks must satisfy in all their forms, with fresh weights.

Scores are compared in float64: what is left of a difference is then no rounding, and a leak has nowhere to hide.
"""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from graphs import relabelled
from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.models import create_model
from network_cases import DIRECTED, KINDS, NETWORKS, VARIANTS, random_graph, some_pairs, started
from sampling import sampled

NEAR = {"rtol": 1e-9, "atol": 1e-9}


@pytest.fixture(scope="module")
def graph():
    return random_graph()


@pytest.fixture(scope="module")
def pairs(graph):
    return some_pairs(graph)


@pytest.fixture(params=VARIANTS)
def variant(request):
    return request.param


@pytest.fixture
def model(variant, graph):
    return started(variant, graph)


def with_features(graph, kind, num_features=12, seed=0):
    """Random features; sparse ones have empty rows."""
    generator = np.random.default_rng(seed)
    table = generator.normal(size=(graph.num_nodes, num_features))
    if kind == "sparse":
        table[generator.random(table.shape) < 0.7] = 0
        table[::9] = 0
        return graph.with_features(sp.csr_array(table))
    return graph.with_features(table)


@pytest.mark.parametrize("name", NETWORKS)
def test_fresh_weights_give_finite_scores_of_moderate_size(name, graph, pairs):
    model = create_model(name)
    model.start(graph, seed=0)
    scores = model(graph, pairs)
    assert scores.dtype == np.float64
    assert np.isfinite(scores).all()
    assert np.abs(scores).max() < 1000  # pairs of two isolated nodes score highest by far
    assert len(np.unique(scores.round(4))) > 10


def test_scores_are_symmetric(model, graph, pairs):
    there, back = (
        model.trained.eval()(model._read(graph), torch.from_numpy(p.copy())).detach().numpy()
        for p in (pairs.astype(np.int64), pairs[:, ::-1].astype(np.int64))
    )
    np.testing.assert_allclose(there, back, **NEAR)
    np.testing.assert_array_equal(model(graph, pairs), model(graph, pairs[:, ::-1]))


@pytest.mark.parametrize("kind", ["none", "sparse", "dense"])
def test_relabelling_nodes_relabels_scores(variant, graph, pairs, kind):
    graph = graph if kind == "none" else with_features(graph, kind)
    model = started(variant, graph)
    label = np.random.default_rng(2).permutation(graph.num_nodes)
    other = relabelled(graph, label)
    if kind != "none":
        other = other.with_features(graph.features[np.argsort(label)])
    np.testing.assert_allclose(model(other, label[pairs]), model(graph, pairs), **NEAR)


@pytest.mark.thorough
@pytest.mark.parametrize(("variant", "is_directed"), KINDS)
def test_a_score_does_not_depend_on_its_company(variant, is_directed, monkeypatch):
    graph = random_graph(is_directed=is_directed)
    model, pairs = started(variant, graph), some_pairs(graph)
    together = model(graph, pairs)
    order = np.random.default_rng(3).permutation(len(pairs))
    np.testing.assert_allclose(model(graph, pairs[order]), together[order], **NEAR)
    few = np.r_[:6, -6:0]
    alone = [model(graph, pairs[i : i + 1])[0] for i in np.arange(len(pairs))[few]]
    np.testing.assert_allclose(alone, together[few], **NEAR)
    monkeypatch.setattr(type(model), "block_size", 7)
    np.testing.assert_allclose(model(graph, pairs), together, **NEAR)


def test_logits_are_the_scores_of_a_model_that_is_not_training(model, graph, pairs):
    model.trained.eval()
    logits = model.logits(graph, graph.check_pairs(pairs))
    assert logits.requires_grad
    members = logits.detach().numpy().reshape(-1, len(pairs))
    np.testing.assert_allclose(members.mean(axis=0), model(graph, pairs), **NEAR)


def test_scoring_changes_nothing_in_the_model(model, graph, pairs):
    network = model.trained.train()
    before = {name: weight.clone() for name, weight in network.state_dict().items()}
    state = torch.random.get_rng_state()
    model(graph, pairs)
    assert network.training
    assert torch.equal(torch.random.get_rng_state(), state)
    assert all(torch.equal(weight, before[name]) for name, weight in network.state_dict().items())


@pytest.mark.parametrize(
    ("variant", "is_directed", "num_nodes"), [(*kind, num_nodes) for kind, num_nodes in sampled(KINDS, [1, 2, 9], 1)]
)
def test_a_graph_without_edges(variant, is_directed, num_nodes):
    graph = Graph.from_pairs([], num_nodes, is_directed=is_directed)
    pairs = np.array([(0, num_nodes - 1), (0, 0)])
    at_home = started(variant, graph)
    assert np.isfinite(at_home(graph, pairs)).all()
    larger = random_graph(is_directed=is_directed)
    assert np.isfinite(at_home(larger, some_pairs(larger))).all()
    assert np.isfinite(started(variant, larger)(graph, pairs)).all()


@pytest.mark.parametrize("variant", [name for name in DIRECTED if name not in ("local-2fwl, published", "appnp")])
def test_directed_pairs_have_two_scores(variant):
    graph = random_graph(is_directed=True)
    model = started(variant, graph)
    pairs = np.array([(p, q) for p, q in some_pairs(graph) if p != q and graph.degree[p] + graph.degree[q] > 0])
    there, back = model(graph, pairs), model(graph, pairs[:, ::-1])
    assert (np.abs(there - back) > 1e-6).mean() > 0.9


@pytest.mark.parametrize("variant", DIRECTED)
def test_turning_a_directed_edge_round_changes_scores(variant):
    graph = random_graph(is_directed=True)
    model = started(variant, graph)
    turned = Graph.from_pairs(graph.edges[:, ::-1], graph.num_nodes, is_directed=True)
    pairs = graph.edges[:10]
    assert (np.abs(model(graph, pairs) - model(turned, pairs)) > 1e-6).any()


def test_the_other_kind_of_edges_is_refused(model):
    with pytest.raises(InputError, match=r"undirected edges, and graph is directed|needs an undirected graph"):
        model(random_graph(is_directed=True), [(0, 1)])


@pytest.mark.parametrize("kind", ["none", "sparse", "dense"])
def test_weights_are_all_that_a_copy_needs(variant, graph, pairs, kind):
    graph = graph if kind == "none" else with_features(graph, kind)
    name, settings = VARIANTS[variant]
    model, copy = create_model(name, **settings), create_model(name, **settings)
    model.start(graph, seed=4)
    copy.load_state(model.state(), model.shape)
    np.testing.assert_array_equal(copy(graph, pairs), model(graph, pairs))


def test_another_graph_with_larger_degrees(model, graph):
    star = Graph.from_pairs([(0, v) for v in range(1, 200)] + [(1, 2)], num_nodes=201)
    assert star.strength.max() > 10 * graph.degree.max()
    pairs = np.array([(1, 2), (0, 1), (3, 4), (3, 200), (0, 200), (0, 0)])
    scores = model(star, pairs)
    assert np.isfinite(scores).all()
    assert len(np.unique(scores.round(9))) > 3
    before = model(graph, some_pairs(graph))
    model(star, pairs)
    np.testing.assert_array_equal(model(graph, some_pairs(graph)), before)


@pytest.mark.parametrize("kind", ["sparse", "dense"])
def test_features_are_read_and_those_of_another_graph_too(variant, graph, pairs, kind):
    model = started(variant, with_features(graph, kind))
    scores = model(with_features(graph, kind), pairs)
    assert np.isfinite(scores).all()
    other = model(with_features(graph, kind, seed=1), pairs)
    assert (np.abs(scores - other) > 1e-6).mean() > 0.9
    np.testing.assert_array_equal(model(with_features(graph, kind), pairs), scores)
    larger = with_features(random_graph(55, 150, seed=5), kind, seed=2)
    assert np.isfinite(model(larger, some_pairs(larger))).all()


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("kind", ["sparse", "dense"])
def test_a_graph_without_the_features_is_refused(name, graph, kind):
    model = started(name, with_features(graph, kind))
    with pytest.raises(InputError, match="trained with 12 features per node, and graph has none"):
        model(graph, [(0, 1)])
    for other_kind in ("sparse", "dense"):
        with pytest.raises(InputError, match="12 features per node, and graph has 5"):
            model(with_features(graph, other_kind, 5), [(0, 1)])


@pytest.mark.parametrize("name", NETWORKS)
def test_a_model_that_asks_for_degrees_alone_ignores_features(name, graph, pairs):
    model = started(name, with_features(graph, "dense"), encoder={"input": "degree"})
    np.testing.assert_array_equal(model(with_features(graph, "sparse", 3), pairs), model(graph, pairs))


def test_scores_depend_on_the_observed_edges(model, graph):
    """Else a network that sees nothing would pass every test of what it must not see."""
    targets = graph.edges[:10]
    observed = graph.without(targets)
    fewer = observed.without(observed.edges[:5])
    assert (np.abs(model(observed, targets) - model(fewer, targets)) > 1e-6).any()


def test_every_weight_learns(variant, graph):
    name, settings = VARIANTS[variant]
    model = create_model(name, **settings)
    model.start(graph, seed=0)
    targets = np.concatenate([graph.edges, some_pairs(graph)])
    logits = model.logits(graph.without(graph.edges[::3]), graph.check_pairs(targets))
    logits.square().sum().backward()
    for path, weight in model.trained.named_parameters():
        assert weight.grad is not None, path
        assert torch.isfinite(weight.grad).all(), path
        assert weight.grad.any(), path


@pytest.mark.thorough
@pytest.mark.parametrize("name", NETWORKS)
def test_a_few_steps_fit_what_there_is_to_fit(name):
    cliques = [(part + i, part + j) for part in (0, 8, 16) for i in range(8) for j in range(i)]
    graph = Graph.from_pairs(cliques, num_nodes=24)
    inside = graph.edges[::7]
    across = np.array([(p, q) for p in range(0, 8, 2) for q in range(9, 24, 5)])
    model = create_model(name)
    model.start(graph.without(inside), seed=0)
    optimizer = torch.optim.Adam(model.trained.parameters(), 0.01)
    labels = torch.cat([torch.ones(len(inside)), torch.zeros(len(across))])
    losses = []
    for _ in range(30):
        logits = model.logits(graph.without(inside), graph.check_pairs(np.concatenate([inside, across])))
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    if "fwl" in name:  # the others see no more than degrees, which are nearly alike here
        assert losses[-1] < 0.2 * losses[0]
    assert losses[-1] < losses[0]
