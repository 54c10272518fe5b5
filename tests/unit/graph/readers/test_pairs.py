from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkwl.errors import InputError
from linkwl.graph import NodeIds
from linkwl.graph.readers.pairs import read_pairs
from linkwl.graph.sided_ids import SidedIds

NAMES = NodeIds(pa.array(["ann", "bob", "cid"]))
NUMBERS = NodeIds(pa.array([1, 5, 1234567890123456789]))
TEXTS = NodeIds(pa.array(["007", "7", "x"]))


@pytest.fixture
def read(tmp_path):
    def read(content: str, ids: NodeIds):
        (tmp_path / "pairs.csv").write_text(content)
        return read_pairs(tmp_path / "pairs.csv", ids).tolist()

    return read


@pytest.mark.parametrize(
    ("text", "ids", "pairs"),
    [
        ("bob,ann\nann,bob\nann,bob\ncid,cid\n", NAMES, [[1, 0], [0, 1], [0, 1], [2, 2]]),
        ("source,target\nbob, ann\n cid ,ann\n", NAMES, [[1, 0], [2, 0]]),
        ("target,weight,source\nbob,1,ann\n", NAMES, [[0, 1]]),
        ("5 1\n1234567890123456789 5\n", NUMBERS, [[1, 0], [2, 1]]),
        ("0,2\n2,0\n", NodeIds(3), [[0, 2], [2, 0]]),
        ("007,7\n", TEXTS, [[0, 1]]),
        ("7,7\n", TEXTS, [[1, 1]]),
    ],
)
def test_pairs_in_the_order_of_the_file(read, text, ids, pairs):
    assert read(text, ids) == pairs


@pytest.mark.parametrize(
    ("text", "ids", "line", "words"),
    [
        ("ann,bob\nann,bot\n", NAMES, 2, "unknown node 'bot'; did you mean 'bob'?"),
        ("source,target\n\nann, bot\n", NAMES, 3, "unknown node 'bot'"),
        ("1,5\n1,2\n", NUMBERS, 2, "unknown node '2'"),
        ("1,5\n1,05\n", NUMBERS, 2, "unknown node '05'"),
        ("1234567890123456789,5\nfoo,1\n", NUMBERS, 2, "unknown node 'foo'"),
        ("0,1\n0,-3\n", NodeIds(3), 2, "unknown node '-3'"),
        ("0,1\n,1\n", NodeIds(3), 2, "unknown node ''"),
        ("ann,bot\nfoo,bob\n", NAMES, 1, "unknown node 'bot'"),
        ("one,two\nann,bob\n", NAMES, 1, "If this line is a heading, name its columns `source` and `target`."),
        ("0,1\n0,1,2\n", NodeIds(3), 2, "expected 2 columns as in the other lines, found 3"),
    ],
)
def test_what_is_refused(read, text, ids, line, words):
    with pytest.raises(InputError) as caught:
        read(text, ids)
    assert words in str(caught.value)
    assert caught.value.line == line


def test_a_parquet_table(tmp_path):
    path = tmp_path / "pairs.parquet"
    pq.write_table(pa.table({"source": ["bob", "ann"], "target": ["ann", "cid"], "score": [0.5, 0.1]}), path)
    assert read_pairs(path, NAMES).tolist() == [[1, 0], [0, 2]]
    pq.write_table(pa.table({"source": ["bob", "ann"], "target": ["ann", "eve"]}), path)
    with pytest.raises(InputError, match="row 2: unknown node 'eve'"):
        read_pairs(path, NAMES)


def test_the_columns_are_the_sides(tmp_path):
    ids = SidedIds(NodeIds(pa.array([1, 2])), NodeIds(pa.array([2, 3])))
    path = tmp_path / "pairs.csv"
    path.write_text("1,3\n2,2\n")
    assert read_pairs(path, ids).tolist() == [[0, 3], [1, 2]]
    path.write_text("1,3\n3,2\n")
    with pytest.raises(InputError, match="unknown node on the left '3'"):
        read_pairs(path, ids)
