from __future__ import annotations

from graphs import path_graph
from linkwl.reports.class_counts import class_counts_markdown
from linkwl.reports.colours import report_colours
from linkwl.wl import refine


def test_counts_are_those_of_the_records():
    tests = ("2-fwl", "2-wl", "local-2-fwl")
    records = [report_colours(refine(path_graph(), test), "fast").to_json() for test in tests]
    lines = class_counts_markdown(records).splitlines()
    assert len(lines) == 3
    # Pairs of 0-1-2-3, up to the mirror: 2 x (v, v), 3 of 6 edge directions, 3 of 6 others.
    assert lines[2] == "| graph | 16 | 8 | 8 | 8 | 8 | 8 | 1, 1, 1 |"
