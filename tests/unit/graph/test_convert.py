from __future__ import annotations

import os

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.graph.convert import from_object
from linkwl.graph.reading import Reading

CLUB = nx.karate_club_graph()


def named_edges(graph: Graph) -> set[frozenset]:
    return {frozenset((graph.ids[p], graph.ids[q])) for p, q in graph.edges.tolist()}


class TestNetworkx:
    def test_the_karate_club(self):
        graph = from_object(CLUB)
        assert (graph.num_nodes, graph.num_edges, graph.is_directed) == (34, 78, False)
        assert graph.degree.tolist() == [CLUB.degree[v] for v in range(34)]

    @pytest.mark.parametrize(
        "rename",
        [lambda v: v, lambda v: f"é{v}", lambda v: (v, v + 1), lambda v: 2**64 + v, lambda v: 10**15 * v, np.int32],
    )
    def test_nodes_of_any_kind(self, rename):
        graph = from_object(nx.relabel_nodes(CLUB, rename))
        names = {v: rename(v) if isinstance(graph.ids[0], int) else str(rename(v)) for v in CLUB}
        assert named_edges(graph) == {frozenset((names[p], names[q])) for p, q in CLUB.edges}

    def test_isolated_nodes_stay(self):
        source = nx.path_graph(3)
        source.add_node(7)
        graph = from_object(source)
        assert list(graph.ids) == [0, 1, 2, 7]
        assert graph.degree.tolist() == [1, 2, 1, 0]

    def test_direction_is_what_the_graph_says_unless_told(self):
        source = nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")])
        assert from_object(source).edges.tolist() == [[0, 1], [1, 0], [1, 2]]
        assert from_object(source, reading=Reading(directed=False)).edges.tolist() == [[0, 1], [1, 2]]
        assert from_object(nx.path_graph(3), reading=Reading(directed=True)).is_directed

    def test_parallel_edges_and_loops_are_counted(self):
        graph = from_object(nx.MultiGraph([(0, 1), (0, 1), (1, 1), (1, 2)]))
        assert (graph.num_edges, graph.intake.duplicates, graph.intake.self_loops) == (2, 1, 1)
        assert graph.intake.form == "networkx graph"

    @pytest.mark.parametrize("twins", [(1, "1"), ("a", " a"), ((0, 1), "(0, 1)")])
    def test_nodes_that_look_alike_are_not_merged(self, twins):
        with pytest.raises(InputError, match="same name as text"):
            from_object(nx.Graph([(twins[0], "x"), (twins[1], "x")]))

    @pytest.mark.parametrize("node", [1.5, np.float32(1.5), float("nan")])
    def test_fractions_are_no_names(self, node):
        with pytest.raises(InputError, match="not written as a whole number"):
            from_object(nx.Graph([(node, 1)]))


class TestMatrices:
    @pytest.mark.parametrize("form", ["bsr", "coo", "csc", "csr", "dia", "dok", "lil"])
    @pytest.mark.parametrize("make", [sp.csr_array, sp.csr_matrix])
    def test_every_sparse_format(self, form, make):
        matrix = make(nx.to_scipy_sparse_array(CLUB)).asformat(form)
        graph = from_object(matrix)
        assert graph.digest == from_object(CLUB).digest
        assert graph.intake.reversed_duplicates == 78

    @pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float32])
    def test_dense(self, dtype):
        assert from_object((nx.to_numpy_array(CLUB) > 0).astype(dtype)).digest == from_object(CLUB).digest

    def test_a_triangle_of_the_matrix_is_enough(self):
        assert from_object(sp.triu(nx.to_scipy_sparse_array(CLUB))).digest == from_object(CLUB).digest

    def test_direction_is_kept_if_asked_for(self):
        matrix = sp.csr_array(np.eye(3, k=1))
        assert from_object(matrix, reading=Reading(directed=True)).edges.tolist() == [[0, 1], [1, 2]]
        assert from_object(matrix.T, reading=Reading(directed=True)).edges.tolist() == [[1, 0], [2, 1]]

    def test_zeros_that_are_stored_are_no_edges(self):
        graph = from_object(sp.coo_array(([0.0, 2.0, -1.0], ([0, 1, 2], [1, 2, 3])), shape=(4, 4)))
        assert graph.edges.tolist() == [[1, 2], [2, 3]]

    @pytest.mark.parametrize("shape", [(2, 3), (3, 1)])
    def test_it_must_be_square(self, shape):
        with pytest.raises(InputError, match=f"must be square, this one is {shape[0]} x {shape[1]}"):
            from_object(sp.csr_array(np.ones(shape)))

    @pytest.mark.parametrize("value", [np.nan, np.inf])
    def test_values_are_finite(self, value):
        matrix = np.where(np.eye(4, k=1), value, 0)
        for source in (matrix, sp.csr_array(matrix)):
            with pytest.raises(InputError, match="NaN or infinite"):
                from_object(source)

    def test_values_are_numbers(self):
        with pytest.raises(InputError, match="must hold numbers"):
            from_object(sp.csr_array(np.eye(4, k=1) * 1j))


class TestPairs:
    def test_lists_and_arrays(self):
        for rows in ([("ann", "bob"), ("bob", "cid")], np.array([("ann", "bob"), ("bob", "cid")])):
            assert named_edges(from_object(rows)) == {frozenset({"ann", "bob"}), frozenset({"bob", "cid"})}

    @pytest.mark.parametrize("dtype", ["i1", ">i4", "u8", "O"])
    def test_numbers_of_any_type(self, dtype):
        graph = from_object(np.array([(5, 7), (7, 9)], dtype=dtype))
        assert list(graph.ids) == [5, 7, 9]
        assert graph.edges.tolist() == [[0, 1], [1, 2]]

    def test_numbers_beyond_64_bits_are_texts(self):
        assert list(from_object([(2**63, 5)]).ids) == ["5", str(2**63)]
        assert list(from_object([(2**70, 5)]).ids) == [str(2**70), "5"]

    @pytest.mark.parametrize(
        ("source", "words"),
        [
            ([(0.5, 1.0)], "0.5 is not written as a whole number"),
            ([(0, -1)], "-1 is negative"),
            ([("a", None)], "missing"),
            ([], "shape"),
            ([1, 2, 3], "shape"),
            ([(2**63, 1.5)], "1.5 is not written as a whole number"),
            ([[0, 1, 2], [1, 2, 3]], "transpose"),
            (np.zeros((2, 2, 2)), "shape"),
            (np.array([["a", "b", "c", "d"]] * 4), "square matrix of numbers"),
            (np.array([[b"a", b"b"]]), "whole numbers or text"),
            (np.array([[True, False]]), "whole numbers or text"),
            (np.array([[1j, 2]]), "whole numbers or text"),
            ([(1, 2), (3,)], "row 2 has length 1, row 1 has 2"),
            ({(1, 2)}, "type set cannot be read"),
            (None, "type NoneType cannot be read"),
            (5, "type int cannot be read"),
        ],
    )
    def test_what_is_no_graph(self, source, words):
        with pytest.raises(InputError, match=words):
            from_object(source)


def test_a_graph_is_itself():
    graph = from_object([(0, 1)])
    assert from_object(graph) is graph


@pytest.fixture(scope="module")
def torch():
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    return pytest.importorskip("torch")


@pytest.fixture(scope="module")
def data(torch):
    return pytest.importorskip("torch_geometric.data").Data


class TestPyG:
    def test_both_directions_and_isolated_nodes(self, torch, data):
        edge_index = torch.tensor([[0, 1, 1, 3], [1, 0, 3, 3]])
        graph = from_object(data(edge_index=edge_index, num_nodes=5))
        assert graph.edges.tolist() == [[0, 1], [1, 3]]
        assert graph.num_nodes == 5
        assert (graph.intake.reversed_duplicates, graph.intake.self_loops) == (1, 1)
        assert from_object(data(edge_index=edge_index, num_nodes=5), reading=Reading(directed=True)).num_edges == 3

    @pytest.mark.parametrize("kind", ["plain", "grad", "double", "bfloat16", "int", "coo", "csr"])
    @pytest.mark.filterwarnings("ignore:Sparse CSR tensor support:UserWarning")
    def test_features_of_any_kind(self, torch, data, kind):
        x = torch.tensor([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
        kinds = {
            "plain": lambda: x,
            "grad": lambda: x.clone().requires_grad_(),
            "double": x.double,
            "bfloat16": x.bfloat16,
            "int": x.int,
            "coo": x.to_sparse,
            "csr": x.to_sparse_csr,
        }
        graph = from_object(data(edge_index=torch.tensor([[0], [1]]), x=kinds[kind](), num_nodes=3))
        assert graph.features.dtype == np.float32
        assert sp.issparse(graph.features) == (kind in ("coo", "csr"))  # sparse features stay sparse
        assert np.array_equal(sp.csr_array(graph.features).toarray(), [[1, 0], [0, 2], [0, 0]])

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            ({"x": [[1.0]]}, "no `edge_index`"),
            ({"edge_index": [[0, 1], [1, 2], [2, 3]], "num_nodes": 4}, r"shape \(2, num_edges\)"),
            ({"edge_index": [[0], [1]], "x": [[float("nan")], [1.0]]}, "feature 1 of row 1 is not a finite number"),
            ({"edge_index": [[0], [1]], "x": [[1j], [1.0]]}, "real numbers"),
        ],
    )
    def test_what_is_no_graph(self, torch, data, fields, words):
        tensors = {k: torch.tensor(v) if isinstance(v, list) else v for k, v in fields.items()}
        with pytest.raises(InputError, match=words):
            from_object(data(**tensors))

    def test_heterogeneous_data_without_edges_is_refused(self, data):
        from torch_geometric.data import HeteroData

        with pytest.raises(InputError, match="the PyG data has no edges"):
            from_object(HeteroData())
