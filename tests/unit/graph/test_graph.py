from __future__ import annotations

import dataclasses
from itertools import combinations, permutations

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import PATH, TRIANGLE, path_graph, random_rows, raw_rows
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


@given(raw_rows(), st.booleans())
@settings(max_examples=100, deadline=None)
def test_edges_and_non_edges_are_all_the_pairs(sample, is_directed):
    num_nodes, rows = sample
    graph = Graph.from_pairs(rows, num_nodes, is_directed=is_directed)
    pairs = all_pairs(num_nodes, is_directed)
    is_edge = graph.has_edges(pairs)
    edges = {tuple(edge) for edge in graph.edges.tolist()}
    assert is_edge.tolist() == [pair in edges for pair in pairs]
    if not is_directed:
        assert np.array_equal(graph.has_edges([(q, p) for p, q in pairs]), is_edge)
    missing = [list(pair) for pair in pairs if pair not in edges]
    assert (graph.num_pairs, graph.num_non_edges) == (len(pairs), len(missing))
    assert graph.non_edges(np.arange(len(missing))).tolist() == missing
    assert not graph.has_edges([(v, v) for v in range(num_nodes)]).any()


@given(raw_rows(), st.booleans(), st.data())
@settings(max_examples=100, deadline=None)
def test_non_edges_at_some_ranks(sample, is_directed, data):
    num_nodes, rows = sample
    graph = Graph.from_pairs(rows, num_nodes, is_directed=is_directed)
    every = graph.non_edges(np.arange(graph.num_non_edges))
    flags = data.draw(st.lists(st.booleans(), min_size=len(every), max_size=len(every)))
    ranks = np.flatnonzero(np.array(flags, dtype=bool))
    assert np.array_equal(graph.non_edges(ranks), every[ranks])


@pytest.mark.parametrize("is_directed", [False, True])
@pytest.mark.parametrize("num_nodes", [1, 2, 3, 4])
def test_non_edges_of_every_small_graph(num_nodes, is_directed):
    pairs = all_pairs(num_nodes, is_directed)
    subsets = range(0, 2 ** len(pairs), 1 if len(pairs) < 10 else 31)
    for code in subsets:
        chosen = [pair for k, pair in enumerate(pairs) if code >> k & 1]
        graph = Graph.from_pairs(chosen, num_nodes, is_directed=is_directed)
        missing = [list(pair) for pair in pairs if pair not in chosen]
        assert graph.edges.tolist() == [list(pair) for pair in chosen]
        assert graph.non_edges(np.arange(len(missing))).tolist() == missing


@given(raw_rows(), st.booleans(), st.data())
@settings(max_examples=100, deadline=None)
def test_select_equals_a_graph_of_the_kept_edges(sample, is_directed, data):
    num_nodes, rows = sample
    graph = Graph.from_pairs(rows, num_nodes, is_directed=is_directed)
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=graph.num_edges, max_size=graph.num_edges)), dtype=bool)
    selected = graph.select(keep)
    assert selected.digest == Graph.from_pairs(graph.edges[keep], num_nodes, is_directed=is_directed).digest
    assert np.array_equal(selected.edges, graph.edges[keep])
    rest = graph.without(graph.edges[keep])
    assert np.array_equal(rest.edges, graph.edges[~keep])


def test_without_takes_either_direction_and_ignores_other_pairs():
    graph = path_graph()
    assert graph.without([(1, 0), (0, 3), (2, 2), (1, 0)]).edges.tolist() == [[1, 2], [2, 3]]
    assert graph.without([]).digest == graph.digest
    directed = Graph.from_pairs(PATH, 4, is_directed=True)
    assert directed.without([(1, 0)]).num_edges == 3
    assert directed.without([(0, 1)]).edges.tolist() == [[1, 2], [2, 3]]


def test_to_undirected_forgets_directions():
    directed = Graph.from_pairs([(0, 1), (1, 0), (2, 1)], 3, is_directed=True)
    graph = directed.to_undirected()
    assert not graph.is_directed
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.intake.reversed_duplicates == 1
    assert graph.to_undirected() is graph


def test_reversed_turns_every_edge_with_its_weight():
    graph = Graph.from_pairs([(2, 0), (0, 1), (1, 0)], 4, is_directed=True, weight=np.array([2.0, 3.0, 4.0]))
    turned = graph.reversed
    assert turned.edges.tolist() == [[0, 1], [0, 2], [1, 0]]
    assert turned.weight.tolist() == [4, 2, 3]
    assert turned.reversed is graph
    assert turned.degree.tolist() == [2, 1, 0, 0]
    plain = graph.to_undirected()
    assert plain.reversed is plain


def test_arrays_cannot_be_written_and_fields_not_set():
    dense = np.ones((4, 2), dtype=np.float32)
    sparse = sp.csr_array(np.eye(4, dtype=np.float32))
    graph = path_graph()
    arrays = [graph.rowptr, graph.col, graph.degree, graph.edges, graph.with_features(dense).features]
    stored = graph.with_features(sparse).features
    arrays += [stored.data, stored.indices, stored.indptr]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        graph.name = "other"


@given(raw_rows(), st.booleans(), st.randoms())
@settings(max_examples=60, deadline=None)
def test_digest_does_not_depend_on_the_order_of_rows(sample, is_directed, random):
    num_nodes, rows = sample
    graph = Graph.from_pairs(rows, num_nodes, is_directed=is_directed)
    shuffled = rows + rows[:3]
    random.shuffle(shuffled)
    assert Graph.from_pairs(shuffled, num_nodes, is_directed=is_directed).digest == graph.digest
    reversed_rows = [(q, p) for p, q in rows]
    is_same = Graph.from_pairs(reversed_rows, num_nodes, is_directed=is_directed).digest == graph.digest
    adjacency = graph.to_scipy().toarray()
    assert is_same == np.array_equal(adjacency, adjacency.T)


def test_digest_depends_on_everything_that_matters_and_on_nothing_else():
    features = np.arange(8, dtype=np.float32).reshape(4, 2)
    graph = path_graph()
    variants = [
        graph,
        Graph.from_pairs(PATH, 5),
        Graph.from_pairs(PATH[:2], 4),
        Graph.from_pairs(PATH, 4, is_directed=True),
        Graph.from_pairs(PATH, 4, ids=NodeIds(pa.array([0, 1, 2, 4]))),
        Graph.from_pairs(PATH, 4, ids=NodeIds(pa.array(["0", "1", "2", "3"]))),
        Graph.from_pairs(PATH, 4, ids=NodeIds(pa.array(["0", "12", "", "3"]))),
        graph.with_features(features),
        graph.with_features(features + 1),
        graph.with_features(features.reshape(4, 2)[:, ::-1].copy()),
        graph.with_features(sp.csr_array(features)),
    ]
    assert len({variant.digest for variant in variants}) == len(variants)
    assert dataclasses.replace(graph, name="other").digest == graph.digest
    assert graph.with_features(features).with_features(None).digest == graph.digest


def test_digest_is_what_it_was():
    """A record written today names the same graph tomorrow."""
    assert Graph.from_pairs(TRIANGLE, 3).digest.startswith("d77ea3f5a226924e")


def test_sparse_features_are_digested_by_value():
    first = sp.csr_array(np.array([[0, 1], [2, 0]], dtype=np.float32))
    second = first.copy()
    second.indices = second.indices.astype(np.int64)
    second.indptr = second.indptr.astype(np.int64)
    pair = Graph.from_pairs([(0, 1)], 2)
    assert pair.with_features(first).digest == pair.with_features(second).digest


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


@pytest.mark.parametrize("is_directed", [False, True])
def test_subgraphs_keep_the_edges_of_their_labels(is_directed):
    graph = Graph.from_pairs(random_rows(30, 90), 30, is_directed=is_directed)
    label = (np.arange(graph.num_edges) % 3).astype(np.int8)
    first, others, none = graph.subgraphs(label, [(0,), (1, 2), ()])
    assert first.edges.tolist() == graph.edges[label == 0].tolist()
    assert others.edges.tolist() == graph.edges[label != 0].tolist()
    assert (none.num_edges, none.num_nodes, none.intake) == (0, 30, None)
