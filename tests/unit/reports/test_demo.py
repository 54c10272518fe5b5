from __future__ import annotations

import csv
import html
from dataclasses import replace

import numpy as np
import pytest

from linkwl.datasets import airport_table, load_airports
from linkwl.reports.demo import write_demo


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def routes(folder, summary):
    return write_demo(summary, airport_table(), folder)


def test_the_routes_are_missing_ones_best_first(routes):
    graph = load_airports()
    ends = [graph.ids.indices([route.source.code, route.target.code]) for route in routes]
    assert not graph.has_edges(np.array(ends)).any()
    scores = [route.link.score for route in routes]
    assert scores == sorted(scores, reverse=True)
    assert len(routes) == 15


def test_a_known_distance(routes):
    table = airport_table()
    route = replace(routes[0], source=table["JFK"], target=table["LAX"])
    assert route.distance_km == pytest.approx(3983, rel=0.005)  # on the ellipsoid; a sphere is half a percent off


def test_the_files_agree_with_each_other(routes, summary, folder):
    with (folder / "missing_routes.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["source"], row["target"]) for row in rows] == [(r.source.code, r.target.code) for r in routes]
    page = (folder / "index.html").read_text()
    assert all(html.escape(row["source_name"]).replace("&#x27;", "&#39;") in page for row in rows)
    assert f"{100 * summary.record.test['auc']:.1f} %" in page
    assert (folder / "map.svg").read_text().startswith("<?xml")
    assert (folder / "map.png").read_bytes().startswith(b"\x89PNG")
