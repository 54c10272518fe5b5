from __future__ import annotations

import numpy as np
import pytest

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.models.heuristics import Katz, KatzConfig


class KatzBySeries(Katz):
    max_dense_nodes = 0


def definition(graph, beta):
    identity = np.eye(graph.num_nodes)
    return np.linalg.inv(identity - beta * graph.to_scipy().toarray()) - identity


def share_of_largest_beta(graph, share):
    return share / np.linalg.eigvalsh(graph.to_scipy().toarray())[-1]


@pytest.mark.parametrize("model", [Katz, KatzBySeries])
@pytest.mark.parametrize("share", [0.01, 0.5, 0.95])
def test_agrees_with_the_definition(model, share, random_graph, every_pair):
    beta = share_of_largest_beta(random_graph, share)
    scores = model(KatzConfig(beta=beta))(random_graph, every_pair)
    np.testing.assert_allclose(scores, definition(random_graph, beta).ravel(), rtol=1e-9, atol=1e-12)


def test_series_is_as_accurate_far_away_as_near(random_graph, every_pair):
    """Far pairs score around 1e-20, and still have to be ranked."""
    dense, series = Katz()(random_graph, every_pair), KatzBySeries()(random_graph, every_pair)
    np.testing.assert_allclose(series, dense, rtol=1e-9, atol=0)


@pytest.mark.parametrize("model", [Katz, KatzBySeries])
def test_long_path(model):
    """The ends of a path of k edges are joined by beta^k and, at this beta, little else."""
    path = Graph.from_pairs([(v, v + 1) for v in range(20)], num_nodes=21)
    assert model()(path, [(0, 20)])[0] == pytest.approx(1e-60, rel=1e-4)


@pytest.mark.parametrize("model", [Katz, KatzBySeries])
def test_nodes_too_far_apart_for_any_number(model):
    """A walk of 150 edges weighs 10^-450, which no double holds; the search for it ends all the same."""
    path = Graph.from_pairs([(k, k + 1) for k in range(150)], 151)
    near, far = model()(path, [(0, 2), (0, 150)])
    assert near == pytest.approx(1e-6, rel=1e-4)
    assert far == 0


@pytest.mark.parametrize("model", [Katz, KatzBySeries])
def test_single_edge_by_hand(model):
    # Walks of every odd length: b + b^3 + ... = b / (1 - b^2); back to the start: b^2 / (1 - b^2).
    graph = Graph.from_pairs([(0, 1)], num_nodes=3)
    scores = model(KatzConfig(beta=0.5))(graph, [(0, 1), (0, 0), (0, 2), (2, 2)])
    np.testing.assert_allclose(scores, [2 / 3, 1 / 3, 0, 0], rtol=1e-11)


@pytest.mark.parametrize("model", [Katz, KatzBySeries])
@pytest.mark.parametrize("num_nodes", [3, 50])
def test_divergent_series_is_refused(model, num_nodes):
    ring = Graph.from_pairs([(v, (v + 1) % num_nodes) for v in range(num_nodes)], num_nodes=num_nodes)
    with pytest.raises(InputError, match=r"'beta' must be below 0\.5 on this graph.* got 0\.5\."):
        model(KatzConfig(beta=0.5))(ring, [(0, 1)])
    assert model(KatzConfig(beta=0.49))(ring, [(0, 1)])[0] > 0


def test_describe_tells_the_method():
    graph = Graph.from_pairs([(0, 1)], num_nodes=2)
    assert Katz().describe(graph) == "exact, dense Cholesky"
    assert KatzBySeries().describe(graph) == "power series to 1e-12, 64 sources at a time"
