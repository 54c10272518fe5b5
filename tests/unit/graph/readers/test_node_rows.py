from __future__ import annotations

from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest

from linkwl.errors import InputError
from linkwl.graph import NodeIds
from linkwl.graph.readers.node_rows import node_column, row_of_node

IDS = NodeIds(pa.array(["ann", "bob", "cid"]))
rows = partial(row_of_node, file="the ages", row="age", remedy="ask them")


@pytest.mark.parametrize(
    ("names", "column"),
    [((), 0), (("a", "b"), 0), (("a", "Node"), 1), (("name", "a", "node_id"), 2), (("name", "id"), 1)],
)
def test_the_column_of_nodes(names, column):
    assert node_column(names) == column


def test_the_row_of_every_node():
    assert rows(pa.array(["cid", "ann", "bob"]), IDS, Path("x")).tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["ann", "bob", "bob", "cid"], "x.csv, line 12: node 'bob' has a second age; keep one."),
        (["ann", "zoe", "cid", "bob"], "x.csv, line 11: 1 rows are left over, the first for node 'zoe'"),
        (["ann", "cid"], "x.csv: 1 of 3 nodes have no age, the first is 'bob'; ask them."),
        (["dan", "eve"], "x.csv: none of its node ids is in the graph: these are the ages of another graph."),
    ],
)
def test_what_is_refused(names, message):
    with pytest.raises(InputError) as caught:
        rows(pa.array(names), IDS, Path("x.csv"), range(10, 20))
    assert str(caught.value).startswith(message)
