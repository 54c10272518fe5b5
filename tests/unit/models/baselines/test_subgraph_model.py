from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from fitting import fit, same_state, swapped
from graphs import relabelled
from linkwl.datasets import load_airports
from linkwl.errors import InputError
from linkwl.models import create_model
from linkwl.protocols import PAPER
from linkwl.splits import Split
from network_cases import featured_graph, random_graph, some_pairs

SHORT = {"max_steps": 12, "patience": 12, "evaluate_every": 4, "max_batch": 32}
models_of_subgraphs = pytest.mark.parametrize("name", ["seal", "walkpool"])


def started(name, graph, **settings):
    model = create_model(name, **settings)
    model.start(graph, 0)
    model.trained.double()
    return model


@models_of_subgraphs
def test_edges_outside_of_the_subgraph_do_not_count(name):
    graph = random_graph(60, 70, seed=3)
    model = started(name, graph, hops=1)
    pair = graph.edges[:1]
    near = {*pair[0].tolist(), *(int(v) for p in pair[0] for v in graph.neighbours(p))}
    far = np.array([edge for edge in graph.edges.tolist() if not near & set(edge)])
    assert len(far) > 5
    np.testing.assert_allclose(model(graph.without(far), pair), model(graph, pair), rtol=1e-9)
    other = graph.without(np.array([(pair[0, 0], v) for v in graph.neighbours(pair[0, 0])]))
    assert abs(model(other, pair) - model(graph, pair)) > 1e-9


@models_of_subgraphs
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_features_are_read_unless_the_setting_says_no(name, kind):
    graph = random_graph()
    rich, pairs = featured_graph(graph, kind), some_pairs(graph)
    model = started(name, rich)
    turned = rich.with_features(rich.features[::-1])
    assert (np.abs(model(rich, pairs) - model(turned, pairs)) > 1e-9).mean() > 0.8
    order = np.random.default_rng(2).permutation(graph.num_nodes)
    copy = relabelled(graph, order).with_features(rich.features[np.argsort(order)])
    np.testing.assert_allclose(model(copy, order[pairs]), model(rich, pairs), rtol=1e-9, atol=1e-9)
    plain = started(name, rich, features=False)
    np.testing.assert_array_equal(plain(rich, pairs), plain(graph, pairs))


@models_of_subgraphs
def test_other_features_are_refused(name):
    graph = random_graph()
    rich, pairs = featured_graph(graph, "dense"), some_pairs(graph)
    model = started(name, rich)
    with pytest.raises(InputError, match="trained with 6 features per node, and graph has none"):
        model(graph, pairs)
    with pytest.raises(InputError, match="trained with dense features, and those of graph are sparse"):
        model(rich.with_features(sp.csr_array(rich.features)), pairs)


@models_of_subgraphs
def test_the_cost_grows_with_the_subgraphs(name):
    graph = load_airports()
    one, two, limited = (
        create_model(name, **settings).cost(graph, 64).memory
        for settings in ({"hops": 1}, {"hops": 2, "max_per_hop": 10**6}, {"hops": 2, "max_per_hop": 10})
    )
    assert one < two
    assert limited < two


@models_of_subgraphs
def test_the_same_seed_gives_the_same_bits_and_held_out_labels_change_no_step(name):
    split = PAPER.apply(load_airports(), seed=0)
    models = [create_model(name, max_per_hop=10, training=SHORT) for _ in range(3)]
    other = Split(split.train, swapped(split.valid), split.test, split.protocol, split.seed)
    histories = [fit(model, fold, 3) for model, fold in zip(models, (split, split, other), strict=True)]
    assert same_state(models[0], models[1])
    assert histories[0].losses == histories[1].losses == histories[2].losses
