from __future__ import annotations

import pytest

from linkwl.graph.unused import ignored_note


@pytest.mark.parametrize(
    ("name", "cells", "note"),
    [
        ("x", (), "ignored column x"),
        ("rating", ("5", "3"), "ignored column rating (to use: --weight rating)"),
        ("rating", ("good", "bad"), "ignored column rating"),
        ("date", (), "ignored column date (to use: --time date)"),
        ("when sent", ("2024-05-31", "2024-06-01 10:00"), 'ignored column when sent (to use: --time "when sent")'),
        ("at", ("1082040961", "1082040962"), "ignored column at (to use: --time at)"),
        ("type", (), "ignored column type (to use: --type type)"),
        ("how", ("a", "b", "a", "b"), "ignored column how (to use: --type how)"),
        ("how", ("a", "b", "c", "d"), "ignored column how"),
    ],
)
def test_options_that_would_use_a_column(name, cells, note):
    assert ignored_note([name], [name], [cells]) == [note]
    assert ignored_note([name], [name], [cells], ["weight", "time", "type"]) == [f"ignored column {name}"]


def test_several_and_none():
    assert ignored_note([]) == []
    assert ignored_note(["a", "b"], what="node attribute") == ["ignored node attributes a, b"]
    assert ignored_note(["3"], ["3"], [["7"]], has_names=False) == ["ignored column 3"]
    assert ignored_note(["3"], ["3"], [["7", "0.5"]], has_names=False) == ["ignored column 3 (to use: --weight 3)"]


def test_times_are_no_types():
    cells = [["2024-01-01", "2024-01-01", "2024-01-01", "2024-01-02"]]
    assert ignored_note(["`date`"], ["date"], cells) == ["ignored column `date` (to use: --time date)"]
