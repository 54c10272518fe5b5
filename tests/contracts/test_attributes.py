"""Attributes reach every model that reads them, from the table to the saved folder."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from linkwl import LinkPredictor, load_graph
from linkwl.errors import InputError
from linkwl.graph import Graph

QUICK = {"training": {"max_steps": 10}}
SETTINGS = {
    "2wl": QUICK,
    "local-2wl": QUICK,
    "2fwl": QUICK,
    "local-2fwl": QUICK,
    "walk-2fwl": QUICK,
    "boosting": {"folds": 3, "trees": 20},
    "logistic": {"folds": 3},
}


def streets(seed: int = 1) -> nx.Graph:
    """Junctions with places, kinds and ages, some unknown; near ones are joined."""
    graph = nx.random_geometric_graph(120, 0.13, seed=seed)
    generator = np.random.default_rng(seed)
    for node, values in graph.nodes(data=True):
        values["kind"] = "abc"[generator.integers(3)]
        values["age"] = float(generator.normal())
        if node % 10 == 0:
            del values["age"]
        if node % 17 == 0:
            del values["pos"]
    return graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    pairs = [{"source": p, "target": p + 1, "trade": p / 7} for p in range(0, 110, 3)]
    return LinkPredictor("cn").fit(streets(), features=True, pair_features=pairs).graph_


@pytest.fixture(scope="module", params=SETTINGS)
def predictor(request, graph) -> LinkPredictor:
    return LinkPredictor(request.param, settings=SETTINGS[request.param]).fit(graph)


def pairs_of(graph: Graph) -> np.ndarray:
    return graph.non_edges(np.arange(0, graph.num_non_edges, 31))


def test_the_table_arrives(graph):
    assert repr(graph) == f"Graph('graph', 120 nodes, {graph.num_edges} edges, 5 features, coordinates)"
    assert graph.attributes.pairs.names == ("trade",)


def test_both_orders_of_a_pair_and_any_batch_score_the_same(predictor, graph):
    pairs = pairs_of(graph)
    scores = predictor.decision_function(pairs)
    assert np.isfinite(scores).all()
    np.testing.assert_array_equal(predictor.decision_function(pairs[:, ::-1]), scores)
    np.testing.assert_array_equal(predictor.decision_function(pairs[5:8]), scores[5:8])


def test_places_matter(predictor, graph):
    moved = graph.with_attributes(graph.attributes).attributes
    turned = moved.positions.coordinates[::-1].copy()
    other = graph.with_attributes(
        type(moved)(moved.numbers, moved.categories, type(moved.positions)(turned, "plane"), moved.pairs)
    )
    pairs = pairs_of(graph)
    assert not np.array_equal(predictor.decision_function(pairs, graph=other), predictor.decision_function(pairs))


def test_a_saved_folder_keeps_them(predictor, graph, tmp_path):
    predictor.save(tmp_path / "model")
    again = LinkPredictor.load(tmp_path / "model")
    assert again.graph_.digest == graph.digest
    pairs = pairs_of(graph)
    np.testing.assert_array_equal(again.decision_function(pairs), predictor.decision_function(pairs))


def test_a_graph_without_them_takes_those_of_the_nodes_that_are_known(predictor, graph):
    pairs, larger = pairs_of(graph), streets()
    same = predictor.decision_function(pairs, graph=streets())
    np.testing.assert_array_equal(same, predictor.decision_function(pairs))
    larger.add_edge(0, 777)
    assert np.isfinite(predictor.decision_function([(0, 777), (5, 777)], graph=larger)).all()


def test_a_graph_of_other_nodes_without_them_is_refused(predictor):
    other = nx.relabel_nodes(nx.path_graph(9), lambda node: f"n{node}")
    with pytest.raises(InputError, match=r"was trained with .*; give"):
        predictor.decision_function([("n0", "n5")], graph=other)


def test_another_graph_is_read_by_the_names_of_its_columns(predictor):
    names = [f"n{node}" for node in range(120)]
    other = nx.relabel_nodes(streets(2), dict(enumerate(names)))
    table = {
        name: {"age": values.get("age"), "kind": values["kind"], "x": place[0], "y": place[1], "extra": 1}
        for name, values in other.nodes(data=True)
        for place in [values.get("pos", (None, None))]
    }
    pair_numbers = [{"source": "n3", "target": "n5", "trade": 1.0}]
    observed = predictor.observe(load_graph(other, features=table), pair_features=pair_numbers)
    scores = predictor.decision_function([("n0", "n5"), ("n7", "n9")], graph=observed)
    assert np.isfinite(scores).all()
    with pytest.raises(InputError, match="numbers of pairs, `trade`; give them with --pair-features"):
        predictor.observe(load_graph(other, features=table))


def test_without_attributes_a_network_is_as_before(graph):
    plain = graph.with_attributes(None).with_features(None)
    model = LinkPredictor("local-2wl", settings=QUICK).fit(plain).model_
    assert "num_evidence" not in model.shape
    assert not any("evidence" in name for name in model.state())


def test_places_make_roads_predictable():
    """On a graph whose edges join near nodes, hidden links come first only if the places are known."""
    source = nx.random_geometric_graph(300, 0.075, seed=3)
    graph = load_graph(source, features=True)
    settings = {"gates": "off", "training": {"max_steps": 100}}
    hidden = graph.edges[::10]
    found = []
    for known in (graph, load_graph(source)):
        ranking = LinkPredictor(settings=settings).fit(known.without(hidden)).recommend(len(hidden))
        found.append(graph.has_edges(ranking.queries).mean())
    assert found[0] > 0.8
    assert found[0] > 1.3 * found[1]


def directed_streets() -> Graph:
    """Every street leads one way, every fifth one both ways."""
    links = load_graph(streets(), features=True)
    edges = np.concatenate([links.edges, links.edges[::5, ::-1]])
    return Graph.from_pairs(edges, 120, is_directed=True, features=links.features, attributes=links.attributes)


def streets_across() -> Graph:
    """Only streets between junctions with an even and an odd number."""
    links = load_graph(streets(), features=True)
    edges = links.edges[links.edges.sum(axis=1) % 2 == 1]
    part = np.arange(120) % 2
    return Graph.from_pairs(edges, 120, features=links.features, attributes=links.attributes, part=part)


@pytest.mark.parametrize("make", [directed_streets, streets_across])
@pytest.mark.parametrize("model", ["walk-2fwl", "local-2fwl", "logistic"])
def test_graphs_with_directions_or_sides_have_attributes(model, make, tmp_path):
    graph = make()
    if graph.is_directed and model == "logistic":
        pytest.skip("it reads links without directions")
    predictor = LinkPredictor(model, settings=SETTINGS[model]).fit(graph)
    pairs = pairs_of(graph)
    scores = predictor.rank_indices(pairs, graph=graph).scores
    predictor.save(tmp_path / "model")
    again = LinkPredictor.load(tmp_path / "model")
    assert again.graph_.digest == graph.digest
    np.testing.assert_array_equal(again.rank_indices(pairs, graph=again.graph_).scores, scores)
    moved = graph.attributes.take(np.roll(np.arange(120), 7)).like(graph.attributes)
    other = predictor.observe(replace(graph, attributes=moved))
    assert not np.array_equal(predictor.rank_indices(pairs, graph=other).scores, scores)
    turned = predictor.rank_indices(pairs[:, ::-1], graph=graph).scores
    assert np.array_equal(turned, scores) != graph.is_directed
    top = predictor.recommend(50, candidates="hops:2")
    assert len(top) == 50
    assert not graph.has_edges(top.queries).any()
