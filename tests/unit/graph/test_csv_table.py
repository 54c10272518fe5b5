from __future__ import annotations

import csv
import io

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

from linkwl.graph.csv_table import write_csv


def text_of(table, **options):
    stream = io.BytesIO()
    write_csv(table, stream, **options)
    return stream.getvalue().decode()


def test_only_what_needs_quotes_has_them():
    names = ["ann", "New York", "a,b", 'say "x"', "two\nlines", "a;b", "a\tb", " a", "a ", "#1", "x#1", "", "é'"]
    assert text_of(pa.table({"name": names, "rank": range(13)}), header=False).split(",", 1)[0] == "ann"
    assert text_of(pa.table({"name": names})) == (
        'name\nann\nNew York\n"a,b"\n"say ""x"""\n"two\nlines"\n"a;b"\n"a\tb"\n" a"\n"a "\n"#1"\nx#1\n""\né\'\n'
    )


def test_the_names_of_columns_are_quoted_alike():
    assert text_of(pa.table({"a": [1], "b, c": [2]})) == 'a,"b, c"\n1,2\n'
    assert text_of(pa.table({"a": pa.array([], pa.string())})) == "a\n"


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_it_is_read_again(kind):
    generator = np.random.default_rng(0)
    letters = list('ab ,;"\n\t\r#é')
    names = ["".join(generator.choice(letters, size=generator.integers(0, 6))) for _ in range(500)]
    table = pa.table({"name": pa.array(names, kind), "score": generator.normal(size=500)})
    rows = list(csv.reader(io.StringIO(text_of(table), newline="")))
    assert [row[0] for row in rows[1:]] == names
    assert [float(row[1]) for row in rows[1:]] == table["score"].to_pylist()


def test_numbers_are_written_as_arrow_writes_them():
    values = np.concatenate([10.0 ** np.arange(-12, 12), [0.1, 1 / 3, -2.5, 0.0]])
    table = pa.table({"score": values, "rank": np.arange(len(values))})
    stream = io.BytesIO()
    pyarrow.csv.write_csv(table, stream, pyarrow.csv.WriteOptions(include_header=False))
    assert text_of(table, header=False) == stream.getvalue().decode()


def test_missing_values_are_empty_and_blocks_follow_each_other():
    assert text_of(pa.table({"a": ["x", None], "b": [None, 2]})) == "a,b\nx,\n,2\n"
    count = 70_000  # more than one block
    assert text_of(pa.table({"a": np.arange(count)}), header=False).split() == [str(k) for k in range(count)]
