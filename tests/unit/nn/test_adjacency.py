from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from adjacencies import GRAPHS, adjacency_of, all_pairs_of
from linkwl.graph import Graph
from linkwl.nn import Adjacency
from linkwl.nn.adjacency import edge_weight


def edge_index_of(graph: Graph) -> torch.Tensor:
    return torch.from_numpy(np.argwhere(graph.to_scipy().toarray()).T)


@pytest.mark.parametrize("name", GRAPHS)
def test_both_forms_give_the_same_edges(name):
    graph = GRAPHS[name]
    one, other = adjacency_of(graph), Adjacency.from_edge_index(edge_index_of(graph), graph.num_nodes)
    assert torch.equal(one.rowptr, other.rowptr)
    assert torch.equal(one.col, other.col)
    assert {one.rowptr.dtype, one.col.dtype, other.rowptr.dtype, other.col.dtype} == {torch.int64}
    assert one.num_nodes == other.num_nodes == graph.num_nodes
    assert one.num_entries == other.num_entries == len(graph.col)


@pytest.mark.parametrize("name", GRAPHS)
def test_symmetry_is_found_out(name):
    graph = GRAPHS[name]
    table = graph.to_scipy().toarray()
    adjacency = Adjacency.from_edge_index(edge_index_of(graph), graph.num_nodes)
    assert adjacency.is_symmetric == bool((table == table.T).all())


@pytest.mark.parametrize("name", GRAPHS)
def test_rows_degrees_pairs_and_turned_edges(name):
    graph = GRAPHS[name]
    adjacency, table = adjacency_of(graph), graph.to_scipy().toarray()
    assert torch.equal(torch.stack([adjacency.row, adjacency.col]), edge_index_of(graph))
    assert torch.equal(adjacency.pairs, edge_index_of(graph).T)
    assert adjacency.degree.tolist() == table.sum(axis=1).tolist()
    turned = adjacency.transpose
    assert turned.pairs.tolist() == np.argwhere(table.T).tolist()
    assert turned.transpose is adjacency
    assert (turned is adjacency) == adjacency.is_symmetric


def test_what_follows_is_computed_once():
    adjacency = adjacency_of(GRAPHS["directed"])
    for name in ("row", "pairs", "degree", "transpose", "arrays"):
        assert getattr(adjacency, name) is getattr(adjacency, name)


def test_arrays_for_the_kernels():
    graph = GRAPHS["directed"]
    rowptr, col = adjacency_of(graph).arrays
    assert (rowptr.dtype, col.dtype) == (np.int64, np.int32)
    np.testing.assert_array_equal(rowptr, graph.rowptr)
    np.testing.assert_array_equal(col, graph.col)


def test_the_rows_are_copied():
    rowptr, col = np.array([0, 1, 2]), np.array([1, 0])
    adjacency = Adjacency.from_csr(rowptr, col, is_symmetric=True)
    col[:] = 7
    assert adjacency.col.tolist() == [1, 0]


@pytest.mark.parametrize("name", GRAPHS)
def test_edges_are_found_among_all_pairs(name):
    graph = GRAPHS[name]
    adjacency, pairs = adjacency_of(graph), all_pairs_of(graph.num_nodes)
    place = adjacency.find(pairs)
    is_edge = torch.from_numpy(graph.to_scipy().toarray() != 0).flatten()
    assert torch.equal(place >= 0, is_edge)
    assert torch.equal(adjacency.pairs[place[is_edge]], pairs[is_edge])


@pytest.mark.parametrize("name", GRAPHS)
def test_ends_of_chosen_edges(name):
    adjacency = adjacency_of(GRAPHS[name])
    chosen = torch.arange(adjacency.num_entries).flip(0).repeat(2)
    assert torch.equal(adjacency.ends(chosen), adjacency.pairs[chosen])


def test_edges_of_nodes_with_their_owners():
    adjacency = adjacency_of(Graph.from_pairs([(0, 1), (0, 2), (2, 3)], 5))
    place, owner = adjacency.edges_of(torch.tensor([2, 4, 0, 2]))
    assert adjacency.pairs[place].tolist() == [[2, 0], [2, 3], [0, 1], [0, 2], [2, 0], [2, 3]]
    assert owner.tolist() == [0, 0, 2, 2, 3, 3]


def test_moving_to_the_same_device_is_nothing():
    adjacency = adjacency_of(GRAPHS["undirected"])
    assert adjacency.device == torch.device("cpu")
    assert adjacency.to("cpu") is adjacency


def test_moving_to_another_device_keeps_what_is_known():
    adjacency = adjacency_of(GRAPHS["directed"]).to("meta")
    assert (adjacency.device.type, adjacency.is_symmetric, adjacency.num_nodes) == ("meta", False, 14)


@pytest.mark.parametrize(
    ("edge_index", "sentence"),
    [
        ([[1, 0], [0, 1]], r"sorted by row, then by column, without duplicates; use `torch_geometric\.utils\.coalesce"),
        ([[0, 0], [2, 1]], "sorted by row"),
        ([[0, 0], [1, 1]], "without duplicates"),
        ([[0], [3]], r"must hold node indices 0 \.\. 2"),
        ([[-1], [0]], r"must hold node indices 0 \.\. 2"),
        ([[0, 1, 2]], r"shape \(2, num_edges\), got torch.int64 and shape \(1, 3\)"),
        ([0, 1], "shape"),
        ([[0.0], [1.0]], "must hold whole numbers"),
    ],
)
def test_other_input_is_told(edge_index, sentence):
    with pytest.raises(ValueError, match=sentence):
        Adjacency.from_edge_index(torch.tensor(edge_index), num_nodes=3)


def test_text():
    assert repr(adjacency_of(GRAPHS["one directed edge"])) == "Adjacency(3 nodes, 1 entries, directed)"


@pytest.mark.parametrize("name", GRAPHS)
def test_an_edge_weighs_one_over_the_root_of_both_degrees(name):
    graph = GRAPHS[name]
    edges = [(p, int(q)) for p in range(graph.num_nodes) for q in graph.neighbours(p)]
    expected = [
        (sum(p == first for first, _ in edges) * sum(q == second for _, second in edges)) ** -0.5 for p, q in edges
    ]
    adjacency = adjacency_of(graph)
    weight = edge_weight(adjacency, adjacency.pairs, torch.float64)
    torch.testing.assert_close(weight, torch.tensor(expected, dtype=torch.float64))


def test_weights_of_some_edges_in_any_order():
    adjacency = adjacency_of(GRAPHS["directed"])
    chosen = torch.tensor([5, 0, 5, 2])
    every = edge_weight(adjacency, adjacency.pairs, torch.float32)
    some = edge_weight(adjacency, adjacency.pairs[chosen], torch.float32)
    assert some.dtype == torch.float32
    assert torch.equal(some, every[chosen])


@pytest.mark.parametrize("name", GRAPHS)
def test_edges_without_directions(name):
    adjacency = adjacency_of(GRAPHS[name])
    links = adjacency.undirected
    expected = GRAPHS[name].links
    assert links.is_symmetric
    assert np.array_equal(links.rowptr, expected.rowptr) and np.array_equal(links.col, expected.col)
    along, against = adjacency.directions.T
    assert np.array_equal(along, GRAPHS[name].has_edges(links.pairs.numpy()))
    assert np.array_equal(against, GRAPHS[name].has_edges(links.pairs.flip(1).numpy()))
    assert adjacency.undirected is (adjacency if adjacency.is_symmetric else links)


def test_weights():
    """Against dense matrices."""
    generator = np.random.default_rng(0)
    dense = generator.uniform(0.5, 3, (12, 12)) * (generator.random((12, 12)) < 0.3) * (1 - np.eye(12))
    matrix = sp.csr_array(dense)
    adjacency = Adjacency.from_csr(matrix.indptr, matrix.indices, is_symmetric=False).with_weight(matrix.data)

    def table(found):
        full = torch.zeros(12, 12, dtype=torch.float64)
        full[found.row, found.col] = found.weight
        return full.numpy()

    np.testing.assert_array_equal(table(adjacency), dense)
    np.testing.assert_array_equal(table(adjacency.transpose), dense.T)
    np.testing.assert_array_equal(table(adjacency.transpose.transpose), dense)
    both = np.maximum((dense > 0).astype(int) + (dense.T > 0), 1)
    np.testing.assert_allclose(table(adjacency.undirected), (dense + dense.T) / both)
    np.testing.assert_allclose(adjacency.strength.numpy(), dense.sum(1))
    np.testing.assert_allclose(adjacency.transpose.strength.numpy(), dense.sum(0))
    root = np.sqrt(np.outer(dense.sum(1), dense.sum(0)))
    expected = (dense / np.where(root > 0, root, 1))[dense > 0]
    np.testing.assert_allclose(edge_weight(adjacency, adjacency.pairs, torch.float64).numpy(), expected)
