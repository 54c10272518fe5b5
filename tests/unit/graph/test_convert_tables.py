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
