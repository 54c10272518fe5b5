from __future__ import annotations

import json

import pytest

from linkwl.reports.benchmark_view import TOLERANCE, Score, ScoreTable, System


def system(ours, printed, *, is_in_paper=True):
    return System(
        "ours",
        "printed",
        {} if ours is None else {"x": Score(ours)},
        {} if printed is None else {"x": Score(printed)},
        is_in_paper,
    )


@pytest.mark.parametrize(
    ("ours", "printed", "short"),
    [
        (95.0, 95.0 + TOLERANCE, False),
        (94.99, 95.5, True),
        (96.0, 95.0, False),
        (None, 95.0, False),
        (9.0, None, False),
    ],
)
def test_ours_falls_short_beyond_the_tolerance(ours, printed, short):
    assert system(ours, printed).falls_short("x") is short


def test_a_word_is_no_number():
    refused = System("a", "b", {"x": Score(None, word="refused")}, {"x": Score(90.0)})
    out_of_memory = System("a", "b", {"x": Score(90.0)}, {"x": Score(None, word="OOM")})
    assert not refused.falls_short("x")
    assert not out_of_memory.falls_short("x")


def table(networks, others=()):
    return ScoreTable("t", "T", {"x": "X"}, tuple(networks), System("", ""), tuple(others), "", 10)


def test_the_best_of_ours_and_of_the_paper():
    made = table(
        [system(90.0, 95.0), system(92.0, None), system(None, 96.0)],
        [system(None, 97.0), system(None, 99.0, is_in_paper=False)],
    )
    assert made.best_of_ours("x") == 92.0
    assert made.best_of_paper("x") == 97.0
    empty = table([system(None, None)])
    assert (empty.best_of_ours("x"), empty.best_of_paper("x")) == (None, None)


def test_it_can_be_written_as_json():
    values = json.loads(json.dumps(table([system(90.0, 95.0)]).to_json()))
    assert values["networks"][0]["ours"]["x"]["mean"] == 90.0
