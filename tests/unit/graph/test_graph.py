from __future__ import annotations

from itertools import combinations, permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import PATH, path_graph, random_rows, raw_rows
from linkwl.graph import Graph, NodeIds


def oracle(num_nodes: int, rows: list[tuple[int, int]], is_directed: bool) -> nx.Graph:
    graph = nx.DiGraph() if is_directed else nx.Graph()
    graph.add_nodes_from(range(num_nodes))
    graph.add_edges_from(row for row in rows if row[0] != row[1])
    return graph


def all_pairs(num_nodes: int, is_directed: bool) -> list[tuple[int, int]]:
    return list((permutations if is_directed else combinations)(range(num_nodes), 2))


@given(raw_rows(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_from_pairs_equals_networkx(sample, is_directed):
    num_nodes, rows = sample
    graph = Graph.from_pairs(rows, num_nodes, is_directed=is_directed)
    expected = oracle(num_nodes, rows, is_directed)
    edges = sorted(tuple(edge) if is_directed else tuple(sorted(edge)) for edge in expected.edges)
    assert graph.edges.tolist() == [list(edge) for edge in edges]
    assert (graph.num_nodes, graph.num_edges) == (num_nodes, expected.number_of_edges())
    degree = expected.out_degree if is_directed else expected.degree
    assert graph.degree.tolist() == [degree[v] for v in range(num_nodes)]
    for v in range(num_nodes):
        assert graph.neighbours(v).tolist() == sorted(expected.neighbors(v))
    assert np.array_equal(graph.to_scipy().toarray(), nx.to_numpy_array(expected, nodelist=range(num_nodes)))


@given(raw_rows(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_intake_accounts_for_every_row(sample, is_directed):
    num_nodes, rows = sample
    graph = Graph.from_pairs(rows, num_nodes, is_directed=is_directed)
    intake = graph.intake
    assert intake.rows == len(rows)
    assert intake.self_loops == sum(p == q for p, q in rows)
    distinct = {(p, q) for p, q in rows if p != q}
    both_ways = 0 if is_directed else sum((q, p) in distinct for p, q in distinct) // 2
    assert intake.reversed_duplicates == both_ways
    assert intake.duplicates == len(rows) - intake.self_loops - len(distinct)
    assert intake.rows == graph.num_edges + intake.self_loops + intake.duplicates + intake.reversed_duplicates


def test_to_undirected_forgets_directions():
    directed = Graph.from_pairs([(0, 1), (1, 0), (2, 1)], 3, is_directed=True)
    graph = directed.to_undirected()
    assert not graph.is_directed
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.intake.reversed_duplicates == 1
    assert graph.to_undirected() is graph


@pytest.mark.parametrize("is_directed", [False, True])
def test_the_result_does_not_depend_on_the_number_of_threads(monkeypatch, is_directed):
    rows = random_rows(70_000, 200_000)
    digests = set()
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        graph = Graph.from_pairs(rows, 70_000, is_directed=is_directed)
        digests.add((graph.digest, graph.intake))
    assert len(digests) == 1


@pytest.mark.parametrize("dtype", ["u1", "i2", "i4", ">i4", "i8", "u8"])
def test_any_type_of_whole_numbers(dtype):
    graph = Graph.from_pairs(np.array(PATH, dtype=dtype), 4)
    assert graph.digest == path_graph().digest
    assert graph.has_edges(np.array([(1, 0), (0, 2)], dtype=dtype)).tolist() == [True, False]


@pytest.mark.parametrize("num_nodes", [0, 1, 3])
def test_graphs_without_edges(num_nodes):
    for is_directed in (False, True):
        graph = Graph.from_pairs([], num_nodes, is_directed=is_directed)
        assert graph.num_edges == 0
        assert graph.edges.shape == (0, 2)
        assert graph.degree.tolist() == [0] * num_nodes
        assert len(graph.digest) == 64
        assert graph.non_edges(np.arange(graph.num_non_edges)).tolist() == [
            list(pair) for pair in all_pairs(num_nodes, is_directed)
        ]
        assert graph.has_edges([]).shape == (0,)


@pytest.mark.parametrize(
    ("misuse", "words"),
    [
        (lambda g: Graph.from_pairs([(0, 4)], 4), "0 .. 3"),
        (lambda g: Graph.from_pairs([(-1, 0)], 4), "0 .. 3"),
        (lambda g: Graph.from_pairs([(0, 1, 2)], 4), "edge_index.T"),
        (lambda g: Graph.from_pairs([(0.0, 1.0)], 4), "whole numbers"),
        (lambda g: Graph.from_pairs([(0, 1)], 2**31), "at most 2147483647"),
        (lambda g: Graph.from_columns(np.array([0, 1]), np.array([1]), 4), "equally long"),
        (lambda g: Graph.from_pairs([(0, 1)], 4, ids=NodeIds(3)), "one name per node"),
        (lambda g: g.has_edges([(0, 4)]), "0 .. 3"),
        (lambda g: g.has_edges([(-1, 0)]), "0 .. 3"),
        (lambda g: g.has_edges([[0, 1, 2], [1, 2, 3]]), "edge_index.T"),
        (lambda g: g.non_edges([3]), "0 .. 2"),
        (lambda g: g.non_edges([-1]), "0 .. 2"),
        (lambda g: g.non_edges([1, 0]), "ascend"),
        (lambda g: g.select(np.array([True])), "one flag per edge"),
        (lambda g: g.select(np.array([0, 1, 2])), "one flag per edge"),
        (lambda g: g.without([(0, 9)]), "0 .. 3"),
        (lambda g: g.with_features(np.ones((3, 1), dtype=np.float32)), "one row per node"),
    ],
)
def test_misuse_is_a_value_error(misuse, words):
    with pytest.raises(ValueError, match=words):
        misuse(path_graph())


def test_repr_names_what_there_is():
    assert repr(path_graph()) == "Graph('graph', 4 nodes, 3 edges)"
    directed = Graph.from_pairs(PATH, 4, is_directed=True, name="roads", features=np.ones((4, 2), dtype=np.float32))
    assert repr(directed) == "Graph('roads', 4 nodes, 3 directed edges, 2 features)"
