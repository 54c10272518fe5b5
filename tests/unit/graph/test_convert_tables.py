from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from linkwl import Graph, InputError, KnowledgeGraph, load_graph


class Frame:
    """A data frame, as far as it is read."""

    def __init__(self, **columns):
        self.data = columns
        self.columns = list(columns)

    def __getitem__(self, name):
        return self.data[name]

    def __array__(self, dtype=None, copy=None):
        return np.array(list(zip(*self.data.values(), strict=True)), dtype=object)


def named_triples(graph):
    assert isinstance(graph, KnowledgeGraph)
    return {(graph.ids[h], graph.relations[r], graph.ids[t]) for h, r, t in graph.triples.tolist()}


FACTS = {"head": ["ann", "bob"], "relation": ["knows", "likes"], "tail": ["bob", "cid"], "since": [1, 2]}


@pytest.mark.parametrize("table", [pa.table(FACTS), Frame(**FACTS)])
def test_triples_by_the_names_of_columns(table):
    graph = load_graph(table, name="people")
    assert named_triples(graph) == {("ann", "knows", "bob"), ("bob", "likes", "cid")}
    assert graph.intake.notes == ("triples from columns `head`, `relation` and `tail`", "ignored column `since`")
    assert graph.name == "people"


@pytest.mark.parametrize("kind", [pa.table, lambda columns: Frame(**columns)])
def test_requested_columns(kind):
    table = kind({"who": [7, 5], "does": ["knows", "likes"], "whom": [5, 3]})
    assert named_triples(load_graph(table, relation="does")) == {(7, "knows", 5), (5, "likes", 3)}
    assert named_triples(load_graph(table, head="whom", relation=2)) == {(5, "knows", 7), (3, "likes", 5)}


def test_names_of_several_types_are_texts():
    table = Frame(head=np.array(["a", 5], dtype=object), relation=["r", "r"], tail=["x", "y"])
    assert named_triples(load_graph(table)) == {("a", "r", "x"), ("5", "r", "y")}


def test_edges():
    table = {"source": ["a", "b"], "target": ["b", "c"], "weight": [1.5, 2.5]}
    for kind in (pa.table(table), Frame(**table)):
        graph = load_graph(kind, weight="weight")
        assert isinstance(graph, Graph)
        assert graph.edge_weight is not None
        assert isinstance(load_graph(kind), Graph)
    assert isinstance(load_graph(pa.table({"x": [0, 1], "y": [1, 2]})), Graph)
    assert load_graph(Frame(x=[0, 1], y=[1, 2])).intake.notes == ("edges from columns `x` and `y`",)


def test_missing_among_names_of_several_types():
    table = Frame(head=np.array(["nan", 5, None], dtype=object), relation=["r", "r", "r"], tail=["x", "y", "z"])
    with pytest.raises(InputError, match="column `head` has no node id in row 3"):
        load_graph(table)


def test_missing_names():
    for missing in (None, float("nan")):
        table = Frame(head=np.array(["a", missing], dtype=object), relation=["r", "r"], tail=["x", "y"])
        with pytest.raises(InputError, match="column `head` has no node id in row 2"):
            load_graph(table)
    with pytest.raises(InputError, match="column `relation` has no relation in row 1"):
        load_graph(pa.table({"head": ["a"], "relation": pa.array([None], pa.string()), "tail": ["b"]}))


def test_columns_of_one_name():
    table = pa.Table.from_arrays([pa.array(["a"])] * 4, names=["head", "relation", "tail", "head"])
    with pytest.raises(InputError, match="several columns are called `head`"):
        load_graph(table)
    with pytest.raises(InputError, match="several columns are called `head`"):
        load_graph(Frame(head=np.array([["a", "b"]]), relation=["r"], tail=["x"]))


class Adjacency(Frame):
    """A data frame with labels of its rows, as ``networkx.to_pandas_adjacency`` makes."""

    def __init__(self, labels, matrix):
        super().__init__(**{str(name): column for name, column in zip(labels, np.asarray(matrix).T, strict=True)})
        self.columns, self.index, self.matrix = list(labels), list(labels), np.asarray(matrix)

    def __array__(self, dtype=None, copy=None):
        return self.matrix


def as_csv(columns) -> str:
    rows = zip(*columns.values(), strict=True)
    return "\n".join(",".join(map(str, row)) for row in [tuple(columns), *rows]) + "\n"


@pytest.mark.parametrize(
    ("columns", "options"),
    [
        ({"user_id": [1, 2, 2], "item_id": [1, 1, 3], "stars": [5, 4, 3]}, {"weight": "stars"}),
        ({"buyer": ["a", "b"], "seller": ["b", "c"]}, {}),
        ({"x": [1.5, 2.5], "from": [0, 1], "to": [1, 2]}, {"directed": True, "weight": "x"}),
        ({"when": [5, 6], "a": ["p", "q"], "b": ["q", "r"]}, {"source": "a", "target": 3, "time": "when"}),
        ({"who": ["a", "b"], "does": ["r", "r"], "whom": ["b", "c"]}, {"type": "does"}),
    ],
)
def test_a_frame_is_read_as_the_same_csv(tmp_path, columns, options):
    (tmp_path / "t.csv").write_text(as_csv(columns))
    file = load_graph(tmp_path / "t.csv", **options)
    for table in (Frame(**columns), pa.table(columns)):
        graph = load_graph(table, **options)
        assert graph.digest == file.digest
        said = [note for note in file.intake.notes if not note.startswith("first line")]
        assert list(graph.intake.notes) == said


def test_columns_with_numbers_for_names():
    frame = Frame(**{"0": ["a", "b"], "1": ["b", "c"], "2": [5.0, 7.0]})
    frame.data, frame.columns = {int(name): column for name, column in frame.data.items()}, [0, 1, 2]
    assert load_graph(frame).num_edges == 2
    assert load_graph(frame, weight=3).edge_weight.tolist() == [5, 7]


def test_matrices_with_labels():
    matrix = np.array([[0, 2, 0], [2, 0, 3], [0, 3, 0]])
    for labels in (["x", "y", "z"], [7, 5, 9]):
        graph = load_graph(Adjacency(labels, matrix), weight=True)
        assert (sorted(labels), graph.intake.form) == (list(graph.ids), "labelled matrix")
        assert sorted(graph.edge_weight.tolist()) == [2, 3]
        beside = pa.table({"": list(map(str, labels))} | {str(n): c for n, c in zip(labels, matrix.T, strict=True)})
        assert load_graph(beside, weight=True).digest == graph.digest
    assert load_graph(Adjacency(["a", "b", "c"], np.roll(np.eye(3), 1, axis=0))).is_directed
    with pytest.raises(InputError, match="two rows of the matrix have the same label"):
        load_graph(Adjacency(["a", "a ", "b"], matrix))
