from __future__ import annotations

import csv
import json
import re

import pyarrow.parquet as pq
import pytest

from linkwl.errors import MemoryLimitError
from linkwl.reports import wl_figures
from linkwl.wl import TESTS
from linkwl.wl.colouring import NodeColouring
from linkwl.wl.witnesses import GRAPHS, WITNESSES

DIRECTED = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">
<node id="a"/><node id="b"/><node id="c"/>
<edge source="a" target="b"/><edge source="b" target="c"/></graph></graphml>"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "path.csv").write_text("a,b\nb,c\nc,d\nd,e\ne,f\n")
    (tmp_path / "path.graphml").write_text(DIRECTED)
    return tmp_path


def plain(text: str) -> str:
    """Words with single spaces between them."""
    return " ".join(text.split())


@pytest.mark.parametrize("command", [(), ("compare",), ("refine",), ("table",), ("figures",)])
def test_help_has_an_example(linkwl, command):
    code, out, _ = linkwl("wl", *command, "--help")
    assert code == 0
    assert re.search(r"Examples?\b", out)
    assert f"linkwl wl {' '.join(command)}".strip() in out


def test_help_names_the_tests_and_the_small_graphs(linkwl):
    _, out, _ = linkwl("wl", "--help")
    assert all(name in out for name in GRAPHS)
    for command in ("compare", "refine"):
        _, out, _ = linkwl("wl", command, "--help")
        assert "shrikhande" in out
        assert all(test in out for test in TESTS)


class TestCompare:
    def test_two_links_of_one_graph(self, linkwl_json):
        result = linkwl_json("wl", "compare", "path.csv", "--link", "a", "c", "--link", "a", "d")
        assert list(result["tests"]) == list(TESTS)
        assert result["tests"]["2-wl"] == {"equal": True, "round": None}
        assert result["tests"]["2-fwl"] == {"equal": False, "round": 1}
        assert (result["reading"], result["links"]) == ("removed", [["a", "c"], ["a", "d"]])
        assert [graph["name"] for graph in result["graphs"]] == ["path", "path"]

    def test_links_of_two_graphs(self, linkwl_json):
        result = linkwl_json("wl", "compare", "rook", "--link", 0, 5, "shrikhande", "--link", 0, 6)
        assert [test for test in TESTS if not result["tests"][test]["equal"]] == ["1-wl+01", "1-wl+drnl"]
        assert [graph["name"] for graph in result["graphs"]] == ["rook", "shrikhande"]

    @pytest.mark.parametrize("witness", WITNESSES.values(), ids=WITNESSES)
    def test_every_witness_by_name(self, linkwl_json, witness):
        (first, link), (second, other) = witness.first, witness.second
        options = ("--tests", "1-wl,local-2-wl", "--engine", "exact")
        result = linkwl_json("wl", "compare", first.name, "--link", *link, second.name, "--link", *other, *options)
        assert result["tests"] == {test: {"equal": True, "round": None} for test in ("1-wl", "local-2-wl")}

    def test_the_table_has_a_verdict_for_every_test(self, linkwl):
        code, out, err = linkwl("wl", "compare", "p6", "--link", 0, 2, "--link", 0, 3)
        assert (code, out) == (0, "")
        assert "(0, 2) against (0, 3) in p6" in err
        assert "2-wl cannot tell them apart -" in plain(err)
        assert "2-fwl different 1" in plain(err)

    @pytest.mark.parametrize(
        ("options", "words", "round_of_2_wl"),
        [
            ((), "the edge (a, b) was removed from path.csv: it is the target", 1),
            (("--reading", "masked"), "the edge (a, b) stays in path.csv", 2),
            (("--reading", "visible"), "nothing is hidden, and (a, b) is an edge of path.csv", 0),
        ],
    )
    def test_the_reading_is_told(self, linkwl, options, words, round_of_2_wl):
        code, out, err = linkwl(
            "wl", "compare", "path.csv", "--link", "a", "b", "--link", "a", "c", *options, "--json=-"
        )
        assert code == 0
        assert words in err
        assert json.loads(out)["tests"]["2-wl"]["round"] == round_of_2_wl

    def test_tests_are_told_in_the_order_asked_for(self, linkwl_json):
        result = linkwl_json("wl", "compare", "p6", "--link", 0, 2, "--link", 0, 3, "--tests", "2-fwl,1-wl,1-wl+01")
        assert list(result["tests"]) == ["2-fwl", "1-wl", "1-wl+01"]

    def test_names_with_spaces_dashes_and_commas(self, linkwl_json, folder):
        (folder / "odd.csv").write_text('ann lee,-1\n-1,"x, y"\n"x, y",--z\n')
        command = ("wl", "compare", "odd.csv", "--link", "ann lee", "x, y", "--link", "--z", "-1")
        result = linkwl_json(*command)
        assert result["links"] == [["ann lee", "x, y"], ["--z", "-1"]]
        assert all(verdict["equal"] for verdict in result["tests"].values())

    def test_labels_of_one_graph(self, linkwl_json, folder):
        (folder / "kinds.csv").write_text("node,label\nf,x\na,x\nb,y\nc,y\nd,z\ne,y\n")
        command = ("wl", "compare", "path.csv", "--link", "a", "c", "--link", "f", "d", "--tests", "1-wl")
        assert linkwl_json(*command)["tests"]["1-wl"]["equal"]
        assert linkwl_json(*command, "--labels", "kinds.csv")["tests"]["1-wl"] == {"equal": False, "round": 0}

    def test_labels_of_two_graphs(self, linkwl_json, folder):
        (folder / "one.csv").write_text("node,label\n0,x\n1,y\n2,x\n")
        (folder / "other.csv").write_text("node,label\n2,x\n0,z\n1,y\n")
        command = (
            "wl",
            "compare",
            "p3",
            "--link",
            0,
            2,
            "p3",
            "--link",
            2,
            0,
            "--tests",
            "1-wl",
            "--labels",
            "one.csv",
        )
        assert linkwl_json(*command)["tests"]["1-wl"]["equal"]
        assert linkwl_json(*command, "--labels", "one.csv")["tests"]["1-wl"]["equal"]
        assert linkwl_json(*command, "--labels", "other.csv")["tests"]["1-wl"] == {"equal": False, "round": 0}

    def test_directions_are_forgotten_when_asked(self, linkwl_json):
        command = ("wl", "compare", "path.graphml", "--link", "a", "c", "--link", "c", "a", "--undirected")
        assert all(verdict["equal"] for verdict in linkwl_json(*command)["tests"].values())


class TestRefine:
    def test_what_is_written(self, linkwl_json):
        result = linkwl_json("wl", "refine", "path.csv", "--test", "1-wl")
        assert result.pop("graph")["name"] == "path"
        assert 0 < result.pop("error_bound") < 1e-9
        assert result == {
            "test": "1-wl",
            "unit": "node",
            "engine": "fast",
            "rounds": 2,
            "history": [1, 2, 3],
            "classes": 3,
            "largest": [2, 2, 2],
            "singletons": 0,
            "verified": None,
        }

    @pytest.mark.parametrize("test", TESTS)
    def test_the_engines_agree(self, linkwl_json, test):
        fast, exact = (linkwl_json("wl", "refine", "prism", "--test", test, "--engine", e) for e in ("fast", "exact"))
        assert exact.pop("error_bound") == 0 < fast.pop("error_bound")
        assert (fast.pop("engine"), exact.pop("engine")) == ("fast", "exact")
        assert fast == exact

    def test_what_people_read(self, linkwl):
        code, out, err = linkwl("wl", "refine", "airports", "--test", "1-wl")
        assert (code, out) == (0, "")
        text = plain(err)
        assert "352 nodes" in text
        assert "after 3 rounds" in text
        assert re.search(r"probability of a missed split below 1 in 10\^\d\d", text)
        _, _, err = linkwl("wl", "refine", "airports", "--test", "1-wl", "--verify")
        assert "certainty exact: proved, without hashing" in plain(err)
        _, _, err = linkwl("wl", "refine", "p6", "--test", "2-fwl", "--engine", "exact")
        assert "certainty exact" in plain(err)

    @pytest.mark.parametrize("test", ["1-wl", "local-2-wl", "2-wl", "local-2-fwl", "2-fwl"])
    def test_a_proof(self, linkwl_json, test):
        assert linkwl_json("wl", "refine", "gadget36", "--test", test, "--verify")["verified"] is True

    def test_a_colouring_that_is_not_stable(self, linkwl, monkeypatch):
        monkeypatch.setattr("linkwl.wl.verify", lambda colouring, memory_limit: False)
        code, out, err = linkwl("wl", "refine", "p6", "--test", "2-fwl", "--verify", "--json", "-")
        assert code == 1
        assert "NOT stable" in err
        assert json.loads(out)["verified"] is False

    def test_labels(self, linkwl_json, folder):
        (folder / "kinds.csv").write_text("node;label\na;x\nb;y\nc;y\nd;y\ne;y\nf;z\n")
        assert linkwl_json("wl", "refine", "path.csv", "--test", "1-wl", "--labels", "kinds.csv")["classes"] == 6

    def test_colours_of_nodes(self, linkwl, folder):
        code, _, err = linkwl("wl", "refine", "path.csv", "--test", "1-wl", "--out", "colours.csv")
        assert code == 0
        assert "wrote the colours to colours.csv" in err
        rows = list(csv.reader((folder / "colours.csv").read_text().splitlines()))
        assert rows == [["node", "colour"], ["a", "0"], ["b", "1"], ["c", "2"], ["d", "2"], ["e", "1"], ["f", "0"]]

    @pytest.mark.parametrize("test", [test for test in TESTS if test != "1-wl"])
    def test_colours_of_pairs(self, linkwl_json, folder, test):
        result = linkwl_json("wl", "refine", "path.csv", "--test", test, "--out", "colours.csv")
        head, *rows = csv.reader((folder / "colours.csv").read_text().splitlines())
        assert head == ["source", "target", "colour"]
        assert [(p, q) for p, q, _ in rows] == [(p, q) for p in "abcdef" for q in "abcdef" if p != q]
        on_diagonal = 0 if result["unit"] == "link" else 3
        assert len({colour for _, _, colour in rows}) == result["classes"] - on_diagonal

    def test_colours_as_parquet(self, linkwl, folder):
        assert linkwl("wl", "refine", "path.csv", "--test", "2-fwl", "--out", "colours.parquet")[0] == 0
        table = pq.read_table(folder / "colours.parquet")
        assert (table.column_names, table.num_rows) == (["source", "target", "colour"], 30)

    def test_colours_can_be_labels(self, linkwl, linkwl_json):
        assert linkwl("wl", "refine", "path.csv", "--test", "1-wl", "--out", "colours.csv")[0] == 0
        result = linkwl_json("wl", "refine", "path.csv", "--test", "1-wl", "--labels", "colours.csv")
        assert (result["rounds"], result["history"]) == (0, [3])

    def test_sizes_are_left_out_where_there_are_too_many(self, linkwl, monkeypatch):
        def refuse(self):
            raise MemoryLimitError("too many")

        monkeypatch.setattr(NodeColouring, "class_sizes", property(refuse))
        code, out, err = linkwl("wl", "refine", "p6", "--test", "2-wl", "--json", "-")
        assert code == 0
        assert "omitted: there are too many classes" in err
        result = json.loads(out)
        assert (result["largest"], result["singletons"], result["classes"]) == (None, None, 16)


class TestTable:
    def test_it_is_shown_and_written(self, linkwl, folder):
        code, out, err = linkwl("wl", "table", "--max-nodes", 4, "--markdown", "table.md", "--json", "-")
        assert code == 0
        assert json.loads(out)["max_nodes"] == 4
        assert "none violated" in err
        assert "paper" in err
        assert "| 1-wl | 2-wl |" in (folder / "table.md").read_text()

    def test_a_violation_is_an_exit_code(self, linkwl, monkeypatch):
        import linkwl.wl.relations as relations

        monkeypatch.setattr(relations, "CONTAINMENTS", (("2-fwl", "1-wl", "any"),))
        code, _, err = linkwl("wl", "table", "--max-nodes", 4)
        assert code == 1
        assert "violated" in err


def test_figures_are_written(linkwl, linkwl_json, folder, monkeypatch):
    monkeypatch.setattr(wl_figures, "WITNESSES", {"W1": WITNESSES["W1"]})
    monkeypatch.setattr(wl_figures, "FIGURES", {})
    code, _, err = linkwl("wl", "figures", "--out", "a/b")
    assert code == 0
    assert "wrote 2 files to a/b: w1, each as .svg and .png" in err
    assert linkwl_json("wl", "figures", "--out", "a/b")["files"] == ["a/b/w1.svg", "a/b/w1.png"]
    assert {path.name for path in (folder / "a" / "b").iterdir()} == {"w1.svg", "w1.png"}
