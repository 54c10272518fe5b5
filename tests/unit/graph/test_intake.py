from __future__ import annotations

import dataclasses

import pytest

from linkwl.graph import Intake, load_graph


def test_counts_of_a_list_worked_by_hand():
    rows = [("a", "b"), ("b", "a"), ("b", "a"), ("a", "b"), ("a", "a"), ("b", "c"), ("c", "c"), ("d", "d")]
    graph = load_graph(rows)
    assert graph.intake == Intake("array", rows=8, self_loops=3, duplicates=2, reversed_duplicates=1)
    assert graph.num_edges == 2
    assert list(graph.ids) == ["a", "b", "c", "d"]  # the node of a dropped loop stays
    directed = load_graph(rows, directed=True)
    assert directed.intake == Intake("array", rows=8, self_loops=3, duplicates=2, reversed_duplicates=0)
    assert directed.num_edges == 3


def test_a_part_of_a_graph_has_no_intake():
    graph = load_graph([(0, 1), (1, 2)])
    assert graph.without([(0, 1)]).intake is None
    assert dataclasses.replace(graph, name="x").intake is graph.intake


def test_it_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        load_graph([(0, 1)]).intake.rows = 5
