from __future__ import annotations

import gzip

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

from linkwl import InputError, load_graph

HEADER = "%%MatrixMarket matrix coordinate real general\n"


def written(path, matrix, **options):
    scipy.io.mmwrite(path, sp.coo_array(matrix), **options)
    return path


@pytest.mark.parametrize("field", ["pattern", "integer", "real"])
def test_a_symmetric_matrix(tmp_path, field):
    club = nx.karate_club_graph()
    matrix = nx.to_scipy_sparse_array(club, weight=None if field == "pattern" else "weight", dtype=float)
    path = written(tmp_path / "g.mtx", matrix, field=field, symmetry="symmetric")
    graph = load_graph(path, weight=True)
    assert (list(graph.ids), graph.is_directed) == (list(range(1, 35)), False)
    np.testing.assert_array_equal(_dense(graph), matrix.toarray())
    assert "weight from the values of the matrix" in graph.intake.notes


def _dense(graph):
    (p, q), weight = graph.edges.T, graph.edge_weight
    dense = np.zeros((graph.num_nodes, graph.num_nodes))
    dense[p, q] = weight
    if not graph.is_directed:
        dense[q, p] = weight
    return dense


def test_a_general_matrix(tmp_path):
    matrix = np.random.default_rng(0).integers(0, 4, (9, 9)) * (1 - np.eye(9, dtype=int))
    graph = load_graph(written(tmp_path / "g.mtx", matrix, symmetry="general"), weight=True)
    assert graph.is_directed
    np.testing.assert_array_equal(_dense(graph), matrix)
    assert load_graph(tmp_path / "g.mtx", directed=False).num_edges == np.count_nonzero(np.triu(matrix + matrix.T))


def test_two_sides(tmp_path):
    matrix = np.random.default_rng(0).integers(0, 3, (4, 7))
    path = written(tmp_path / "g.mtx", matrix)
    graph = load_graph(path, bipartite=True, weight=True)
    assert (graph.part.tolist(), graph.ids.is_marked) == ([0] * 4 + [1] * 7, True)
    np.testing.assert_array_equal(_dense(graph)[:4, 4:], matrix)
    assert load_graph(path, bipartite="auto").num_edges == np.count_nonzero(matrix)
    with pytest.raises(InputError, match="must be square, this one is 4 x 7; .* use --bipartite"):
        load_graph(path)


def test_spaces_comments_and_compression(tmp_path):
    text = f"{HEADER}% a comment\n%\n\n  3  3 2\n\n 1   2\t0.5 \n3 1  2e0\n"
    (tmp_path / "g.mtx.gz").write_bytes(gzip.compress(text.encode()))
    graph = load_graph(tmp_path / "g.mtx.gz", weight=True)
    assert (graph.edges.tolist(), graph.edge_weight.tolist()) == ([[0, 1], [2, 0]], [0.5, 2])
    (tmp_path / "g.txt").write_text(text)  # recognised by its first line
    assert load_graph(tmp_path / "g.txt", weight=True).digest == graph.digest


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("%%MatrixMarket matrix coordinate\n2 2 1\n1 2\n", "g.mtx, line 1: expected a first line such as"),
        ("1 2\n", "expected a first line such as"),
        (HEADER.replace("coordinate", "array") + "1 1\n3\n", "dense matrices"),
        (HEADER.replace("real", "complex") + "1 1 0\n", "a matrix that is complex general is not read"),
        (HEADER, "expected the number of rows, columns and entries"),
        (HEADER + "2 2\n1 2 1\n", "line 2: expected the number of rows, columns and entries, as in"),
        (HEADER + "2 2 2\n1 2 1\n", "it declares 2 entries and lists 1"),
        (HEADER + "2 2 1\n", "it declares 1 entries and lists 0"),
        (HEADER + "2 2 1\n0 2 1\n", "entry 1 names the row 0; rows are 1 to 2"),
        (HEADER + "2 2 1\n1 3 1\n", "entry 1 names the column 3; columns are 1 to 2"),
        (HEADER + "2 2 1\n1 2 x\n", "line 3: the value 'x' is not a number"),
        (HEADER + "2 2 1\n1 b 1\n", "line 3: expected a row and a column, found 'b' in place 2"),
        (HEADER + "2 2 1\n1 2\n", "line 3: expected 3 columns"),
        (HEADER + "2 2 1\n1 2 nan\n", "NaN or infinite"),
        (HEADER + "2 2 0\n", "no edge between two different nodes"),
        (HEADER + "1000000000 1000000000 1\n1 2 1\n", "remove the empty rows and columns"),
        (HEADER + "999999999999999999 999999999999999999 1\n1 2 1\n", "at most"),
    ],
)
def test_what_is_refused(tmp_path, text, words):
    (tmp_path / "g.mtx").write_text(text)
    with pytest.raises(InputError, match=words):
        load_graph(tmp_path / "g.mtx")


def test_options_of_other_files(tmp_path):
    path = written(tmp_path / "g.mtx", np.ones((3, 3)))
    with pytest.raises(InputError, match="`header` says nothing about a Matrix Market file"):
        load_graph(path, header=True)
