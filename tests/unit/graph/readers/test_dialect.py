from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from linkwl.errors import InputError
from linkwl.graph.column_words import column_key
from linkwl.graph.readers.dialect import detect_dialect, is_number, split_line

PATH = Path("edges.txt")


def detect(text: str, is_header=lambda rows: False):
    return detect_dialect(pa.py_buffer(text.encode()), PATH, expected="two things per line", is_header=is_header)


@pytest.mark.parametrize(
    ("text", "delimiter", "num_columns", "is_loose"),
    [
        ("a,b\nc,d\n", ",", 2, False),
        ("a\tb,c\n", "\t", 2, False),
        ("a b,c d\n", ",", 2, False),
        ("1;2;0,5\n3;4;0,7\n", ";", 3, False),
        ("1,2,x;y\n3,4,z;w\n", ",", 3, False),
        ('"a;b",c\n"d;e",f\n', ",", 2, False),
        ("a|b|c\n", "|", 3, False),
        ("a b\nc d\n", " ", 2, False),
        ("a  b\nc d\n", " ", 2, True),
        (" a b\nc d\n", " ", 2, True),
        ("a b \nc d\n", " ", 2, True),
        ("a b\nc \td\n", " ", 2, True),
        ("a,b\nc,d\ne\n", ",", 2, False),
    ],
)
def test_delimiter(text, delimiter, num_columns, is_loose):
    dialect = detect(text)
    assert (dialect.delimiter, dialect.num_columns, dialect.has_loose_spaces) == (delimiter, num_columns, is_loose)


def test_form_is_in_words():
    assert detect("a\tb\n").form == "tab-separated text"
    assert detect("a b\n").form == "space-separated text"


def test_data_starts_after_comments_and_header():
    text = "# é\n%\n\nx,y\n\na,b\nc,d\n"
    plain = detect(text)
    assert (plain.first_line, plain.header) == (4, None)
    assert text.encode()[plain.offset :].startswith(b"x,y")
    named = detect(text, is_header=lambda rows: True)
    assert (named.first_line, named.header, named.sample) == (6, ("x", "y"), (("a", "b"), ("c", "d")))
    assert text.encode()[named.offset :].startswith(b"a,b")


def test_the_sample_is_a_thousand_lines_or_64_kilobytes():
    short = detect("a,b\n" * 100_000)
    assert len(short.sample) == 1001
    assert set(short.sample) == {("a", "b")}
    long = detect(f"a,{'b' * 999}\n" * 1000)
    assert 64 < len(long.sample) < 70


def test_long_lines_are_sampled_whole():
    row = ",".join(["0.25"] * 50_000)
    dialect = detect(f"{row}\n{row}\n")
    assert (dialect.num_columns, len(dialect.sample)) == (50_000, 2)
    assert dialect.block_bytes >= 2 * len(row)
    assert detect("a,b\n").block_bytes == 1 << 20


def test_a_quoted_header_is_kept_as_fields():
    assert detect('"a, b",c\n1,2\n', is_header=lambda rows: True).header == ("a, b", "c")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a\nb\n", 1, "found one column, expected two things per line"),
        ("#\n", None, "only comments in it; expected two things per line"),
        ("a,b\n", 1, "only a header in it; expected two things per line below"),
        ("\na,b\n1,2,3\n1,2,3\n", 2, "the header has 2 columns, the rows below have 3"),
    ],
)
def test_what_is_refused(text, line, words):
    with pytest.raises(InputError, match=words) as caught:
        detect(text, is_header=lambda rows: True)
    assert (caught.value.line, caught.value.path) == (line, PATH)


@pytest.mark.parametrize(
    ("text", "delimiter", "is_loose", "fields"),
    [
        (" a , b,", ",", False, ["a", "b", ""]),
        ('"a,b",c', ",", False, ["a,b", "c"]),
        (" a \t b  ", " ", True, ["a", "b"]),
        (' "a b"  c', " ", True, ["a b", "c"]),
        ("a\u3000b c", " ", True, ["a\u3000b", "c"]),
        ("x" * 200_000 + ",b", ",", False, ["x" * 200_000, "b"]),
    ],
)
def test_split_line(text, delimiter, is_loose, fields):
    assert split_line(text, delimiter, is_loose) == fields


def test_fields_of_a_line_looser_than_the_first_ones():
    dialect = detect("a b\nc d\n")
    assert dialect.fields(b" x   y ") == ["x", "y"]
    assert dialect.fields(b'"x y" z') == ["x y", "z"]
    assert dialect.fields(b"\xff z") == ["\ufffd", "z"]


@pytest.mark.parametrize("text", ["1", " -2.5 ", "+3", ".5", "1.", "1e-3", "nan", "-Infinity", "INF"])
def test_numbers(text):
    assert is_number(text)


@pytest.mark.parametrize("text", ["", " ", "a", "1a", "1,5", "--1", "0x1", ".", "e5"])
def test_no_numbers(text):
    assert not is_number(text)


def test_column_keys_ignore_case_and_signs():
    assert {column_key(name) for name in ("From Node", "from_node", "FROM-NODE", "fromNode")} == {"fromnode"}
