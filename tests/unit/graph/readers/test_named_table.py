from __future__ import annotations

import pyarrow as pa
import pytest

from linkwl.errors import InputError
from linkwl.graph.readers.named_table import open_table


def opened(source, *, header=True):
    return open_table(source, what="rows", expected="two words", is_header=lambda rows: header)


def test_rows_of_a_text_know_their_lines(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("# comment\na,b\n\n1, 2\n3,4\n")
    table = opened(path)
    assert table.names == ["a", "b"]
    assert [column.to_pylist() for column in table.columns] == [["1", "3"], ["2", "4"]]
    assert str(table.refuse(1, "no.")) == f"{path}, line 5: no."


def test_columns_without_a_header_have_names(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("1,2,3\n4,5,6\n")
    assert opened(path, header=False).names == ["source", "target", "x1"]


def test_rows_in_memory_are_counted():
    for source in (pa.table({"a": [1]}), [{"a": 1}]):
        assert str(opened(source).refuse(0, "no.")) == "row 1: no."


def test_other_objects_are_refused():
    with pytest.raises(InputError, match="rows cannot be read from an object of type int; give a file or a table"):
        opened(3)
