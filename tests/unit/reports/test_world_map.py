from __future__ import annotations

import numpy as np

from linkwl.datasets import Country, place_table
from linkwl.reports.world_map import _numbers, _project, draw_world_map

FACTS = [
    ("Norway", "member of", "EU"),
    ("Italy", "borders", "Albania"),
    ("Norway", "currency", "Euro"),
    ("EU", "in", "G7"),
]


def test_places_keep_their_sides():
    table = place_table()
    place = dict(zip(table, _project(list(table.values())), strict=True))
    assert place["Chile"][0] < place["Portugal"][0] < place["India"][0] < place["Japan"][0]
    assert place["New Zealand"][1] < place["Kenya"][1] < place["Egypt"][1] < place["Iceland"][1]


def test_the_projection_preserves_areas():
    step = 1e-3
    for latitude in (0.0, 30.0, 60.0):
        corners = [(latitude, 40.0), (latitude, 40.0 + step), (latitude + step, 40.0)]
        origin, east, north = _project([Country("", "", *corner) for corner in corners])
        area = np.linalg.det(np.stack([east - origin, north - origin]))
        assert np.isclose(area, np.radians(step) ** 2 * np.cos(np.radians(latitude)), rtol=1e-3)


def test_facts_stand_at_their_first_country():
    norway, italy, albania = np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([5.0, 6.0])
    drawn = [(1, [norway]), (2, [italy, albania]), (3, [norway]), (4, [])]
    assert _numbers(drawn) == {(1.0, 2.0): [1, 3], (3.0, 4.0): [2]}


def test_the_same_map_twice_is_the_same_file(tmp_path):
    for name in ("a.svg", "b.svg"):
        draw_world_map(place_table(), [("France", "Spain")], FACTS, [tmp_path / name])
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_a_map_without_missing_facts(tmp_path):
    draw_world_map(place_table(), [("France", "Spain")], [], [tmp_path / "a.svg"])
    assert (tmp_path / "a.svg").stat().st_size > 0
