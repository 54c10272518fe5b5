from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkwl import InputError, load_graph
from linkwl.graph import NodeIds
from linkwl.graph.readers.entity_types import read_types

NAMES = NodeIds(pa.array(["ann", "bob", "cid"]))
EXPECTED = [["person"], ["admin", "person"], []]


@pytest.mark.parametrize(
    "text",
    [
        "entity,type\nann,person\nbob,person\nbob,admin\n",
        "type\tid\nperson\tann\nperson\tbob\nadmin\tbob\nadmin\tbob\n",
        "ann,person\nbob,person\nbob,admin\n",
        "who,what\nann,person\nbob, person \nbob,admin\n",
        "age,entity,type\n1,ann,person\n2,bob,person\n3,bob,admin\n",
    ],
)
def test_types_of_entities(tmp_path, text):
    (tmp_path / "types.csv").write_text(text)
    types = read_types(tmp_path / "types.csv", NAMES)
    assert [types.of(node) for node in range(3)] == EXPECTED


def test_parquet(tmp_path):
    table = pa.table({"node": ["ann", "bob", "bob"], "type": ["person", "person", "admin"]})
    pq.write_table(table, tmp_path / "types.parquet")
    assert [read_types(tmp_path / "types.parquet", NAMES).of(node) for node in range(3)] == EXPECTED


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("ann,person\nzoe,person\n", 2, "1 of 2 rows are of entities that are not in the graph, the first of 'zoe'"),
        ("ann,person\nbob,\n", 2, "the type of node 'bob' is empty"),
        ("ann\nbob\n", 1, "expected a node id and its type per line"),
        ("ann,person,x\nbob,person,y\n", 1, "nothing says which one holds the types; name it `type` in a header"),
    ],
)
def test_what_is_refused(tmp_path, text, line, words):
    (tmp_path / "types.csv").write_text(text)
    with pytest.raises(InputError) as caught:
        read_types(tmp_path / "types.csv", NAMES)
    assert words in str(caught.value)
    assert caught.value.line == line


def test_a_loaded_graph_has_them(tmp_path):
    (tmp_path / "types.csv").write_text("entity,type\nann,person\n")
    graph = load_graph([("ann", "knows", "bob")], types=tmp_path / "types.csv")
    assert graph.types.of(0) == ["person"]
    with pytest.raises(InputError, match="only the entities of triples have types"):
        load_graph([("ann", "bob")], types=tmp_path / "types.csv")
