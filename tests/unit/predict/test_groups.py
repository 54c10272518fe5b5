from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from linkwl import Graph
from linkwl.datasets import load_airports
from linkwl.models.evidence import ANYTHING, WALKS, Evidence
from linkwl.predict.groups import pair_groups


@pytest.fixture(scope="module")
def airports():
    return load_airports(with_places=True)


def pair_of(graph, *names):
    return tuple(sorted(map(int, graph.ids.indices(names))))


@pytest.mark.parametrize("most", [2, 4, 6, 9])
@pytest.mark.parametrize("evidence", [ANYTHING, WALKS, Evidence.of("neighbours"), Evidence.of("links")])
def test_no_edge_is_in_two_groups_and_few_groups_hold_all(airports, evidence, most):
    pair = pair_of(airports, "ORD", "SFB")
    groups = pair_groups(airports, pair, evidence, most)
    edges = [tuple(sorted(edge)) for group in groups for edge in group.edges]
    assert len(edges) == len(set(edges))
    assert airports.has_edges(np.array(edges)).all()
    assert len(groups) <= max(most, 4)
    assert {group.kind for group in groups} <= evidence.kinds
    if evidence in (ANYTHING, WALKS):
        ends = airports.without(np.array(edges)).degree[list(pair)]
        assert ends.tolist() == [0, 0]


def test_the_paths_are_those_of_networkx():
    graph = Graph.from_pairs(np.random.default_rng(0).integers(0, 20, (40, 2)), 20)
    other = nx.Graph(graph.edges.tolist())
    count = 0
    for p, q in graph.non_edges(np.arange(60)).tolist():
        if p in other and q in other:
            expected = {path for path in map(tuple, nx.all_simple_paths(other, p, q, 3))}
            groups = pair_groups(graph, (p, q), Evidence.of("neighbours", "paths"), 100)
            found = [path for group in groups for path in group.paths]
            assert set(found) == expected
            assert len(found) == len(expected) == sum(group.count for group in groups)
            count += len(expected)
    assert count > 50


def test_many_shared_neighbours_are_grouped_by_degree(airports):
    groups = pair_groups(airports, pair_of(airports, "ORD", "SFB"), Evidence.of("neighbours"), 5)
    assert [group.count == 1 for group in groups] == [True, True, True, False, False]
    degrees = [group.degrees for group in groups]
    assert all(low[1] <= high[0] for low, high in zip(degrees, degrees[1:], strict=False))
    assert sum(group.count for group in groups) == 49


def test_equal_degrees_stay_together():
    # 0 and 1 share twelve nodes with two links each: there is nothing to divide them by.
    graph = Graph.from_pairs([(end, node) for node in range(2, 14) for end in (0, 1)], 14)
    groups = pair_groups(graph, (0, 1), Evidence.of("neighbours"), 4)
    assert [group.count for group in groups] == [1, 1, 10]
    assert groups[-1].degrees == (2, 2)


def test_places_are_a_group_only_if_they_are_known(airports):
    pair = pair_of(airports, "JNU", "WRG")
    assert "places" in {group.kind for group in pair_groups(airports, pair, ANYTHING)}
    assert "places" not in {group.kind for group in pair_groups(airports.with_attributes(None), pair, ANYTHING)}


def test_the_reverse_edge_is_a_group_of_a_directed_graph():
    graph = Graph.from_pairs([(3, 0), (0, 1), (1, 3)], 4, is_directed=True)
    groups = {group.kind: group for group in pair_groups(graph, (0, 3), ANYTHING)}
    assert groups["reverse"].edges == {(3, 0)}
    assert groups["neighbours"].paths == ((0, 1, 3),)
