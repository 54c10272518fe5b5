"""The cost of walks grows with them, and is of the size of what a step really needs."""

from __future__ import annotations

import numpy as np
import pytest

from linkwl import Graph
from linkwl.models.cost import PASSES
from linkwl.models.walk_cost import walk_cost
from linkwl.sparse import plan_walks


def random_graph(num_nodes: int, num_edges: int, *, is_directed: bool = False) -> Graph:
    ends = np.random.default_rng(0).integers(num_nodes, size=(num_edges, 2))
    return Graph.from_pairs(ends, num_nodes, is_directed=is_directed)


@pytest.mark.parametrize("is_directed", [False, True])
def test_cost_grows_with_walks(is_directed):
    graph = random_graph(40, 150, is_directed=is_directed)
    costs = [walk_cost(graph, 100, rounds=rounds, channels=8) for rounds in (1, 2, 3)]
    assert costs[0].memory < costs[1].memory < costs[2].memory
    assert costs[0].operations < costs[1].operations < costs[2].operations


def test_without_edges_there_is_nothing_to_pay():
    graph = random_graph(40, 150)
    assert walk_cost(graph.without(graph.edges), 100, rounds=2, channels=8).memory == 0


@pytest.mark.parametrize(("num_nodes", "num_edges"), [(1000, 3000), (20000, 60000), (300, 6000)])
def test_operations_are_those_of_a_plan_within_a_factor(num_nodes, num_edges):
    graph, channels, count = random_graph(num_nodes, num_edges), 16, 400
    generator = np.random.default_rng(1)
    positives = graph.edges[generator.choice(graph.num_edges, count, replace=False)]
    targets = np.concatenate([positives, generator.integers(num_nodes, size=(count, 2))])
    both_ways = np.concatenate([targets, targets[:, ::-1]]).astype(np.int32)
    observed = graph.without(positives)
    joins = plan_walks(observed.rowptr, observed.col, both_ways, 2).joins
    work = sum(t.num_terms * channels + t.num_out * channels**2 for t in joins)
    expected = walk_cost(graph, 2 * count, rounds=2, channels=channels).operations / (2 * PASSES)
    assert work / 2 < expected < 4 * work
