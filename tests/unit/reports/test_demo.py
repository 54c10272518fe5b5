from __future__ import annotations

import csv
import html
import json
from dataclasses import replace

import numpy as np
import pytest

from linkwl.datasets import airport_table, load_airports
from linkwl.reports.demo import run_demo


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def demo(folder):
    return run_demo(folder, seeds=2, top_k=5)


def test_the_best_model_is_chosen_on_validation_links(demo):
    valid = {}
    for run in demo.evaluation.runs:
        valid.setdefault(run.model, []).append(run.valid["auc"])
    assert np.mean(valid[demo.best]) == max(map(np.mean, valid.values()))


def test_the_routes_are_missing_ones_best_first(demo):
    graph = load_airports()
    ends = [graph.ids.indices([route.source.code, route.target.code]) for route in demo.routes]
    assert not graph.has_edges(np.array(ends)).any()
    scores = [route.score for route in demo.routes]
    assert scores == sorted(scores, reverse=True)
    for route, (p, q) in zip(demo.routes, ends, strict=True):
        assert set(route.shared) == {
            str(graph.ids[int(v)]) for v in set(graph.neighbours(p)) & set(graph.neighbours(q))
        }


def test_a_known_distance(demo):
    table = airport_table()
    route = replace(demo.routes[0], source=table["JFK"], target=table["LAX"])
    assert route.distance_km == pytest.approx(3983, rel=0.005)  # on the ellipsoid; a sphere is half a percent off


def test_the_files_agree_with_each_other(demo, folder):
    with (folder / "missing_routes.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["source"], row["target"]) for row in rows] == [(r.source.code, r.target.code) for r in demo.routes]
    page = (folder / "index.html").read_text()
    assert all(html.escape(row["source_name"]).replace("&#x27;", "&#39;") in page for row in rows)
    record = json.loads((folder / "evaluation.json").read_text())
    mean = record["summary"][demo.best]["auc"]["mean"]
    assert f"{100 * mean:.2f} ±" in page
    assert (folder / "map.svg").read_text().startswith("<?xml")
    assert (folder / "map.png").read_bytes().startswith(b"\x89PNG")
