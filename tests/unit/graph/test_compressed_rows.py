from __future__ import annotations

import dataclasses
from itertools import combinations, permutations

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import PATH, TRIANGLE, path_graph, raw_rows
from linkwl.graph import Graph, NodeIds


def all_pairs(num_nodes: int, is_directed: bool) -> list[tuple[int, int]]:
    return list((permutations if is_directed else combinations)(range(num_nodes), 2))


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
