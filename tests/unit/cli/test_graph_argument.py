from __future__ import annotations

import pytest

from linkwl import InputError, UnknownNameError
from linkwl.cli.graph_argument import open_graph, split_columns, triple_columns
from linkwl.graph.triple_columns import ANY_COLUMNS, TripleColumns


def test_a_name_is_looked_up_before_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "airports").write_text("a,b\n")
    assert open_graph("airports").num_nodes == 352
    assert open_graph("./airports").num_nodes == 2


def test_what_is_neither_a_name_nor_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownNameError, match="unknown dataset 'airport'; did you mean 'airports'"):
        open_graph("airport")
    with pytest.raises(InputError, match=r"airports.csv: no such file"):
        open_graph("airports.csv")


def test_columns_of_triples():
    assert triple_columns(None, None, None) == ANY_COLUMNS
    assert triple_columns("a", "2", None) == TripleColumns("a", "2", None)
    assert triple_columns("1", "none", "2") == TripleColumns("1", False, "2")
    assert split_columns(None) == ANY_COLUMNS
    assert split_columns("who, 2,whom") == TripleColumns("who", "2", "whom")
    for text in ("a,b", "a,b,c,d", "a,,c"):
        with pytest.raises(InputError, match=f"--columns {text}: expected three columns"):
            split_columns(text)


def test_a_file_of_triples(tmp_path):
    (tmp_path / "facts.csv").write_text("who,does,whom\nann,knows,bob\n")
    (tmp_path / "types.csv").write_text("entity,type\nann,person\n")
    graph = open_graph(
        str(tmp_path / "facts.csv"), columns=TripleColumns(relation="does"), types=tmp_path / "types.csv"
    )
    assert (graph.num_facts, list(graph.relations), graph.types.of(0)) == (1, ["knows"], ["person"])


def test_a_dataset_has_no_columns(tmp_path):
    with pytest.raises(InputError, match="name columns of a file, and airports is in the catalogue"):
        open_graph("airports", columns=TripleColumns(relation="does"))
    with pytest.raises(InputError, match="types are of the entities in a file, and airports is in the catalogue"):
        open_graph("airports", types=tmp_path / "types.csv")
