from __future__ import annotations

import numpy as np
import pytest

import linkwl
from linkwl.graph.attributes import Attributes
from linkwl.graph.positions import Positions
from linkwl.serving import drawing
from linkwl.serving.drawing import drawing_of, shown_nodes
from linkwl.serving.state import Served
from served import airports


@pytest.fixture
def opened():
    served = Served()
    yield served.open(airports())
    served.close()


def test_of_a_large_graph_some_nodes_are_drawn(opened, monkeypatch):
    monkeypatch.setattr(drawing, "MOST_NODES", 300)
    found = drawing_of(opened)
    nodes = found["shown"]
    assert len(nodes) == 300 == len(found["x"]) == len(found["degree"])
    assert set(np.unique(opened.top.queries)) <= set(nodes)
    edges = np.array(nodes)[np.array(found["edges"]).reshape(-1, 2)]
    assert opened.graph.contains(edges).all()
    inside = np.isin(opened.graph.edges, nodes).all(axis=1)
    assert len(edges) == inside.sum()
    assert found["num_nodes"] == 352


def test_the_number_of_edges_is_bounded(opened, monkeypatch):
    monkeypatch.setattr(drawing, "MOST_EDGES", 500)
    assert 0 < len(drawing_of(opened)["edges"]) <= 1000
    assert len(shown_nodes(opened)) < 352


def test_a_plane_has_its_coordinates_and_gaps():
    graph = airports().graph_
    places = np.random.default_rng(0).random((graph.num_nodes, 2))
    places[5] = np.nan
    plane = graph.with_attributes(Attributes((), (), Positions(places, "plane"), None))
    served = Served()
    found = drawing_of(served.open(linkwl.LinkPredictor("ra").fit(plane)))
    served.close()
    assert (found["kind"], found["metric"]) == ("network", "plane")
    assert found["x"][5] is None and found["y"][5] is None
    assert found["x"][6] == pytest.approx(places[6, 0], abs=1e-5)
