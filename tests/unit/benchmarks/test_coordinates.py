"""The benchmark of coordinates on a graph of its own."""

from __future__ import annotations

import sys

import networkx as nx
import pytest

from linkwl import load_graph
from pages import ROOT


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    yield pytest.importorskip("coordinates")
    for name in ("coordinates", "package_graphs", "measure"):
        sys.modules.pop(name, None)


def test_a_run_counts_the_hidden_links_that_come_first(script, monkeypatch):
    graph = load_graph(nx.random_geometric_graph(100, 0.2, seed=0), features=True)
    monkeypatch.setitem(script.GRAPHS, "squares", lambda: graph)
    figure = script.measure(script.Run("squares", "ra", True))
    assert figure["hidden"] == graph.num_edges // 10
    assert 0.3 < figure["value"] < 1
    assert figure["what"] == "precision of ra on squares with places"


def test_the_table_has_a_dash_for_a_run_that_is_missing(script):
    def figure(graph, model, has_places, value):
        return {"graph": graph, "model": model, "has_places": has_places, "value": value, "hidden": 1234}

    figures = [figure("airports", "walk-2fwl", True, 0.5), figure(script.DRAWN, "boosting", False, 0.25)]
    *_, first, last = script.markdown(figures).splitlines()
    assert first == "| airports | 1,234 | – | 50.0 % | – | – |"
    assert last == "| polish grid (places drawn from its lines) | 1,234 | – | – | 25.0 % | – |"
