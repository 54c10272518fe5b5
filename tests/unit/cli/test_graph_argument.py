from __future__ import annotations

import pytest

from linkwl import InputError, UnknownNameError
from linkwl.cli.feature_options import Known
from linkwl.cli.graph_argument import open_graph, split_columns, with_columns
from linkwl.graph.reading import AS_DECLARED, Reading


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
    assert split_columns("who, 2,whom") == ["who", "2", "whom"]
    assert with_columns(AS_DECLARED, None) is AS_DECLARED
    assert with_columns(AS_DECLARED, "a,b,c") == Reading(head="a", relation="b", tail="c")
    for text in ("a,b", "a,b,c,d", "a,,c"):
        with pytest.raises(InputError, match=f"--columns {text}: expected three columns"):
            split_columns(text)


def test_a_file_of_triples(tmp_path):
    (tmp_path / "facts.csv").write_text("who,does,whom\nann,knows,bob\n")
    (tmp_path / "types.csv").write_text("entity,type\nann,person\n")
    graph = open_graph(
        str(tmp_path / "facts.csv"), reading=Reading(type="does"), known=Known(types=tmp_path / "types.csv")
    )
    assert (graph.num_facts, list(graph.relations), graph.types.of(0)) == (1, ["knows"], ["person"])


def test_a_dataset_has_no_columns(tmp_path):
    with pytest.raises(InputError, match="--relation says how to read a file, and airports is in the catalogue"):
        open_graph("airports", reading=Reading(relation="does"))
    with pytest.raises(InputError, match="--skip-bad says how to read a file"):
        open_graph("airports", reading=Reading(skip_bad=True))
    with pytest.raises(InputError, match="an undirected graph has no directions to keep"):
        open_graph("airports", reading=Reading(directed=True))
    assert open_graph("airports", reading=Reading(directed=False)).num_nodes == 352
    with pytest.raises(InputError, match="types are of the entities in a file, and airports is in the catalogue"):
        open_graph("airports", known=Known(types=tmp_path / "types.csv"))
