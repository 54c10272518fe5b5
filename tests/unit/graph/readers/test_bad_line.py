from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from linkwl.graph.readers.bad_line import explain_bad_text
from linkwl.graph.readers.dialect import detect_dialect

GOOD = "# c\na,b\n\n"


def explain(text: str | bytes, find_problem=None, good: str = GOOD):
    content = pa.py_buffer(good.encode() * 1 + (text.encode() if isinstance(text, str) else text))
    dialect = detect_dialect(pa.py_buffer(good.encode()), Path("x.csv"), expected="ids", is_header=lambda rows: False)
    return explain_bad_text(content, dialect, Path("x.csv"), find_problem)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"\xff,b\n", "not UTF-8"),
        ("a,b,c\n", "expected 2 columns as in the other lines, found 3"),
        ("a\n", "expected 2 columns as in the other lines, found 1"),
        (" \n", "only spaces"),
        ('a,"b\n', "does not end in its line"),
        ("a," + "b" * 2_000_000, "far more than the first ones"),
    ],
)
def test_the_first_bad_line_is_explained(text, words):
    error = explain(text)
    assert error.line == 4
    assert words in error.problem
    assert str(error).startswith("x.csv, line 4: ")


def test_a_problem_of_the_callers_own():
    error = explain("c,d\ne,bad\nf,bad\n", lambda fields: f"{fields[0]} is bad." if fields[1] == "bad" else None)
    assert (error.line, error.problem) == (5, "e is bad.")


def test_a_ragged_line_comes_before_a_later_problem():
    error = explain("c\ne,bad\n", lambda fields: "bad." if "bad" in fields else None)
    assert (error.line, "found 1" in error.problem) == (4, True)


def test_spaces_may_be_loose():
    assert explain("\n   \nc   d\n e f\ng h i\n", good="a b\n").line == 6
    assert explain('"c d" e\nf g h\n', good="a b\n").line == 3
    assert explain('c   d\n"e f"\n', good="a b\n").line == 3


def test_without_a_culprit_no_line_is_blamed():
    error = explain("c,d\n")
    assert error.line is None
    assert "cannot be read as a table" in error.problem
