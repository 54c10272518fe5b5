from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkwl.errors import InputError
from linkwl.graph import NodeIds
from linkwl.graph.readers.labels import read_labels

NAMES = NodeIds(pa.array(["ann", "bob", "cid"]))
RANGE = NodeIds(3)


@pytest.fixture
def read(tmp_path):
    def read(content: str | bytes, ids: NodeIds = NAMES, name: str = "labels.csv"):
        (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return read_labels(tmp_path / name, ids)

    return read


@pytest.mark.parametrize(
    "text",
    [
        "node,label\ncid,red\nann,red\nbob,dark blue\n",
        "label,node\nred,cid\nred,ann\ndark blue,bob\n",
        "label,person\nred,cid\nred,ann\ndark blue,bob\n",
        "id;colour\nann;red\nbob;dark blue\ncid;red\n",
        "person|colour\nann|red\nbob|dark blue\ncid|red\n",
        "size,name,label\n1,ann,red\n2,bob,dark blue\n3,cid,red\n",
        "person,label,size\nann,red,1\nbob,dark blue,2\ncid,red,3\n",
        "ann,red\ncid,red\nbob,dark blue\n",
        "# made by hand\n\nann\tred\r\ncid\tred\r\n\r\nbob\tdark blue",
        '"ann","red"\n"bob"," dark blue "\n cid , red\n',
        "\ufeffnode,label\nann,red\nbob,dark blue\ncid,red\n",
    ],
)
def test_text_in_many_dialects(read, text):
    labels = read(text)
    assert labels.dtype.kind == "U"
    assert labels.tolist() == ["red", "dark blue", "red"]
    assert read(gzip.compress(text.encode()), name="labels.csv.gz").tolist() == labels.tolist()


@pytest.mark.parametrize(
    "text",
    ["node,label\n2,7\n0,01\n1,x\n", "0,01\n1,x\n2,7\n", "0 01\n1 x\n2 7\n", "who,what\n1,x\n2,7\n0,01\n"],
)
def test_labels_are_texts_whatever_the_nodes_are(read, text):
    assert read(text, RANGE).tolist() == ["01", "x", "7"]


def test_a_first_row_for_a_node_is_no_header(read):
    ids = NodeIds(pa.array(["bob", "id", "name"]))
    assert read("id,label\nname,red\nbob,red\n", ids).tolist() == ["red", "label", "red"]


def test_long_labels_and_many_nodes(read):
    ids = NodeIds(20_000)
    lines = [f"{k},{'x' * (k % 50 + 1)}" for k in range(20_000)]
    labels = read("\n".join(reversed(lines)), ids)
    assert [len(label) for label in labels[:3]] == [1, 2, 3]
    assert len(np.unique(labels)) == 50


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("node,label\nann,red\n\nbob,\ncid,red\n", 4, "the label of node 'bob' is empty; write one"),
        ("node,label\nann,red\nbob, \ncid,red\n", 3, "the label of node 'bob' is empty"),
        ("node,label\nann,red\nbob,red\nbob,blue\ncid,red\n", 4, "node 'bob' has a second label; keep one"),
        ("node,label\nann,red\nbob,red\ncid,red\ndan,red\n", 5, "1 rows are left over, the first for node 'dan'"),
        ("dan,red\nann,red\nbob,red\ncid,red\n", 1, "1 rows are left over, the first for node 'dan'"),
        ("node,label\nann,red\ncid,red\n", None, "1 of 3 nodes have no label, the first is 'bob'; add a row for each"),
        ("node,label\nx,red\ny,red\n", None, "these are the labels of another graph"),
        (
            "node,kind,size\nann,red,1\nbob,red,2\ncid,red,3\n",
            2,
            "3 columns, and nothing says which one holds the labels",
        ),
        ("ann,red,1\nbob,red,2\ncid,red,3\n", 1, "name it `label` in a header"),
        ("node,label\nann,red\nbob\ncid,red\n", 3, "expected 2 columns as in the other lines, found 1"),
        ("node,label\n", 1, "there is only a header in it; expected a node id and its label per line"),
        ("ann\nbob\ncid\n", 1, "found one column, expected a node id and its label per line"),
    ],
)
def test_what_is_refused(read, text, line, words):
    with pytest.raises(InputError) as caught:
        read(text)
    assert words in str(caught.value)
    assert caught.value.line == line


def test_a_left_over_number_is_no_header(read):
    with pytest.raises(InputError, match="1 rows are left over, the first for node '9'") as caught:
        read("9,new\n0,x\n1,x\n2,x\n", RANGE)
    assert caught.value.line == 1


def test_files_without_names_are_not_read(read):
    with pytest.raises(InputError, match=r"not read from a \.npy file; write CSV or Parquet with columns `node` and"):
        read(b"\x93NUMPY", name="labels.npy")
    with pytest.raises(InputError, match="no such file"):
        read_labels(Path("nowhere.csv"), NAMES)


class TestParquet:
    @pytest.fixture
    def read(self, tmp_path):
        def read(ids: NodeIds = NAMES, **columns):
            pq.write_table(pa.table(columns), tmp_path / "labels.parquet")
            return read_labels(tmp_path / "labels.parquet", ids).tolist()

        return read

    def test_by_name_and_by_place(self, read):
        assert read(size=[1, 2, 3], label=["z", "x", "y"], node=["cid", "ann", "bob"]) == ["x", "y", "z"]
        assert read(a=["cid", "ann", "bob"], b=["z", "x", "y"]) == ["x", "y", "z"]

    @pytest.mark.parametrize(
        ("labels", "texts"),
        [([7, 8, 7], ["7", "8", "7"]), ([True, False, True], ["true", "false", "true"])],
    )
    def test_numbers_are_texts(self, read, labels, texts):
        assert read(RANGE, node=[0, 1, 2], label=labels) == texts
        assert read(RANGE, node=[0, 1, 2], label=pa.array(labels).dictionary_encode()) == texts

    @pytest.mark.parametrize(
        ("columns", "words"),
        [
            ({"node": ["ann", "bob", "cid"]}, "found 1 columns, expected one of nodes and one of labels"),
            ({"node": ["ann", "bob", "cid"], "label": ["x", None, "y"]}, "the label of node 'bob' is empty"),
            ({"node": ["ann", "bob", "cid"], "label": [["x"], [], []]}, "expected texts or numbers"),
            ({"node": ["ann", "bob", "cid"], "a": [1, 2, 3], "b": [1, 2, 3]}, "which one holds the labels"),
            ({"node": ["ann", "bob"], "label": ["x", "y"]}, "1 of 3 nodes have no label, the first is 'cid'"),
        ],
    )
    def test_what_is_refused(self, read, columns, words):
        with pytest.raises(InputError, match=words):
            read(**columns)
