from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from linkwl import InputError, KnowledgeGraph, load_graph
from linkwl.graph.convert_triples import are_named_triples


def named_triples(graph):
    assert isinstance(graph, KnowledgeGraph)
    return {(graph.ids[h], graph.relations[r], graph.ids[t]) for h, r, t in graph.triples.tolist()}


def factory(**changes):
    """A PyKEEN factory, as far as it is read."""
    fields = {
        "mapped_triples": np.array([(0, 1, 2), (2, 0, 1), (0, 1, 2)]),
        "num_entities": 4,
        "num_relations": 2,
        "entity_to_id": {"dan": 3, "cid": 0, "ann": 1, "bob": 2},
        "relation_to_id": {"likes": 0, "knows": 1},
    }
    return SimpleNamespace(**(fields | changes))


class TestTriplesFactory:
    def test_names_and_triples(self):
        graph = load_graph(factory(), name="people")
        assert named_triples(graph) == {("cid", "knows", "bob"), ("bob", "likes", "ann")}
        assert list(graph.ids) == ["ann", "bob", "cid", "dan"]  # an entity without triples stays
        assert (graph.name, graph.intake.form, graph.intake.duplicates) == ("people", "PyKEEN triples", 1)

    def test_tensors_and_inverses(self):
        torch = pytest.importorskip("torch")
        triples = torch.tensor([(0, 1, 2), (2, 0, 1)])
        doubled = factory(mapped_triples=triples, create_inverse_triples=True, num_relations=4, real_num_relations=2)
        graph = load_graph(doubled)
        assert graph.digest == load_graph(factory()).digest
        assert graph.intake.notes == ("triples without inverses",)

    def test_without_names(self):
        graph = load_graph(SimpleNamespace(mapped_triples=np.array([(0, 1, 2)]), num_entities=4, real_num_relations=2))
        assert (graph.triples.tolist(), graph.num_nodes, graph.num_relations) == ([[0, 1, 2]], 4, 2)

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"mapped_triples": np.zeros((2, 2), int)}, r"integers of shape \(n, 3\)"),
            ({"mapped_triples": np.zeros((2, 3))}, "must hold integers"),
            ({"mapped_triples": np.array([(0, 0, 4)])}, "names entities beyond the 4 of the factory"),
            ({"mapped_triples": np.array([(0, 2, 0)])}, "names relations beyond the 2 of the factory"),
            ({"entity_to_id": {"a": 1, "b": 2}}, "must number its names 0 .. 1"),
        ],
    )
    def test_factories_that_are_none(self, changes, words):
        with pytest.raises(InputError, match=words):
            load_graph(factory(**changes))


class TestHeteroData:
    @pytest.fixture
    def torch(self):
        return pytest.importorskip("torch")

    @pytest.fixture
    def data(self, torch):
        hetero = pytest.importorskip("torch_geometric.data").HeteroData()
        hetero["author"].num_nodes = 12
        hetero["paper"].num_nodes = 2
        hetero["author", "writes", "paper"].edge_index = torch.tensor([[0, 11], [1, 0]])
        hetero["paper", "cites", "paper"].edge_index = torch.tensor([[1], [0]])
        return hetero

    def test_nodes_and_types(self, data):
        graph = load_graph(data)
        assert named_triples(graph) == {
            ("author:0", "writes", "paper:1"),
            ("author:11", "writes", "paper:0"),
            ("paper:1", "cites", "paper:0"),
        }
        assert graph.num_nodes == 14
        names = {graph.ids[node]: graph.types.of(node) for node in range(14)}
        assert names["author:11"] == ["author"]
        assert names["paper:0"] == ["paper"]

    def test_features_follow_the_order_of_names(self, data, torch):
        data["author"].x = torch.arange(12.0)[:, None]
        data["paper"].x = torch.tensor([[100.0], [101.0]])
        graph = load_graph(data)
        value = {graph.ids[node]: graph.features[node, 0] for node in range(14)}
        assert value["author:2"] == 2
        assert value["author:11"] == 11
        assert value["paper:1"] == 101

    def test_what_is_not_used_is_noted(self, data, torch):
        data["author"].x = torch.ones(12, 3)
        data["paper", "cites", "paper"].edge_attr = torch.ones(1, 2)
        data["paper"].y = torch.zeros(2)
        graph = load_graph(data)
        assert graph.features is None
        assert graph.intake.notes == (
            "features not used, because the node types have different ones",
            "ignored edge_attr, y",
        )

    def test_one_type_of_nodes_and_relations_that_repeat(self, torch):
        data = pytest.importorskip("torch_geometric.data").HeteroData()
        data["user"].num_nodes = 3
        data["user", "follows", "user"].edge_index = torch.tensor([[0, 2], [1, 0]])
        graph = load_graph(data)
        assert named_triples(graph) == {(0, "follows", 1), (2, "follows", 0)}
        assert graph.types is None
        data["item"].num_nodes = 1
        data["user", "follows", "item"].edge_index = torch.tensor([[0], [0]])
        assert set(load_graph(data).relations) == {"user follows user", "user follows item"}

    def test_numbers_of_nodes_from_the_edges(self, torch):
        data = pytest.importorskip("torch_geometric.data").HeteroData()
        data["a", "r", "b"].edge_index = torch.tensor([[0, 3], [1, 0]])
        graph = load_graph(data)
        assert graph.num_nodes == 6
        assert graph.intake.notes[0] == "number of nodes of type 'a' taken from the edges: 4"
        assert data.node_types == []  # the object stays as it is

    @pytest.mark.parametrize(
        ("edge_index", "words"),
        [
            ([[0], [2]], "an edge names the node 2 of type 'paper', which has 2; fix `num_nodes`"),
            ([[0], [-1]], "an edge names the node -1 of type 'paper'"),
            ([0, 1], "has no `edge_index` of shape"),
        ],
    )
    def test_what_is_refused(self, data, torch, edge_index, words):
        data["author", "writes", "paper"].edge_index = torch.tensor(edge_index)
        with pytest.raises(InputError, match=words):
            load_graph(data)


class TestLists:
    @pytest.mark.parametrize(
        "rows",
        [
            [("ann", "knows", "bob"), ("bob", "likes", "cid")],
            np.array([("ann", "knows", "bob"), ("bob", "likes", "cid")]),
            np.array([("ann", "knows", "bob"), ("bob", "likes", "cid")], dtype=object),
            [["ann", "knows", "bob"], ["bob", "likes", "cid"], ["bob", "likes", "cid"]],
        ],
    )
    def test_triples_by_name(self, rows):
        assert named_triples(load_graph(rows)) == {("ann", "knows", "bob"), ("bob", "likes", "cid")}

    def test_three_triples_are_no_matrix(self):
        assert load_graph([("a", "r", "b"), ("b", "r", "c"), ("c", "r", "a")]).num_facts == 3

    def test_numbered_entities(self):
        assert named_triples(load_graph([(7, "knows", 5)])) == {(7, "knows", 5)}

    @pytest.mark.parametrize("rows", [[("a", "b", 0.5)], [(0, 1, 2)], [("a", None, "b")], [("a", "b")], []])
    def test_what_is_none(self, rows):
        assert not are_named_triples(np.asarray(rows, dtype=object))

    def test_triples_of_indices_are_sent_elsewhere(self):
        with pytest.raises(InputError, match=r"triples of indices to `KnowledgeGraph.from_triples`"):
            load_graph([(0, 1, 2), (1, 0, 2)])


def test_a_knowledge_graph_is_itself():
    graph = load_graph([("a", "r", "b")])
    assert load_graph(graph) is graph
    with pytest.raises(InputError, match="is its `links`"):
        load_graph(graph, directed=False)
    with pytest.raises(InputError, match="no weight can be read from triples"):
        load_graph(graph, weight=True)
    with pytest.raises(InputError, match="an object of type KnowledgeGraph has no columns"):
        load_graph(graph, relation="r")
