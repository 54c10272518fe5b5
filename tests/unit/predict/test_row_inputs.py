"""Inputs of whole rows: the same for a pair as for its row, and symmetric without directions."""

from __future__ import annotations

import numpy as np

from graphs import random_rows
from linkwl import load_dataset
from linkwl.graph import Graph
from linkwl.predict.row_inputs import RowInputs
from linkwl.sparse.screen_rows import log_scale


def test_pairs_have_the_inputs_of_their_rows():
    graph = load_dataset("airports")
    inputs = RowInputs(graph)
    sources = np.array([3, 0, 100])
    room = inputs.room()
    inputs.fill(sources, 0, room)
    row = room[:, inputs.chosen].transpose(2, 0, 1)[: len(sources)]
    pairs = np.stack([np.repeat(sources, graph.num_nodes), np.tile(np.arange(graph.num_nodes), 3)], axis=1)
    expected = np.where(inputs.is_log, log_scale(np.ascontiguousarray(row)), row)
    assert np.array_equal(inputs.at(pairs), expected.reshape(len(pairs), -1))
    assert np.isfinite(expected).all()
    assert len(inputs.nodes) == graph.num_nodes
    assert np.isfinite(inputs.nodes).all()


def test_the_first_input_is_the_number_of_paths_by_the_degrees():
    graph = Graph.from_pairs(np.array([[0, 1], [1, 2], [2, 3], [0, 2]]), 4)
    inputs = RowInputs(graph)
    by_degrees = 1 / np.sqrt(2 * 1) / 3  # the only path from 0 to 3 is by node 2, which has three edges
    assert np.allclose(inputs.at(np.array([[0, 3]]))[0, 0], log_scale(np.array([by_degrees]))[0], atol=1e-5)


def test_directions_give_further_inputs():
    rows = random_rows(40, 150)
    graph = Graph.from_pairs(rows, 40, is_directed=True)
    inputs, both = RowInputs(graph), RowInputs(graph.links)
    pairs = np.stack([np.arange(20), np.arange(20, 40)], axis=1)
    assert len(inputs.chosen) > len(both.chosen)
    assert np.allclose(both.at(pairs), both.at(pairs[:, ::-1]), atol=1e-4)
    assert not np.allclose(inputs.at(pairs), inputs.at(pairs[:, ::-1]), atol=1e-4)


def test_weights_give_further_inputs():
    pairs = random_rows(30, 100)
    plain = Graph.from_pairs(pairs, 30)
    weighted = Graph.from_columns(pairs[:, 0], pairs[:, 1], 30, weight=np.linspace(1, 2, len(pairs)))
    assert len(RowInputs(weighted).chosen) == len(RowInputs(plain).chosen) + 2


def test_features_are_compared():
    graph = Graph.from_pairs(random_rows(30, 100), 30)
    features = np.random.default_rng(0).normal(size=(30, 6)).astype(np.float32)
    features[7] = features[3]
    inputs = RowInputs(graph.with_features(features))
    alike, different = inputs.at(np.array([[3, 7], [3, 8]]))[:, ~inputs.is_log]
    assert np.isclose(alike[0], 1, atol=1e-5)
    assert different[0] < 0.99
