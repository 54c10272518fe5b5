from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkwl import load_graph
from linkwl.errors import InputError
from linkwl.graph.readers.parquet_folder import parquet_parts


def write(path, **columns):
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)


@pytest.fixture
def folder(tmp_path):
    parts = tmp_path / "links"
    write(parts / "year=2024" / "b.parquet", source=["a", "b"], target=["b", "c"], weight=[1.0, 2.0])
    write(parts / "year=2023" / "a.parquet", source=["c"], target=["a"], weight=[4.0])
    (parts / "_metadata.parquet").write_bytes(b"not read")
    (parts / ".hidden.parquet").write_bytes(b"not read")
    return parts


def test_the_parts_are_one_table(folder, tmp_path):
    whole = tmp_path / "whole.parquet"
    write(whole, source=["c", "a", "b"], target=["a", "b", "c"], weight=[4.0, 1.0, 2.0])
    graph = load_graph(folder, weight="weight")
    assert graph.digest == load_graph(whole, weight="weight").digest
    assert graph.name == "links"
    assert graph.intake.notes[-1] == "read from 2 files, without the values in the names of their folders"
    assert [path.name for path in parquet_parts(folder)] == ["a.parquet", "b.parquet"]


def test_parts_of_triples_are_a_knowledge_graph(tmp_path):
    for k, row in enumerate([("a", "r", "b"), ("b", "s", "c")]):
        write(
            tmp_path / "facts" / f"{k}.pq",
            **dict(zip(("head", "relation", "tail"), ([name] for name in row), strict=True)),
        )
    graph = load_graph(tmp_path / "facts")
    assert (graph.num_facts, graph.num_relations) == (2, 2)


def test_a_part_without_a_column_is_named(folder):
    write(folder / "year=2025" / "c.parquet", source=["a"], other=["d"])
    with pytest.raises(InputError, match=r"c\.parquet: there is no column `target`, which a\.parquet has"):
        load_graph(folder)


def test_a_part_of_another_type_is_named(folder):
    write(folder / "year=2025" / "c.parquet", source=[1], target=[2], weight=[1.0])
    with pytest.raises(InputError, match=r"c\.parquet: column `source` has type int64, and string in a\.parquet"):
        load_graph(folder)


def test_a_damaged_part_is_named(folder):
    (folder / "z.parquet").write_bytes(b"PAR1 and more")
    with pytest.raises(InputError, match=r"z\.parquet: not a readable Parquet file"):
        load_graph(folder)


def test_a_folder_without_parts_is_still_that_of_a_benchmark(tmp_path):
    with pytest.raises(InputError, match="this is a folder; name a file in it"):
        load_graph(tmp_path)
