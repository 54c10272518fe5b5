from __future__ import annotations

import numpy as np

from linkwl.datasets import airport_table, load_airports
from linkwl.reports.airport_map import _project, draw_airport_map


def test_places_keep_their_sides():
    table = airport_table()
    place = dict(zip(table, _project(list(table.values())), strict=True))
    assert place["SEA"][0] < place["DEN"][0] < place["BOS"][0]
    assert place["MIA"][1] < place["ATL"][1] < place["BOS"][1]
    assert np.abs(np.array(list(place.values()))).max() < 0.6  # nothing is left far off the page


def test_the_same_map_twice_is_the_same_file(tmp_path):
    graph, table = load_airports(), airport_table()
    airports = [table[str(code)] for code in graph.ids]
    for name in ("a.svg", "b.svg"):
        draw_airport_map(airports, graph.edges, np.array([[0, 9], [3, 4]]), [tmp_path / name])
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
