from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from linkwl.errors import InputError, OutputError
from linkwl.graph import Graph, load_graph
from linkwl.reports import colours
from linkwl.reports.colours import check_num_rows, report_colours, write_colours
from linkwl.wl import TESTS, refine

STAR = load_graph([("hub", "a"), ("hub", "b"), ("hub", "c")], name="star")


def test_a_report_of_nodes():
    report = report_colours(refine(STAR, "1-wl"), "fast")
    assert (report.rounds, report.history, report.classes) == (1, (1, 2), 2)
    assert (report.largest, report.singletons, report.verified) == ((3, 1), 1, None)
    facts = report.facts()
    assert facts["graph"] == "star, 4 nodes and 3 edges"
    assert facts["coloured"] == "4 nodes"
    assert facts["stable"] == "after 1 round of 1-wl"
    assert facts["classes"] == "2 (by round, from 0: 1, 2)"
    assert facts["largest classes"] == "3, 1"
    assert facts["certainty"].startswith("probability")


@pytest.mark.parametrize(
    ("test", "words", "total"), [("2-fwl", "16 ordered pairs of nodes", 16), ("1-wl+01", "12 links", 12)]
)
def test_a_report_of_pairs_and_links(test, words, total):
    report = report_colours(refine(STAR, test), "fast", verified=True)
    assert words in report.facts()["coloured"]
    assert report.largest is not None
    assert sum(report.largest) == total
    assert report.facts()["certainty"] == "exact: proved, without hashing"


@pytest.mark.parametrize(
    ("bound", "words"),
    [
        (0.0, "exact"),
        (3e-18, "probability of a missed split below 1 in 10^17"),
        (1e-9, "probability of a missed split below 1 in 10^9"),
        (0.3, "no bound for so many classes"),
    ],
)
def test_certainty_in_words(bound, words):
    assert replace(report_colours(refine(STAR, "1-wl"), "fast"), error_bound=bound).facts()["certainty"] == words


def test_a_failed_proof_is_loud():
    facts = report_colours(refine(STAR, "1-wl"), "fast", verified=False).facts()
    assert facts["certainty"] == "NOT stable: a split was missed"


def test_a_long_history_is_shortened():
    report = replace(report_colours(refine(STAR, "1-wl"), "fast"), history=tuple(range(1, 101)))
    assert report.facts()["classes"].endswith("1, 2, 3, 4, 5, 6, ..., 98, 99, 100)")
    assert len(report.to_json()["history"]) == 100


@pytest.mark.parametrize("block_rows", [1, 5, 1 << 20])
@pytest.mark.parametrize("test", TESTS)
def test_all_colours_are_written(tmp_path, monkeypatch, test, block_rows):
    monkeypatch.setattr(colours, "_BLOCK_ROWS", block_rows)
    colouring = refine(STAR, test)
    write_colours(colouring, tmp_path / "c.csv")
    write_colours(colouring, tmp_path / "c.parquet")
    table = pyarrow.csv.read_csv(tmp_path / "c.csv")
    assert table.equals(pq.read_table(tmp_path / "c.parquet"))
    if test == "1-wl":
        assert table["node"].to_pylist() == ["a", "b", "c", "hub"]
        assert table["colour"].to_pylist() == colouring.nodes.tolist()
        return
    ends = [table[name].to_pylist() for name in ("source", "target")]
    assert list(zip(*ends, strict=True)) == [(p, q) for p in STAR.ids for q in STAR.ids if p != q]
    pairs = np.stack([STAR.ids.indices(names) for names in ends], axis=1)
    assert table["colour"].to_pylist() == colouring.pairs(pairs).tolist()


def test_names_that_need_quotes(tmp_path):
    graph = load_graph([('x, "y"', "ann lee"), ("ann lee", "-1")])
    write_colours(refine(graph, "1-wl"), tmp_path / "c.csv")
    assert (tmp_path / "c.csv").read_text() == 'node,colour\n-1,0\nann lee,1\n"x, ""y""",0\n'


def test_a_table_that_nobody_would_read():
    large = Graph.from_pairs([(0, 1)], num_nodes=7_100)
    check_num_rows(large, "1-wl")
    with pytest.raises(InputError, match="50,402,900 rows, more than 50,000,000; write the colours of its nodes.*1-wl"):
        check_num_rows(large, "2-wl")
    check_num_rows(Graph.from_pairs([(0, 1)], num_nodes=7_000), "2-wl")


def test_nothing_is_left_behind_where_writing_fails(tmp_path):
    with pytest.raises(OutputError):
        write_colours(refine(STAR, "2-wl"), tmp_path / "no" / "c.csv")
    assert list(tmp_path.iterdir()) == []
