from __future__ import annotations

from dataclasses import replace

import pytest
from rich.console import Console

from linkwl.reports.relation_table import (
    containments_line,
    links_text,
    relations_legend,
    relations_markdown,
    relations_table,
    relations_title,
    witnesses_table,
)
from linkwl.wl.relations import relation_table


@pytest.fixture(scope="module")
def table():
    return relation_table(5, engine="fast")


def text_of(view, *, colour=False):
    console = Console(width=200, color_system="standard" if colour else None, force_terminal=colour)
    with console.capture() as capture:
        console.print(view)
    return capture.get()


def row_of(text, first, second):
    return next(line.split() for line in text.splitlines() if line.split()[:2] == [first, second])


def test_the_title_says_what_was_looked_at(table):
    assert relations_title(table) == (
        "51 graphs with 2 to 5 nodes, 420 ordered non-adjacent links, and 19 larger witness graphs; engine `fast`"
    )
    assert "no graph with up to 5 nodes" in relations_legend(table)


def test_a_row_shows_relations_witnesses_and_verdict(table):
    text = text_of(relations_table(table))
    assert " ".join(row_of(text, "1-wl", "local-2-wl")) == "1-wl local-2-wl ~ ~ ~ ~ correct"
    assert " ".join(row_of(text, "1-wl", "2-wl")) == "1-wl 2-wl < (W2) < (W2c) ~, not < < only between graphs"
    assert " ".join(row_of(text, "2-wl", "local-2-fwl")) == (
        "2-wl local-2-fwl inc (W1c†, W2) <, not inc (W1†) <, not inc (W1c†) inc "
        "only with a component that misses the link"
    )
    assert " ".join(row_of(text, "1-wl+01", "1-wl+drnl")).endswith("not stated")


def test_what_differs_from_the_paper_stands_out(table):
    text = text_of(relations_table(table), colour=True)
    yellow = "\x1b[1;33m"
    assert text.count(f"{yellow}~, not <") == 1
    assert text.count(f"{yellow}<, not inc") == 2
    assert text.count(yellow) == 5


def test_the_smallest_links_are_listed_once(table):
    lines = text_of(witnesses_table(table)).splitlines()
    named = [line.split()[0] for line in lines[1:]]
    assert len(named) == len(set(named))
    assert {"L1", "W1†", "W2", "W4e†", "W5†", "W6†"} <= set(named)
    line = next(line for line in lines if line.split()[0] == "W6†")
    equal, different = "1-wl, local-2-wl, 2-wl, local-2-fwl", "2-fwl, 1-wl+01, 1-wl+drnl"
    assert " ".join(line.split()) == f"W6† gadget36 (0, 5) v (0, 6) {equal} {different}"


def test_links_are_told_by_name_or_by_edges(table):
    found = [own for row in table.rows for cell in row.cells.values() for own in cell.separations]
    texts = {links_text(own) for own in found}
    assert {"2k1 (0, 1) v 3k1 (0, 1)", "p6 (0, 2) v (0, 3)"} <= texts
    assert "4 nodes with 1-2 1-3 2-3, (0, 1) v 5 nodes with 1-2 1-3 2-4 3-4, (0, 1)" in texts


def test_violations_are_told(table):
    assert containments_line(table) == "11 proved containments checked, none violated."
    found = table.rows[1].cells["any"].separations[0]
    broken = replace(table, violations=(found,))
    assert "1 violated: 2-wl tells apart what 1-wl does not, 2k1 (0, 1) v 3k1 (0, 1)." in containments_line(broken)


def test_the_markdown_marks_what_differs(table):
    lines = relations_markdown(table).splitlines()
    assert "| 1-wl | 2-wl | `<` (W2) | `<` (W2c) | **`~`, not `<`** | `<` | **only between graphs** |" in lines
    assert "| 1-wl | local-2-wl | `~` | `~` | `~` | `~` | correct |" in lines
    assert "| 2-wl | 1-wl+01 | `inc` (W1c†, W2) | `<` (W1†) | `<` (W1c†) |  | not stated |" in lines
    assert sum("**" in line for line in lines) == 2
    tables = [line for line in lines if line.startswith("|")]
    assert {line.count("|") for line in tables} == {8, 5}
