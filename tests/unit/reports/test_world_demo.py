from __future__ import annotations

import csv
import html

import numpy as np
import pytest

import triple_model
from linkwl import LinkPredictor
from linkwl.datasets import load_world, place_table
from linkwl.predict.summary import summarise
from linkwl.reports.world_demo import CREDIT, write_world_demo


@pytest.fixture(scope="module")
def summary():
    with pytest.MonkeyPatch.context() as patch:
        triple_model.register(patch)
        return summarise(LinkPredictor("toy-triple").fit(load_world()))


def test_the_files_agree_with_each_other(summary, tmp_path):
    facts = write_world_demo(summary, place_table(), tmp_path / "demo")
    with (tmp_path / "demo" / "missing_facts.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["head"], row["relation"], row["tail"]) for row in rows] == [fact[:3] for fact in facts]
    assert len(rows) == 15
    page = (tmp_path / "demo" / "index.html").read_text()
    assert all(html.escape(row["head"]).replace("&#x27;", "&#39;") in page for row in rows)
    assert html.escape(CREDIT) in page
    drawing = (tmp_path / "demo" / "map.svg").read_text()
    assert drawing.startswith("<?xml")
    assert (tmp_path / "demo" / "map.png").read_bytes().startswith(b"\x89PNG")


def test_what_is_predicted_is_not_known(summary):
    assert not load_world().contains(summary.top.queries).any()
    ranked = set(summary.triples.best.queries[:, 1].tolist())
    functional = set(np.flatnonzero(load_world().functional.one_tail).tolist())
    assert ranked == set(range(12)) - functional  # of these every head has its tail
