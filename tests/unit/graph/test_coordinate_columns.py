from __future__ import annotations

import pytest

from linkwl.errors import InputError
from linkwl.graph.coordinate_columns import find_coordinates


@pytest.mark.parametrize(
    ("names", "wanted", "columns", "metric"),
    [
        (["lat", "lon"], "auto", (0, 1), "map"),
        (["age", "lng", "Latitude"], "auto", (2, 1), "map"),
        (["longitude_deg", "latitude_deg"], "auto", (1, 0), "map"),
        (["x", "y", "z"], "auto", (0, 1), "plane"),
        (["Y", "a", "X"], "auto", (2, 0), "plane"),
        (["x", "y", "lat", "long"], "auto", (2, 3), "map"),
        (["x", "y", "lat", "long"], "plane:x,y", (0, 1), "plane"),
        (["breite", "laenge"], "map:breite, laenge", (0, 1), "map"),
    ],
)
def test_which_columns(names, wanted, columns, metric):
    found = find_coordinates(names, wanted)
    assert (found.columns, found.metric) == (columns, metric)


@pytest.mark.parametrize(("names", "wanted"), [(["lat", "y"], "auto"), (["x"], "auto"), (["lat", "lon"], "none")])
def test_no_columns(names, wanted):
    assert find_coordinates(names, wanted) is None


@pytest.mark.parametrize("wanted", ["lat,lon", "map:lat", "sphere:lat,lon", "map:lat,lon,x", ""])
def test_another_form_is_refused(wanted):
    with pytest.raises(InputError, match="expected auto, none, or two columns"):
        find_coordinates(["lat", "lon", "x"], wanted)


def test_an_unknown_column_is_refused():
    with pytest.raises(InputError, match="there is no column `south`; the columns are `lat`, `lon`"):
        find_coordinates(["lat", "lon"], "map:lat,south")
