"""The page on the tests tells the truth: its tables are what the code finds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from linkwl.datasets import CATALOGUE
from linkwl.reports.class_counts import class_counts_markdown
from linkwl.reports.relation_table import relations_markdown, witness_list_markdown
from linkwl.wl import compare
from linkwl.wl.relations import relation_table
from linkwl.wl.witnesses import GRAPHS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "weisfeiler-lehman.md").read_text(encoding="utf-8")


@pytest.mark.thorough
def test_its_relations_are_found_anew():
    assert relations_markdown(relation_table(6)) in PAGE


def test_its_class_counts_are_drawn_from_the_records():
    files = (ROOT / "results" / "wl").glob("*.jsonl")
    records = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    records.sort(key=lambda record: list(CATALOGUE).index(record["graph"]["name"]))
    assert class_counts_markdown(records) in PAGE


def test_its_list_of_witnesses_is_complete():
    assert witness_list_markdown() in PAGE


def test_its_pictures_are_there():
    for name in re.findall(r"\]\(figures/([\w.-]+)\)", PAGE):
        assert (ROOT / "docs" / "figures" / name).is_file()


def test_masking_hides_nothing_from_the_folklore_tests():
    """The example of the path on four nodes."""
    path = GRAPHS["p4"]
    verdicts = compare((path, (0, 1)), (path, (0, 2)), reading="masked")
    assert [test for test, verdict in verdicts.items() if verdict.equal] == ["1-wl", "local-2-wl", "2-wl"]


@pytest.mark.parametrize(("edge", "told_apart"), [((0, 3), False), ((0, 1), True)], ids=["rung", "triangle"])
def test_the_edge_of_the_prism_must_be_a_rung(edge, told_apart):
    verdict = compare((GRAPHS["k33"], (0, 3)), (GRAPHS["prism"], edge), tests=["1-wl"])["1-wl"]
    assert verdict.equal is not told_apart


def test_with_an_edge_taken_out_of_a_strongly_regular_graph_1_wl_sees_a_difference():
    rook, shrikhande = GRAPHS["rook"], GRAPHS["shrikhande"]
    assert not compare((rook, (0, 1)), (shrikhande, (0, 1)), tests=["1-wl"])["1-wl"].equal
