from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkwl import InputError, load_graph
from linkwl.graph.readers.triples import read_triples
from linkwl.graph.triple_columns import TripleColumns

NAMED = load_graph([("ann", "knows", "bob"), ("bob", "likes", "cid")])
NUMBERED = load_graph(pa.table({"head": [1, 5], "relation": [10, 20], "tail": [5, 9]}))


@pytest.fixture
def read(tmp_path):
    def read(content: str, graph, *columns):
        (tmp_path / "queries.csv").write_text(content)
        return read_triples(tmp_path / "queries.csv", graph, *columns).tolist()

    return read


@pytest.mark.parametrize(
    ("text", "graph", "triples"),
    [
        ("ann,knows,cid\ncid,likes,cid\nann,knows,cid\n", NAMED, [[0, 0, 2], [2, 1, 2], [0, 0, 2]]),
        ("ann,knows,cid\n", NAMED, [[0, 0, 2]]),
        ("tail,head,relation\ncid, ann ,knows\n", NAMED, [[0, 0, 2]]),
        ("ann,knows,cid,5\n", NAMED, [[0, 0, 2]]),
        ("1 20 9\n5 10 1\n", NUMBERED, [[0, 1, 2], [1, 0, 0]]),
    ],
)
def test_triples_in_the_order_of_the_file(read, text, graph, triples):
    assert read(text, graph) == triples


def test_columns_by_request(read):
    assert read("x,ann,cid,knows\n", NAMED, TripleColumns(2, 4, 3)) == [[0, 0, 2]]


@pytest.mark.parametrize(
    ("text", "graph", "line", "words"),
    [
        ("ann,knows,bob\nann,knows,bot\n", NAMED, 2, "unknown node 'bot'; did you mean 'bob'?"),
        ("ann,knows,bob\nann,know,bob\n", NAMED, 2, "unknown relation 'know'; did you mean 'knows'?"),
        ("WHO,DOES,WHAT\nann,knows,bob\n", NAMED, 1, "name its columns `head`, `relation` and `tail`"),
        ("1,10,5\n1,30,5\n", NUMBERED, 2, "unknown relation '30'"),
        ("ann,bob\nann,cid\n", NAMED, None, "found 2 columns, expected three"),
        ("ann,knows,bob\nann,knows\n", NAMED, 2, "expected 3 columns"),
    ],
)
def test_what_is_refused(read, text, graph, line, words):
    with pytest.raises(InputError) as caught:
        read(text, graph)
    assert words in str(caught.value)
    assert caught.value.line == line


def test_parquet(tmp_path):
    path = tmp_path / "queries.parquet"
    pq.write_table(pa.table({"head": ["ann", "ann"], "relation": ["knows", "likes"], "tail": ["cid", "bob"]}), path)
    assert read_triples(path, NAMED).tolist() == [[0, 0, 2], [0, 1, 1]]
    pq.write_table(pa.table({"head": ["ann", "bot"], "relation": ["knows", "likes"], "tail": ["cid", "bob"]}), path)
    with pytest.raises(InputError, match=r"row 2: unknown node 'bot'"):
        read_triples(path, NAMED)
