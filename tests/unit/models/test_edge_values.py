from __future__ import annotations

import numpy as np
import pytest

from linkwl import Graph, InputError, create_model
from linkwl.models.edge_values import check_values, edge_values, half_lives, value_channels, values_shape
from linkwl.nn.weighted_walks import LONGEST, WeightedWalks

EDGES = [(0, 1), (0, 2), (1, 2), (2, 3)]
TIMES = [10, 20, 50, 40]


def test_recency_halves_with_every_half_life():
    graph = Graph.from_pairs(EDGES, 5, time=TIMES)
    values = edge_values(graph, values_shape(graph))
    ages = {(0, 1): 40, (0, 2): 30, (1, 2): 0, (2, 3): 10}
    short, long = half_lives(np.array([40, 40, 30, 30, 0, 0, 10, 10.0]))
    assert 0 < short < long
    row = np.repeat(np.arange(5), graph.degree)
    expected = [
        [0.5 ** (ages[min(p, q), max(p, q)] / life) for life in (short, long)]
        for p, q in zip(row.tolist(), graph.col.tolist(), strict=True)
    ]
    np.testing.assert_allclose(values.value, expected)
    # Node 3 has one edge, of age 10; node 4 has none and is as if its last edge were the oldest.
    np.testing.assert_allclose(values.node[3, :2], np.log1p(values.value[row == 3][0]))
    np.testing.assert_allclose(values.node[:, 2], np.log1p(np.array([30, 0, 0, 10, 40]) / long))


def test_weights_come_first():
    graph = Graph.from_pairs(EDGES, 5, time=TIMES, weight=[1.0, 2.0, 3.0, 6.0])
    values = edge_values(graph, values_shape(graph))
    np.testing.assert_allclose(values.value[:, 0], graph.weight / 3)
    np.testing.assert_allclose(values.node[:, 0], np.log1p(graph.strength))
    assert WeightedWalks(values, LONGEST).at(np.array([(0, 3)])).shape[1] == value_channels(
        values_shape(graph), LONGEST
    )


def test_a_model_reads_what_it_was_trained_with():
    graph = Graph.from_pairs(EDGES, 5, time=TIMES, weight=[1.0, 2.0, 3.0, 6.0], name="calls")
    assert edge_values(graph, {}) is None
    assert edge_values(graph, {"has_times": 1}).value.shape[1] == 2
    check_values("walk-2fwl", {"has_times": 1}, graph)
    with pytest.raises(InputError, match=r"trained with the weights of the edges, and calls has none; .* --weight"):
        check_values("walk-2fwl", {"has_weights": 1}, graph.unweighted())


@pytest.mark.parametrize("times", [[], [7], [7, 7, 7, 7]])
def test_edges_of_one_moment_are_all_recent(times):
    graph = Graph.from_pairs(EDGES[: len(times)], 5, time=np.array(times, dtype=np.int64))
    assert (edge_values(graph, {"has_times": 1}).value == 1).all()


def test_directions_do_not_matter():
    directed = Graph.from_pairs([*EDGES, (1, 0)], 5, time=[*TIMES, 45], is_directed=True)
    links = Graph.from_pairs(EDGES, 5, time=TIMES)
    for one, other in zip(*(edge_values(graph, {"has_times": 1}) for graph in (directed, links)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_models_without_weights_have_the_shape_of_before():
    graph = Graph.from_pairs(EDGES, 5)
    assert values_shape(graph) == {}
    assert "has_weights" not in create_model("walk-2fwl").measure(graph)


def test_directions_of_weights():
    generator = np.random.default_rng(0)
    graph = Graph.from_pairs(
        generator.integers(0, 20, (60, 2)), 20, is_directed=True, weight=generator.uniform(1, 5, 60), time=np.arange(60)
    )
    shape = values_shape(graph)
    values = edge_values(graph, shape)
    assert values.along.rowptr is graph.rowptr
    np.testing.assert_allclose(values.along.value[:, 0], graph.relative_weight)
    assert values.along.value.shape == (graph.num_edges, 3)
    assert WeightedWalks(values, 6).at(np.array([(0, 3)])).shape[1] == value_channels(shape, 6)
    earlier = {"has_weights": 1, "has_times": 1}  # a model of an earlier release, which reads no directions of weights
    assert edge_values(graph, earlier).along is None
    assert WeightedWalks(edge_values(graph, earlier), 6).at(np.array([(0, 3)])).shape[1] == value_channels(earlier, 6)
    assert edge_values(graph, {"is_directed": 1}) is None
