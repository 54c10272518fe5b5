from __future__ import annotations

import pyarrow as pa
import pytest

from linkwl.graph.readers.id_columns import as_whole_numbers, read_id_columns
from linkwl.graph.readers.table_text import open_table_text


@pytest.mark.parametrize(
    ("text", "kind", "notes"),
    [
        ("1,x,2\n3,y,4\n", pa.int64(), 0),
        ("1,007,2\n3,y,4\n", pa.int64(), 0),
        ("1,x,02\n3,y,4\n", pa.string(), 1),
        ("1,x,2\n3,y,z\n", pa.string(), 0),
        ("a,x,b\n3,y,z\n", pa.string(), 0),
    ],
)
def test_ids_are_integers_if_all_are(tmp_path, text, kind, notes):
    (tmp_path / "t.txt").write_text(text)
    _, content, dialect, _ = open_table_text(tmp_path / "t.txt")
    columns, found = read_id_columns(content, dialect, 0, 2, [1])
    assert [columns[k].type for k in range(3)] == [kind, pa.string(), kind]
    assert len(found) == notes


def test_whole_numbers():
    column = pa.chunked_array([["1", " 20 "], ["03", "x", "-1"]])
    assert as_whole_numbers(column).to_pylist() == [1, 20, None, None, None]
