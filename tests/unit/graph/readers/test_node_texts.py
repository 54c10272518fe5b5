from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkwl.errors import InputError
from linkwl.graph import NodeIds
from linkwl.graph.readers.node_texts import read_node_texts

NAMES = NodeIds(pa.array(["ann", "bob"]))


def test_rows_and_lines(tmp_path):
    (tmp_path / "x.csv").write_text("node,colour\n\nann, red \nzoe,blue\nann,red\n")
    nodes, texts, lines = read_node_texts(tmp_path / "x.csv", NAMES, "colour")
    assert (nodes.to_pylist(), texts.to_pylist()) == (["ann", "zoe", "ann"], ["red", "blue", "red"])
    assert lines == [3, 4, 5]


def test_parquet_has_no_lines(tmp_path):
    pq.write_table(pa.table({"colour": [1, 2], "node": ["ann", "bob"]}), tmp_path / "x.parquet")
    nodes, texts, lines = read_node_texts(tmp_path / "x.parquet", NAMES, "colour")
    assert (nodes.to_pylist(), texts.to_pylist(), lines) == (["ann", "bob"], ["1", "2"], None)


def test_sentences_say_what_is_read(tmp_path):
    (tmp_path / "x.csv").write_text("ann,red\nbob,\n")
    with pytest.raises(InputError, match=r"line 2: the colour of node 'bob' is empty"):
        read_node_texts(tmp_path / "x.csv", NAMES, "colour")
    (tmp_path / "x.npy").write_bytes(b"x")
    with pytest.raises(InputError, match=r"colours are not read from a \.npy file"):
        read_node_texts(tmp_path / "x.npy", NAMES, "colour")
