from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from linkwl.graph.node_ids import NodeIds
from linkwl.predict import Ranking
from linkwl.predict.method import Search
from linkwl.predict.ranking_view import MOST_LINES, MOST_ROWS, percent


def make(count, name="n", **fields):
    ids = NodeIds(pa.array([f"{name}{k:02d}" for k in range(count + 1)]))
    queries = np.stack([np.zeros(count, dtype=np.int32), np.arange(1, count + 1, dtype=np.int32)], axis=1)
    scores = 4.0 - np.arange(count)
    return Ranking({"source": ids, "target": ids}, queries, scores, 1 / (6 - scores), **fields)


def test_the_first_rows_are_printed():
    few, many = repr(make(2)).splitlines(), repr(make(MOST_LINES + 1234)).splitlines()
    assert few[0] == "2 links"
    assert few[1].split() == ["rank", "source", "target", "probability", "score"]
    assert few[2].split() == ["1", "n00", "n01", "50.0", "%", "4.000"]
    assert len(many) == MOST_LINES + 3
    assert many[-1] == "... and 1,234 more"
    assert repr(make(0)) == "0 links"
    assert repr(make(1)).startswith("1 link\n")


@pytest.mark.parametrize(
    ("score", "text"), [(6.96, "6.960"), (0.00012, "0.0001200"), (34596.0, "34,596"), (-2.0, "-2.000")]
)
def test_scores_have_four_digits(score, text):
    ranking = replace(make(1), scores=np.array([score]))
    assert repr(ranking).splitlines()[-1].split()[-1] == text


def test_columns_are_aligned():
    lines = repr(make(3)).splitlines()[1:]
    assert len({line.index(name) for line, name in zip(lines, ["source", "n00", "n00", "n00"], strict=True)}) == 1
    assert len({len(line) for line in lines}) == 1


def test_a_notebook_shows_more_and_how_they_were_found():
    made = make(MOST_ROWS + 1, search=Search("exact", "it was asked for"))._repr_html_()
    assert made.count("<tr") == MOST_ROWS + 1
    assert "and 1 more" in made
    assert "ranking is exact: it was asked for." in made


def test_names_cannot_break_out():
    ranking = make(1, name="<script>\x1b")
    assert "<script>" not in ranking._repr_html_()
    assert "\x1b" not in repr(ranking)
    assert len(max(repr(make(1, name="long " * 40)).splitlines(), key=len)) < 160


@pytest.mark.parametrize(("share", "text"), [(1.0, "100.0 %"), (0.01, "1.0 %"), (0.00999, "1 %"), (0.0, "0 %")])
def test_percent(share, text):
    assert percent(share) == text
