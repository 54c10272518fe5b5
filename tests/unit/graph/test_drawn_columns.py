from __future__ import annotations

import pytest

from linkwl.graph.drawn_columns import computed_columns, drawn_place

GEPHI = [
    "label",
    "size",
    "r",
    "g",
    "b",
    "x",
    "y",
    "Weighted In-Degree",
    "Betweeness Centrality",
    "pageranks",
    "country",
]


@pytest.mark.parametrize(
    ("names", "computed"),
    [
        (GEPHI, GEPHI[1:10]),
        (["x", "y", "population"], []),
        (["lat", "lon", "size"], []),
        (["x", "y", "vx", "vy", "index", "group"], ["x", "y", "vx", "vy", "index"]),
        (["viz.x", "viz.y", "age"], ["viz.x", "viz.y"]),
        (["size", "color"], []),
        (["Degree", "degrees_celsius"], ["Degree"]),
    ],
)
def test_what_was_computed_from_the_links(names, computed):
    assert computed_columns(names) == computed


def test_the_coordinates_of_a_drawing():
    assert drawn_place(["graphics.x", "graphics.y", "graphics.w"]) == "plane:graphics.x,graphics.y"
    assert drawn_place(["viz.x", "x", "y"]) is None
