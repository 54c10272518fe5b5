from __future__ import annotations

import base64
import hashlib
import re

import numpy as np
import pytest

from linkwl import load_graph
from linkwl.predict.held_out_figures import Estimate
from linkwl.predict.ranking import Ranking
from linkwl.reports.pages import breakable, csv_address, percent, range_text, render_page
from studies import SPACE, study_of_twelve


@pytest.fixture
def page(tmp_path):
    from linkwl.reports.study_page import write_study_page

    write_study_page(study_of_twelve(), SPACE, {}, tmp_path / "study.html")
    return (tmp_path / "study.html").read_text(encoding="utf-8")


def test_the_policy_names_the_script(page):
    (script,) = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#39;", "'")
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


def test_the_style_is_inside(page):
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    assert "@import" not in page
    assert "url(" not in page


def test_a_template_without_its_values_is_refused():
    with pytest.raises(Exception, match="title"):
        render_page("layout.html", {})


def test_a_ranking_as_an_address():
    graph = load_graph([("a,b", "c"), ("c", "d")])
    ranking = Ranking(graph.query_columns, np.array([[0, 2]], dtype=np.int32), np.array([1.5]), np.array([0.25]))
    text = base64.b64decode(csv_address(ranking).removeprefix("data:text/csv;base64,")).decode()
    header, row = text.splitlines()
    assert header.replace('"', "") == "source,target,score,probability,rank"
    assert row.startswith('"a,b",')


@pytest.mark.parametrize(("value", "text"), [(1.0, "100.0"), (0.9999, "99.9"), (0.5, "50.0"), (0.0, "0.0")])
def test_only_all_is_a_hundred(value, text):
    assert percent(value) == text


def test_bounds_in_percent():
    assert range_text(Estimate(0.9, 0.87, 0.925)) == "87.0–92.5"


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Liechtenstein borders Switzerland", "Liechtenstein borders Switzerland"),
        ("/people/person", "/<wbr>people/<wbr>person"),
        ("x_1.b", "x_<wbr>1.<wbr>b"),
        ("<b>", "&lt;b&gt;"),
        ("a" * 30, f"{'a' * 10}<wbr>{'a' * 10}<wbr>{'a' * 10}"),
        (12, "12"),
    ],
)
def test_lines_break_at_separators_and_in_long_words(text, made):
    assert str(breakable(text)) == made
