from __future__ import annotations

import pyarrow as pa
import pytest

from linkwl.errors import InputError
from linkwl.graph.name_maps import BadIdError, map_nodes, map_relations, name_column


def test_names_of_all_columns_are_numbered_in_their_order():
    indices, ids = map_nodes([pa.array(["bob", " ann "]), pa.chunked_array([["cid"], ["ann"]])])
    assert [column.tolist() for column in indices] == [[1, 0], [2, 0]]
    assert list(ids) == ["ann", "bob", "cid"]


def test_numbers_and_texts_together_are_texts():
    _, ids = map_nodes([pa.array([10, 9]), pa.array(["b", "9"])])
    assert list(ids) == ["10", "9", "b"]


@pytest.mark.parametrize(
    ("column", "names"),
    [
        ([3, 1, 3], [1, 3]),
        ([1, 0], [0, 1]),
        ([-1, 5], ["-1", "5"]),
        (["likes", "-3", "1.5"], ["-3", "1.5", "likes"]),
        (["-3", "1.5"], ["-3", "1.5"]),
        ([" a b ", "a b"], ["a b"]),
    ],
)
def test_relations_have_any_name(column, names):
    (indices,), found = map_relations([pa.array(column)])
    assert list(found) == names
    assert [found[k] for k in indices] == [
        name.strip() if isinstance(name, str) else found[k] for k, name in zip(indices, column, strict=True)
    ]
    with pytest.raises(IndexError, match="relation index"):
        found[len(names)]


def test_no_relation_is_empty():
    with pytest.raises(BadIdError, match="a relation is empty") as caught:
        map_relations([pa.array(["a", " "])])
    assert (caught.value.kind, caught.value.text) == ("relation", "")


def test_bad_nodes():
    for column, words in ((["a", ""], "is empty"), (["-1", "2"], "negative"), (["1.5", "2"], "whole number")):
        with pytest.raises(BadIdError, match=words) as caught:
            map_nodes([pa.array(column)])
        assert caught.value.kind == "node"


def test_python_names():
    assert name_column([1, 2]).type == pa.int64()
    assert name_column([1, "a"]).to_pylist() == ["1", "a"]
    for names in ([1.5], [None]):
        with pytest.raises(InputError):
            name_column(names)
