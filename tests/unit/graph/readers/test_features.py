from __future__ import annotations

import csv
import gzip

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from linkwl.errors import InputError
from linkwl.graph import NodeIds
from linkwl.graph.readers.features import read_features

NAMES = NodeIds(pa.array(["ann", "bob", "cid"]))
RANGE = NodeIds(3)
GAPPED = NodeIds(pa.array([4, 7, 1234567890123456789]))


@pytest.fixture
def read(tmp_path):
    def read(content: str | bytes, ids: NodeIds = RANGE, name: str = "x.csv"):
        (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return read_features(tmp_path / name, ids).features

    return read


@pytest.mark.parametrize(
    "text",
    [
        "node,a,b\n2,5,6\n0,1,2\n1,3,4\n",
        "2,5,6\n0,1,2\n1,3,4\n",
        "a,id,b\n5,2,6\n1,0,2\n3,1,4\n",
        "anything,a,b\n0,1,2\n1,3,4\n2,5,6\n",
        "node,0,1\n0,1,2\n1,3,4\n2,5,6\n",
        ",0,1\n0,1,2\n1,3,4\n2,5,6\n",
        "# c\n0 1 2\n1 3 4\n2 5 6\n",
        " 0  1 2\n1\t3  4 \n2 5 6\n",
        "0\t1\t2\r\n1\t3\t4\r\n\r\n2\t5\t6",
        "0,1,2\r1,3,4\r2,5,6\r",
        '"0","1","2"\n"1","3","4"\n"2","5","6"\n',
        " 0 , 1 , 2\n1,+3,4e0\n2,5., 6.0\n",
        "\ufeffnode;a;b\n0;1;2\n1;3;4\n2;5;6\n",
    ],
)
def test_text_in_many_dialects(read, text):
    features = read(text)
    assert features.dtype == np.float32
    assert features.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert read(gzip.compress(text.encode()), name="x.csv.gz").tolist() == features.tolist()


def test_names_and_numbers_with_gaps(read):
    assert read("name,0\ncid,3\nann,1\nbob,2\n", NAMES).tolist() == [[1], [2], [3]]
    assert read("bob,2\ncid,3\nann,1\n", NAMES).tolist() == [[1], [2], [3]]
    assert read("1234567890123456789,3\n4,1\n7,2\n", GAPPED).tolist() == [[1], [2], [3]]


@given(arrays(np.float32, (3, 4), elements=st.floats(width=32, allow_nan=False, allow_infinity=False)), st.randoms())
@settings(max_examples=60, deadline=None)
def test_values_survive_text_exactly(tmp_path_factory, matrix, random):
    path = tmp_path_factory.mktemp("features") / "x.csv"
    rows = [[name, *map(repr, map(float, row))] for name, row in zip(NAMES, matrix, strict=True)]
    random.shuffle(rows)
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows(rows)
    assert np.array_equal(read_features(path, NAMES).features, matrix)


def test_rows_of_megabytes(read):
    wide = ",".join([f"{0.25:.100f}"] * 20_000)
    header = "node," + ",".join(f"f{k}" for k in range(20_000))
    features = read(f"{header}\n" + "".join(f"{k},{wide}\n" for k in (2, 0, 1)))
    assert features.shape == (3, 20_000)
    assert (features == 0.25).all()


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("node,a,b\n0,1,inf\n1,3,4\n2,5,6\n", 2, "`b` is not a finite number"),
        ("0,1\n1,-Infinity\n2,5\n", 2, "feature 1 is not a finite number"),
        ("0,1\n1,1e39\n2,5\n", 2, "feature 1 is not a finite number"),
        ("0,1\r1,nan\r2,5\r", 2, "feature 1 is not a finite number"),
        ("0  1\n\n1  nan\n2  5\n", 3, "feature 1 is not a finite number"),
        ("node,a\n0,1\n1,x\n2,3\n", 3, "`a` is 'x', and most others are numbers"),
        ("0,red\n1,blue\n2,red\n", 1, "feature 'red' is not a number; without a header"),
        ("node;a\n0;0,5\n1;1\n2;3\n", 2, "`a` is '0,5', and most others are numbers"),
        ("node,a,b\n0,1,2\n1,3\n2,5,6\n", 3, "expected 3 columns as in the other lines, found 2"),
        ("node,a\n0,1\n  \n1,2\n2,3\n", 3, "only spaces"),
        ('node,a\n0,"1\n1,2\n2,3\n', 2, "does not end in its line"),
        ("0\n1\n2\n", 1, "found one column, expected a node id and its features per line"),
        ("node,a\n", 1, "there is only a header in it; expected a node id and its features"),
        (
            "node,a\n0,1\n1,2\n2,3\n9,4\n8,5\n",
            5,
            "2 rows are left over, the first for node '9', which is not in the graph; ignore them with "
            "--missing-features fill",
        ),
        ("node,a\n0,1\n1,2\n2,3\n1,4\n", 5, "node '1' has a second row of features; keep one"),
        ("node,a\n0,1\n2,2\n", None, "1 of 3 nodes have no row of features, the first is 1"),
        ("node,a\nx,1\ny,2\nz,3\n", None, "none of its node ids is in the graph"),
        ("node,a\n00,1\n01,2\n02,3\n", None, "none of its node ids is in the graph"),
    ],
)
def test_what_is_refused_in_text(read, text, line, words):
    with pytest.raises(InputError) as caught:
        read(text)
    assert words in str(caught.value)
    assert caught.value.line == line


def test_a_bad_value_deep_inside_is_named(read):
    ids = NodeIds(100_000)
    rows = [f"{k},0.25,0.5" for k in range(100_000)]
    assert read("\n".join(rows), ids).shape == (100_000, 2)
    for bad, words in (("nan", "feature 2 is not a finite number"), ("x", "feature 'x' is not a number")):
        rows[77_777] = f"77777,1,{bad}"
        with pytest.raises(InputError, match=words) as caught:
            read("\n".join(rows), ids)
        assert caught.value.line == 77_778


def test_a_left_over_row_tells_how_to_declare_its_node(read):
    with pytest.raises(InputError, match="by the line `dan,dan` in the edge list"):
        read("ann,1\nbob,2\ncid,3\ndan,4\n", NAMES)


class TestNumpy:
    @pytest.mark.parametrize("kind", ["f8", ">f4", "i2", "?"])
    def test_row_i_belongs_to_number_i(self, tmp_path, kind):
        np.save(tmp_path / "x.npy", np.array([[1, 0], [0, 1], [1, 1]], dtype=kind))
        assert read_features(tmp_path / "x.npy", RANGE).features.tolist() == [[1, 0], [0, 1], [1, 1]]

    def test_sparse_stays_sparse(self, tmp_path):
        matrix = sp.csr_array(np.array([[1, 0], [0, 0], [0, 2.5]]))
        sp.save_npz(tmp_path / "x.npz", matrix)
        features = read_features(tmp_path / "x.npz", RANGE).features
        assert (features.nnz, features.dtype) == (2, np.float32)
        assert np.array_equal(features.toarray(), matrix.toarray())

    @pytest.mark.parametrize(
        ("matrix", "ids", "words"),
        [
            (np.ones((4, 1)), RANGE, "1 rows are left over, the first for node 3"),
            (np.ones((2, 1)), RANGE, "1 of 3 nodes have no row of features, the first is 2"),
            (np.ones((3, 1)), NodeIds(pa.array([0, 2, 5])), "1 rows are left over, the first for node 1"),
            (np.ones((3, 1)), GAPPED, "none of its node ids is in the graph"),
            (np.ones((3, 1)), NAMES, "this graph's nodes have names"),
            (np.array([[0], [np.nan], [0]]), RANGE, "feature 1 of row 2 is not a finite number"),
            (np.array([[0], [1e300], [0]]), RANGE, "feature 1 of row 2 is not a finite number"),
            (np.ones(3), RANGE, "one row per node"),
            (np.ones((3, 0)), RANGE, "one row per node"),
            (np.array([["a"], ["b"], ["c"]]), RANGE, "must be real numbers"),
            (np.ones((3, 1), dtype=complex), RANGE, "must be real numbers"),
        ],
    )
    def test_what_is_refused(self, tmp_path, matrix, ids, words):
        np.save(tmp_path / "x.npy", matrix)
        with pytest.raises(InputError, match=words):
            read_features(tmp_path / "x.npy", ids)


class TestParquet:
    @pytest.fixture
    def read(self, tmp_path):
        def read(columns: dict | pa.Table, ids: NodeIds = RANGE):
            pq.write_table(columns if isinstance(columns, pa.Table) else pa.table(columns), tmp_path / "x.parquet")
            return read_features(tmp_path / "x.parquet", ids).features

        return read

    @pytest.mark.parametrize(
        "column",
        [[3.0, 1.0, 2.0], [3, 1, 2], pa.array(np.array([3, 1, 2], dtype=np.float16)), pa.array([3, 1, 2], pa.uint8())],
    )
    def test_numbers_of_any_type(self, read, column):
        assert read({"node": [2, 0, 1], "a": column}).tolist() == [[1], [2], [3]]
        assert read({"a": column, "name": ["cid", "ann", "bob"]}, NAMES).tolist() == [[1], [2], [3]]

    def test_booleans_and_large_integers(self, read):
        assert read({"node": [0, 1, 2], "a": [True, False, True]}).tolist() == [[1], [0], [1]]
        assert read({"node": [0, 1, 2], "a": [2**53 + 1, 0, 0]})[0, 0] == np.float32(2**53)

    def test_ids_of_another_integer_type(self, read):
        assert read({"node": pa.array([2, 0, 1], pa.uint64()), "a": [3, 1, 2]}).tolist() == [[1], [2], [3]]

    @pytest.mark.parametrize(
        ("columns", "words"),
        [
            ({"node": [0, 1, 2], "a": [1.0, 1e300, 2.0]}, "node 1: `a` is not a finite number"),
            ({"node": [0, 1, 2], "a": ["x", "y", "z"]}, "nothing in the table .*: `a`: ignored, a label"),
            ({"node": [0, 1, 2], "a": [[1], [2], [3]]}, "values of type list<.*> are not compared"),
            ({"node": [0, 1, 2]}, "no column besides the nodes"),
            ({"node": [0, 1, None], "a": [1, 2, 3]}, "column `node` has no node id in row 3"),
            ({"node": [0, 1, 1], "a": [1, 2, 3]}, "node 1 has a second row of features"),
            ({"node": [0, 1, 9], "a": [1, 2, 3]}, "1 rows are left over, the first for node 9"),
            ({"node": pa.array([], pa.int64()), "a": pa.array([], pa.float64())}, "none of its node ids"),
            (pa.Table.from_arrays([pa.array([0, 1, 2])] * 3, ["node", "a", "a"]), "several columns are called `a`"),
        ],
    )
    def test_what_is_refused(self, read, columns, words):
        with pytest.raises(InputError, match=words):
            read(columns)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_features(tmp_path / "x.npy", RANGE)


@pytest.mark.parametrize(
    ("content", "ids", "says"),
    [
        ("ann,tall\nbob,tall\ncid,short\n", NodeIds(pa.array(["bob", "cid", "dan"])), "`ann`"),
        ("person,age\nann,1\nbob,2\n", NAMES, "`person`"),
        ("x,id,age\nann,7,1\nbob,8,2\ncid,9,3\n", NAMES, "`id`"),
    ],
)
def test_an_error_of_nodes_says_how_the_header_was_read(read, content, ids, says):
    with pytest.raises(InputError, match="the first line was read as the header, with the nodes in column") as caught:
        read(content, ids)
    assert says in str(caught.value)
    assert str(caught.value).count(".csv") == 1


def test_an_error_of_nodes_says_that_there_was_no_header(read):
    with pytest.raises(InputError, match="1 rows are left over.*; the first line was read as a row, not as a header"):
        read("person,2023\nann,1\nbob,2\ncid,3\n", NAMES)


def test_an_error_of_nodes_names_the_column_of_parquet(read, tmp_path):
    pq.write_table(pa.table({"person": ["ann", "bob"], "age": [1.0, 2.0]}), tmp_path / "y.parquet")
    with pytest.raises(InputError, match="have no row of features.*; the nodes were read from column `person`"):
        read_features(tmp_path / "y.parquet", NAMES)
