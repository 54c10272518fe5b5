from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from linkwl.graph.readers.dialect import detect_dialect
from linkwl.graph.readers.text_table import parse_columns


def parse(text: str, types: dict[int, pa.DataType]) -> list[list]:
    content = pa.py_buffer(text.encode())
    dialect = detect_dialect(content, Path("x"), expected="fields", is_header=lambda rows: False)
    return [column.to_pylist() for column in parse_columns(content, dialect, types)]


def test_columns_by_position_and_type():
    text = "# c\na,1,0.5\nb,2,NA\n"
    assert parse(text, {1: pa.int64(), 0: pa.string()}) == [[1, 2], ["a", "b"]]
    assert parse(text, {2: pa.string()}) == [["0.5", "NA"]]


def test_runs_of_spaces_anywhere():
    assert parse("  a   b\n\tc \t d  \n  \ne f\n", {0: pa.string(), 1: pa.string()}) == [
        ["a", "c", "e"],
        ["b", "d", "f"],
    ]
    late = "1 2\n" * 20_000 + " 3   4 \n"
    assert parse(late, {0: pa.int64(), 1: pa.int64()}) == [[1] * 20_000 + [3], [2] * 20_000 + [4]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_quotes_within_a_line_are_fine(end):
    text = end.join(['"a,1",b', "", '"c ""d""",e', 'f,5" g', ""])
    assert parse(text, {0: pa.string(), 1: pa.string()}) == [["a,1", 'c "d"', "f"], ["b", "e", '5" g']]


@pytest.mark.parametrize(
    "text",
    [
        'a,b\n"c,d\ne,f\n"g,h\ni,j\n',
        '1,2,"x\n3,4,y"\n5,6,z\n',
        "a,b\nc\n",
        "a,b\n   \nc,d\n",
    ],
)
def test_lines_that_are_swallowed_or_ragged(text):
    with pytest.raises(pa.ArrowInvalid):
        parse(text, {0: pa.string(), 1: pa.string()})


def test_a_field_of_another_type():
    with pytest.raises(pa.ArrowInvalid):
        parse("1,2\n3,x\n", {1: pa.int64()})


def test_lines_of_megabytes():
    row = ",".join([f"{1.5:.100f}"] * 20_000)
    columns = parse(f"{row}\n{row}\n", {0: pa.float32(), 19_999: pa.float32()})
    assert columns == [[1.5, 1.5], [1.5, 1.5]]
