from __future__ import annotations

from importlib.resources import files

from linkwl.datasets import CATALOGUE, airport_table, load_airports


def test_graph_is_the_one_in_the_catalogue():
    graph, dataset = load_airports(), CATALOGUE["airports"]
    assert graph.name == "airports" and not graph.is_directed
    assert (graph.num_nodes, graph.num_edges) == (dataset.num_nodes, dataset.num_edges) == (352, 3017)
    assert (graph.intake.self_loops, graph.intake.duplicates, graph.intake.reversed_duplicates) == (0, 0, 0)
    assert graph.degree.min() >= 1
    assert graph.has_edges([graph.ids.indices(["SFO", "JFK"])]).all()


def test_every_node_has_its_row():
    airports = airport_table()
    assert sorted(airports) == list(load_airports().ids)
    assert airports["SFO"].city == "San Francisco"
    assert round(airports["SFO"].latitude, 1) == 37.6 and round(airports["SFO"].longitude, 1) == -122.4
    for code, airport in airports.items():
        assert airport.code == code and airport.name and airport.city
        assert -90 <= airport.latitude <= 90 and -180 <= airport.longitude <= 180


def test_credit_travels_with_the_data():
    folder = files("linkwl.datasets") / "embedded"
    assert "Copyright (c) Bokeh Contributors" in (folder / "LICENSE-bokeh-sampledata.txt").read_text(encoding="utf-8")
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert "OurAirports" in readme and "Bureau of Transportation Statistics" in readme
