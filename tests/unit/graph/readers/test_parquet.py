from __future__ import annotations

import os
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkwl.errors import InputError
from linkwl.graph.readers import read_graph
from linkwl.graph.reading import Reading


@pytest.fixture
def read(tmp_path):
    def read(table: pa.Table | dict, **options):
        pq.write_table(table if isinstance(table, pa.Table) else pa.table(table), tmp_path / "edges.parquet")
        return read_graph(tmp_path / "edges.parquet", reading=Reading(**options))

    return read


@pytest.mark.parametrize(
    ("columns", "chosen", "ignored"),
    [
        (["source", "target"], (0, 1), ""),
        (["target", "source"], (1, 0), ""),
        (["weight", "dst", "src"], (2, 1), "`weight`"),
        (["a", "b", "c", "d"], (0, 1), "`c`, `d`"),
        (["a.b", "a.c"], (0, 1), ""),
        (["source", "b"], (0, 1), ""),
    ],
)
def test_columns_by_name_else_the_first_two(read, columns, chosen, ignored):
    graph = read({name: [k, k + 10] for k, name in enumerate(columns)}, directed=True)
    named = [[graph.ids[p], graph.ids[q]] for p, q in graph.edges.tolist()]
    assert named == [[chosen[0], chosen[1]], [chosen[0] + 10, chosen[1] + 10]]
    assert graph.intake.notes[0] == f"edges from columns `{columns[chosen[0]]}` and `{columns[chosen[1]]}`"
    assert (ignored in graph.intake.notes[-1]) if ignored else len(graph.intake.notes) == 1


@pytest.mark.parametrize(
    ("values", "kind", "ids"),
    [
        ([1, 5], pa.int8(), [1, 5]),
        ([1, 5], pa.uint64(), [1, 5]),
        ([1, 2**63 + 1], pa.uint64(), ["1", str(2**63 + 1)]),
        ([1, 2**63 - 1], pa.int64(), [1, 2**63 - 1]),
        ([Decimal(1), Decimal(5)], pa.decimal128(38, 0), [1, 5]),
        (["b", "a"], pa.string(), ["a", "b"]),
        (["b", "é"], pa.large_string(), ["b", "é"]),
        (["b", "a"], pa.string_view(), ["a", "b"]),
        (["b", "a"], pa.dictionary(pa.int8(), pa.string()), ["a", "b"]),
        (["01", "1"], pa.string(), ["01", "1"]),
    ],
)
def test_ids_of_many_types(read, values, kind, ids):
    graph = read({"source": pa.array(values[:1], kind), "target": pa.array(values[1:], kind)})
    assert list(graph.ids) == ids
    assert graph.num_edges == 1


def test_numbers_and_texts_side_by_side(read):
    assert list(read({"source": [1, 2], "target": ["a", "1"]}).ids) == ["1", "2", "a"]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"source": [1]}, "found 1 columns, expected two"),
        ({"source": pa.array([], pa.int64()), "target": pa.array([], pa.int64())}, "the table has no rows"),
        ({"source": [1, None], "target": [2, 3]}, "column `source` has no node id in row 2"),
        ({"source": pa.nulls(1), "target": [1]}, "column `source` has no node id in row 1"),
        ({"source": [1.0], "target": [2.0]}, "column `source`: node id 1.0 is not written as a whole number"),
        ({"source": [Decimal("1.5")], "target": [2]}, "node id 1.5 is not written as a whole number"),
        ({"source": [1, -3], "target": [2, 3]}, "node id -3 is negative"),
        ({"source": [True], "target": [False]}, "column `source` has type bool"),
        ({"source": [b"a"], "target": [b"b"]}, "has type binary"),
        ({"source": [{"x": 1}], "target": [{"x": 1}]}, "has type struct"),
        (
            pa.Table.from_arrays([pa.array([1])] * 3, ["source", "target", "source"]),
            "several columns are called `source`",
        ),
    ],
)
def test_what_is_refused(read, table, words):
    with pytest.raises(InputError, match=words) as caught:
        read(table)
    assert caught.value.path.name == "edges.parquet"


def test_a_damaged_file(tmp_path, read):
    read({"source": list(range(1000)), "target": list(range(1, 1001))})
    content = (tmp_path / "edges.parquet").read_bytes()
    path = tmp_path / "bad.parquet"
    for bad, words in (
        (b"1,2\n2,3\n", "not a readable Parquet file"),
        (content[:-30], "not a readable Parquet file"),
        (content[:10] + b"\xff" * 60 + content[70:], "damaged"),
    ):
        path.write_bytes(bad)
        with pytest.raises(InputError, match=words):
            read_graph(path)


@pytest.mark.parametrize("name", ["source", "data"])
def test_bytes_that_are_not_utf8(tmp_path, name):
    """In the name of a column, and in its data."""
    path = tmp_path / "edges.parquet"
    pq.write_table(
        pa.table({"source": ["source", "data"], "target": ["b", "c"]}), path, store_schema=False, compression="none"
    )
    path.write_bytes(path.read_bytes().replace(name.encode(), b"\xff" * len(name)))
    with pytest.raises(InputError, match="damaged|not a readable"):
        read_graph(path)


def test_a_folder_that_looks_like_a_partition_adds_no_column(tmp_path):
    folder = tmp_path / "source=9"
    folder.mkdir()
    pq.write_table(pa.table({"a": [1], "b": [2]}), folder / "e.parquet")
    assert list(read_graph(folder / "e.parquet").ids) == [1, 2]


def test_a_file_name_that_is_not_utf8(tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.pq")
    with path.open("wb") as stream:
        pq.write_table(pa.table({"source": [1], "target": [2]}), stream)
    assert read_graph(path).num_edges == 1
