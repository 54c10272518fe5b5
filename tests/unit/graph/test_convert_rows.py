from __future__ import annotations

import numpy as np
import pytest

from linkwl import Graph, InputError, KnowledgeGraph, load_graph
from linkwl.graph.convert_rows import as_list, as_records

FACTS = [("ann", "knows", "bob"), ("bob", "likes", "cid"), ("cid", "likes", "ann")]


def dict_keys(rows):
    return dict.fromkeys(rows).keys()


@pytest.mark.parametrize("make", [set, frozenset, iter, tuple, lambda rows: (row for row in rows), dict_keys])
def test_rows_in_any_container(make):
    graph = load_graph(make(FACTS))
    assert isinstance(graph, KnowledgeGraph)
    assert graph.digest == load_graph(FACTS).digest
    pairs = [(head, tail) for head, _, tail in FACTS]
    assert load_graph(iter(pairs)).digest == load_graph(set(pairs)).digest == load_graph(pairs).digest


def test_the_order_of_a_set_is_fixed():
    assert as_list({("b", 2), ("a", "x"), (1, "a")}) == [("a", "x"), ("b", 2), (1, "a")]


def test_an_open_file_is_read_as_a_file(tmp_path):
    path = tmp_path / "g.csv"
    path.write_text("a,b\n")
    for mode in ("r", "rb"):
        with path.open(mode) as file:
            assert load_graph(file).intake.form == "comma-separated text"


def test_dictionaries_are_a_table():
    rows = [{"head": head, "relation": relation, "tail": tail, "since": 1} for head, relation, tail in FACTS]
    graph = load_graph(rows)
    assert graph.digest == load_graph(FACTS).digest
    assert graph.intake.form == "list of dictionaries"
    assert graph.intake.notes == ("triples from columns `head`, `relation` and `tail`", "ignored column `since`")
    edges = [{"source": 1, "target": 2, "weight": 0.5}, {"source": 2, "target": 3, "weight": 1.5}]
    graph = load_graph((row for row in edges), weight="weight")
    assert isinstance(graph, Graph)
    assert graph.edge_weight.tolist() == [0.5, 1.5]
    assert isinstance(load_graph([{"who": 1, "does": "r", "whom": 2}], relation="does"), KnowledgeGraph)


def test_keys_in_any_order():
    columns = as_records([{"a": 1, "b": 2}, {"b": 3}])
    assert {name: column.tolist() for name, column in columns.items()} == {"a": [1, None], "b": [2, 3]}
    assert as_records([("a", "b")]) is None
    assert as_records([]) is None


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"head": "a", "relation": "r", "tail": "b"}, {"head": "a", "tail": "b"}], "no relation in row 2"),
        ([{"source": "a", "target": "b"}, ("a", "b")], "row 2: expected a dictionary"),
        ([{1: "a", 2: "b"}], "row 1: expected a dictionary whose keys are names of columns"),
        ([{"x": "a", "y": "b", "z": "c"}], "nothing says which two hold the node ids"),
        ([("a", "r", "b"), ("a", "b")], "row 2 has length 2, row 1 has 3"),
        ([["a", "r", "b"], ["a", "r", "b", "c"]], "row 2 has length 4, row 1 has 3"),
        ([("a", "r", "b"), ("a", None, "b")], "row 2: the relation is missing"),
        ([("a", "r", "b"), ("b", "r", "a"), ("a", "r", None)], "row 3: the tail is missing"),
        ([["a", "b"], [None, "b"]], "row 2: the source is missing"),
        ([(1, 2, 3), (4, 2, 5), (1, 2, 5)], r"row 1: the relation 2 is not a text; .*`KnowledgeGraph.from_triples"),
        ({(1, 2, 3), (4, 2, 5)}, "`KnowledgeGraph.from_triples"),
        ([(0, 1, 0, 0)] * 4, "row 1: expected a pair or a triple, found a tuple of length 4"),
    ],
)
def test_what_is_refused(rows, words):
    with pytest.raises(InputError, match=words):
        load_graph(rows)


def test_lists_of_lists_and_arrays_may_be_matrices():
    path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert load_graph(path).num_edges == 2
    assert load_graph(np.array(path)).num_edges == 2
    assert load_graph(np.array([(1, 2, 3), (4, 2, 5), (1, 2, 5)])).num_nodes == 3
