from __future__ import annotations

from pathlib import Path

import pytest

from linkwl import InputError, UnknownNameError, load_graph
from linkwl.cli.wl_arguments import (
    GRAPH_NAMES,
    TEST_NAMES,
    check_label_files,
    choose_tests,
    find_link,
    limit_in_bytes,
    open_wl_graph,
)
from linkwl.graph.reading import Reading
from linkwl.wl import TESTS
from linkwl.wl.witnesses import GRAPHS


def test_the_names_in_the_help_are_those_of_the_library():
    assert TEST_NAMES.split(", ") == list(TESTS)
    assert GRAPH_NAMES.split(", ") == list(GRAPHS)


class TestGraphs:
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)

    def test_a_witness_has_a_name(self):
        assert open_wl_graph("rook") is GRAPHS["rook"]

    def test_a_file_of_that_name_comes_first(self):
        Path("rook").write_text("a,b\n")
        assert open_wl_graph("rook").num_nodes == 2

    def test_triples_are_read_as_links_if_asked(self):
        Path("facts.csv").write_text("head,relation,tail\na,r,b\nb,s,a\nb,s,c\nc,s,c\n")
        with pytest.raises(InputError, match="these are triples, .* ignore relations and directions with --undirected"):
            open_wl_graph("facts.csv")
        assert open_wl_graph("facts.csv", Reading(directed=False)).edges.tolist() == [[0, 1], [1, 2]]

    def test_datasets_and_files_are_found_as_ever(self):
        Path("g.csv").write_text("a,b\n")
        assert open_wl_graph("airports").num_nodes == 352
        assert open_wl_graph("g.csv", Reading(directed=False)).num_nodes == 2

    def test_near_names_of_both_kinds_are_offered(self):
        with pytest.raises(UnknownNameError, match="unknown graph 'rok'; did you mean 'rook'"):
            open_wl_graph("rok")
        with pytest.raises(UnknownNameError, match="'airports'.*no file of that name either"):
            open_wl_graph("airport")
        with pytest.raises(InputError, match="rook.csv: no such file"):
            open_wl_graph("rook.csv")


def test_tests_by_name():
    assert choose_tests(TEST_NAMES) == list(TESTS)
    assert choose_tests("2-wl, 1-wl,,2-wl") == ["2-wl", "1-wl"]
    with pytest.raises(InputError, match="no test named; choose from 1-wl, local-2-wl"):
        choose_tests(" ,")
    with pytest.raises(UnknownNameError, match="unknown test '2wl'; did you mean '2-wl'"):
        choose_tests("1-wl,2wl")


def test_links_by_the_names_in_the_file():
    graph = load_graph([("ann", "bob"), ("bob", "cid")])
    assert find_link(graph, "g.csv", ("cid", "ann")) == (2, 0)
    with pytest.raises(InputError, match="g.csv: unknown node 'bub'; did you mean 'bob'"):
        find_link(graph, "g.csv", ("ann", "bub"))


def test_as_many_files_of_labels_as_graphs():
    check_label_files([], 2)
    check_label_files([Path("a")], 1)
    check_label_files([Path("a"), Path("b")], 2)
    with pytest.raises(InputError, match="1 file of labels is given for 2 graphs;.*--labels A.csv --labels B.csv"):
        check_label_files([Path("a")], 2)
    with pytest.raises(InputError, match="2 files of labels are given for 1 graph"):
        check_label_files([Path("a"), Path("b")], 1)


def test_memory_in_gigabytes():
    assert limit_in_bytes(None) is None
    assert limit_in_bytes(0.5) == 5e8
    for bad in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InputError, match="above 0"):
            limit_in_bytes(bad)
