from __future__ import annotations

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
import scipy.io
import scipy.sparse as sp

from linkwl import InputError, load_graph
from linkwl.graph.convert_matrix import check_adjacency, check_empty_rows, from_matrix

RECTANGLE = np.array([[0, 2, 0, 1], [0, 0, 3, 0], [1, 0, 0, 0]])
LISTED = {(0, 1): 2, (0, 3): 1, (1, 2): 3, (2, 0): 1}


def found(graph):
    pairs = zip(graph.edges.tolist(), graph.edge_weight.tolist(), strict=True)
    return {(graph.ids.left[p], graph.ids.right[q]): weight for (p, q), weight in pairs}


def save(path, matrix):
    if path.suffix == ".npz":
        sp.save_npz(path, sp.csr_array(matrix))
    elif path.suffix == ".npy":
        np.save(path, matrix)
    else:
        scipy.io.savemat(path, {"net": sp.csc_array(matrix.astype(float))})
    return path


@pytest.mark.parametrize("ending", ["npz", "npy", "mat"])
def test_rows_and_columns_as_two_sides(tmp_path, ending):
    path = save(tmp_path / f"m.{ending}", RECTANGLE)
    graph = load_graph(path, bipartite=True, weight=True)
    assert found(graph) == LISTED
    assert (graph.num_nodes, graph.part.tolist(), graph.is_directed) == (7, [0, 0, 0, 1, 1, 1, 1], False)
    assert load_graph(path, bipartite="auto").num_edges == 4
    with pytest.raises(InputError, match=r"square, this one is 3 x 4; .*--bipartite|square matrix of numbers"):
        load_graph(path)


@pytest.mark.parametrize("source", [RECTANGLE, sp.coo_array(RECTANGLE)])
def test_objects(source):
    assert found(load_graph(source, bipartite=True, weight=True)) == LISTED


def test_it_is_what_networkx_writes():
    women = nx.davis_southern_women_graph()
    rows, columns = women.graph["top"], women.graph["bottom"]
    matrix = nx.bipartite.biadjacency_matrix(women, rows, columns)
    graph = from_matrix(matrix, name="women", labels=pa.array(rows), columns=pa.array(columns), bipartite=True)
    pairs = {(graph.ids.left[p], graph.ids.right[q]) for p, q in graph.edges.tolist()}
    assert pairs == {(p, q) if p in rows else (q, p) for p, q in women.edges}


def test_a_square_matrix_has_sides_on_request_only():
    square = np.array([[0, 1, 0], [0, 1, 1], [0, 0, 0]])
    assert load_graph(square, bipartite=True).num_nodes == 6
    for asked in (None, False, "auto"):
        assert load_graph(square, bipartite=asked).num_nodes == 3


def test_limits():
    with pytest.raises(InputError, match="rows and only 1 entries"):
        load_graph(sp.coo_array(([1.0], ([0], [1])), shape=(1, 2**30)), bipartite=True)
    with pytest.raises(InputError, match="at most"):
        check_adjacency((2**30, 2**31), np.dtype(float), has_sides=True)
    check_empty_rows(10_000_000, 0, None)
