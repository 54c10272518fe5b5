from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkwl.errors import InputError
from linkwl.graph import load_graph
from linkwl.graph.readers.pair_features import add_pair_features


@pytest.fixture
def graph():
    return load_graph([("ann", "bob"), ("bob", "cid"), ("cid", "dan")])


@pytest.fixture
def read(graph, tmp_path):
    def read(text, graph=graph):
        (tmp_path / "p.csv").write_text(text)
        return add_pair_features(graph, tmp_path / "p.csv").attributes.pairs

    return read


@pytest.mark.parametrize(
    "text",
    [
        "source,target,trade,miles\ndan,ann,2,3\nann,bob,1,7\n",
        "trade;miles;from;to\n2;3;ann;dan\n1;7;bob;ann\n",
        "source,target,trade,miles\nann,dan,2,3\nann , bob,1.0,7e0\n",
    ],
)
def test_pairs_without_direction_in_any_order(read, text):
    pairs = read(text)
    assert pairs.names == ("trade", "miles")
    assert pairs.pairs.tolist() == [[0, 1], [0, 3]]
    assert pairs.values.tolist() == [[1, 7], [2, 3]]


def test_without_a_header_numbers_have_numbers_for_names(read):
    assert read("ann,bob,1,2\n").names == ("x1", "x2")


def test_directed_pairs_keep_their_order(read):
    graph = load_graph([("ann", "bob"), ("bob", "ann")], directed=True)
    pairs = read("source,target,x\nbob,ann,1\nann,bob,2\n", graph)
    assert (pairs.pairs.tolist(), pairs.values.tolist()) == ([[0, 1], [1, 0]], [[2], [1]])


def test_tables_and_parquet(graph, tmp_path):
    table = pa.table({"source": ["ann"], "target": ["cid"], "x": [True]})
    pq.write_table(table, tmp_path / "p.parquet")
    for source in (table, tmp_path / "p.parquet", str(tmp_path / "p.parquet"), table.to_pylist()):
        assert add_pair_features(graph, source).attributes.pairs.values.tolist() == [[1]]


def test_other_attributes_stay(graph):
    placed = load_graph(graph, features={name: {"x": 1.0, "y": 2.0} for name in graph.ids})
    found = add_pair_features(placed, pa.table({"source": ["ann"], "target": ["cid"], "x": [1.0]})).attributes
    assert found.positions is placed.attributes.positions


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("source,target\nann,bob\n", None, "found 2 columns, expected two of nodes and numbers"),
        ("source,target,x\nann,bob,1\nann,zoe,2\n", 3, "zoe"),
        ("source,target,x\nann,bob,1\ncid,dan,3\nbob,ann,2\n", 4, "the pair of 'bob' and 'ann' is listed twice"),
        ("source,target,x\nann,bob,1\ncid,dan,\n", 3, "`x` is not a finite number"),
        ("source,target,x\nann,bob,1\ncid,dan,3\nann,cid,much\n", 4, "`x` is 'much', and most others are numbers"),
        ("source,target,x\nann,bob,far\ncid,dan,far\n", None, "column `x` holds no numbers"),
    ],
)
def test_what_is_refused(read, text, line, words):
    with pytest.raises(InputError, match=words) as caught:
        read(text)
    assert caught.value.line == line


def test_facts_have_none():
    with pytest.raises(InputError, match="models of facts"):
        add_pair_features(load_graph([("a", "r", "b"), ("b", "r", "c")]), pa.table({}))


def test_other_objects_are_refused(graph):
    with pytest.raises(InputError, match="of type ndarray; give a file or a table"):
        add_pair_features(graph, np.ones(3))


def test_the_sides_of_a_bipartite_graph_have_names_of_their_own(read):
    rated = load_graph([{"user_id": 1, "film_id": 1}, {"user_id": 2, "film_id": 3}])
    pairs = read("source,target,minutes\n1,3,7\n2,1,8\n", rated)
    assert [(rated.ids[p], rated.ids[q]) for p, q in pairs.pairs] == [("left:1", "right:3"), ("left:2", "right:1")]
    assert pairs.values.tolist() == [[7], [8]]
    with pytest.raises(InputError, match="unknown node '3'"):
        read("source,target,minutes\n3,1,7\n", rated)
