from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from linkwl import Graph, load_graph
from linkwl.datasets import load_airports
from linkwl.models.evidence import ANYTHING
from linkwl.predict.groups import pair_groups
from linkwl.predict.variants import Variants, with_typical_features, with_typical_places


@pytest.fixture(scope="module")
def airports():
    return load_airports(with_places=True)


def test_absent_groups_are_gone_and_present_ones_are_not(airports):
    pair = tuple(sorted(map(int, airports.ids.indices(["ORD", "SFB"]))))
    groups = pair_groups(airports, pair, ANYTHING)
    variants = Variants(airports, pair, groups)
    assert variants(range(len(groups))) is airports
    for number, group in enumerate(groups):
        smaller = variants(set(range(len(groups))) - {number})
        removed = {tuple(edge) for edge in airports.edges.tolist()} - {tuple(edge) for edge in smaller.edges.tolist()}
        assert removed == {tuple(sorted(edge)) for edge in group.edges}
        is_moved = (smaller.attributes.positions.coordinates != airports.attributes.positions.coordinates).any()
        assert is_moved == (group.kind == "places")


def test_typical_places_are_as_far_apart_as_the_median(airports):
    pair = tuple(map(int, airports.ids.indices(["JNU", "WRG"])))
    moved = with_typical_places(airports, pair).attributes.positions
    drawn = np.random.default_rng(7).integers(0, airports.num_nodes, (4000, 2))
    typical = np.median(airports.attributes.positions.distances(drawn[drawn[:, 0] != drawn[:, 1]]))
    assert moved.distances(np.array([pair]))[0] == pytest.approx(typical, rel=0.1)
    others = np.delete(np.arange(airports.num_nodes), pair)
    np.testing.assert_array_equal(moved.coordinates[others], airports.attributes.positions.coordinates[others])


@pytest.mark.parametrize("is_sparse", [False, True])
def test_typical_features_are_those_of_other_nodes(is_sparse):
    rows = np.random.default_rng(0).normal(size=(30, 4)).astype(np.float32)
    features = sp.csr_array(rows * (rows > 0)) if is_sparse else rows
    graph = Graph.from_pairs([(0, 1), (1, 2)], 30, features=features)
    changed = with_typical_features(graph, (0, 2)).features
    before, after = (x.toarray() if is_sparse else x for x in (graph.features, changed))
    assert (before[[0, 2]] != after[[0, 2]]).any(axis=1).all()
    assert all((before == row).all(axis=1).any() for row in after[[0, 2]])
    np.testing.assert_array_equal(np.delete(before, [0, 2], 0), np.delete(after, [0, 2], 0))


def test_columns_of_a_table_change_with_the_matrix():
    table = {node: {"size": float(node), "kind": "ab"[node % 2]} for node in range(12)}
    graph = load_graph([(node, (node + 1) % 12) for node in range(12)], features=table)
    changed = with_typical_features(graph, (0, 5))
    assert changed.features.shape == graph.features.shape
    assert (changed.attributes.numbers[0].values[[0, 5]] != graph.attributes.numbers[0].values[[0, 5]]).any()
    np.testing.assert_array_equal(changed.features, changed.attributes.matrix())
    kept = [node for node in range(12) if node not in (0, 5)]
    np.testing.assert_array_equal(changed.features[kept], graph.features[kept])
