from __future__ import annotations

import pytest
from rich.console import Console

from linkwl import load_graph
from linkwl.reports.verdicts import (
    describe_certainty,
    describe_comparison,
    describe_graph,
    describe_reading,
    verdict_table,
)
from linkwl.wl import READINGS, Verdict

PATH = load_graph([("ann", "bob"), ("bob", "cid")])
EDGE, OTHER_EDGE, NON_EDGE = (PATH, (0, 1)), (PATH, (1, 2)), (PATH, (0, 2))


def test_the_table():
    console = Console(width=80)
    with console.capture() as capture:
        console.print(verdict_table({"1-wl": Verdict(True, None), "2-fwl": Verdict(False, 1)}))
    rows = [line.split("  ") for line in capture.get().splitlines()]
    assert [[cell.strip() for cell in row if cell.strip()] for row in rows] == [
        ["test", "verdict", "round"],
        ["1-wl", "cannot tell them apart", "-"],
        ["2-fwl", "different", "1"],
    ]


def test_what_is_compared():
    assert describe_comparison(EDGE, NON_EDGE, ("g", "g")) == "(ann, bob) against (ann, cid) in g"
    assert describe_comparison(EDGE, NON_EDGE, ("g", "h")) == "(ann, bob) in g against (ann, cid) in h"


@pytest.mark.parametrize("reading", READINGS)
def test_there_may_be_nothing_to_hide(reading):
    assert describe_reading(reading, NON_EDGE, NON_EDGE, ("g", "h")) == (
        "neither link is an edge, so there is nothing to hide"
    )


@pytest.mark.parametrize(
    ("reading", "sentence"),
    [
        ("removed", "the edge (ann, bob) was removed from h: it is the target"),
        ("masked", "the edge (ann, bob) stays in h, and only its own colour as the target is blanked"),
        ("visible", "nothing is hidden, and (ann, bob) is an edge of h"),
    ],
)
def test_what_becomes_of_an_edge(reading, sentence):
    assert describe_reading(reading, NON_EDGE, EDGE, ("g", "h")) == sentence


@pytest.mark.parametrize(
    ("reading", "sentence"),
    [
        ("removed", "were removed, each for its own link: they are the targets"),
        ("masked", "stay, and only their own colours as the targets are blanked"),
        ("visible", "are edges"),
    ],
)
def test_what_becomes_of_two_edges(reading, sentence):
    told = describe_reading(reading, EDGE, OTHER_EDGE, ("g", "g"))
    assert f"(ann, bob) of g and (bob, cid) of g {sentence}" in told
    assert "(ann, bob) of g and (ann, bob) of h" in describe_reading(reading, EDGE, EDGE, ("g", "h"))


def test_only_links_called_equal_are_uncertain():
    verdicts = {"1-wl": Verdict(True, None, 1e-9), "2-wl": Verdict(True, None, 3e-8), "2-fwl": Verdict(False, 1)}
    assert (
        describe_certainty(verdicts) == "certainty where links are equal: probability of a missed split below 1 in 10^7"
    )
    assert describe_certainty({"2-fwl": Verdict(False, 1)}) == "certainty where links are equal: exact"


def test_what_was_read(tmp_path):
    (tmp_path / "g.csv").write_text("author1,author2\nann,bob\nbob,cid\n")
    text = describe_graph(load_graph(tmp_path / "g.csv"), "g.csv")
    assert text.startswith("g.csv: 3 nodes, 2 edges; ")
    assert "header" in text
    assert describe_graph(PATH.without([(0, 1)]), "path") == "path: 3 nodes, 1 edges"
