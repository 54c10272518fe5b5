from __future__ import annotations

import difflib
import hashlib

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwl.errors import UnknownNameError
from linkwl.graph.node_ids import NodeIds, whole_numbers

HUGE = 2**63 - 1


def texts(*names: str) -> NodeIds:
    return NodeIds(pa.array(sorted(names, key=str.encode)))


def digest(ids: NodeIds) -> str:
    running = hashlib.sha256()
    ids.update_digest(running)
    return running.hexdigest()


@given(st.sets(st.text(max_size=4), min_size=1, max_size=20))
@settings(max_examples=60, deadline=None)
def test_every_text_is_found_at_its_place(names):
    ids = texts(*names)
    assert [ids[k] for k in range(len(ids))] == list(ids) == sorted(names, key=str.encode)
    assert ids.indices(list(ids)).tolist() == list(range(len(ids)))
    assert ids.find(pa.array(["never such a name", *ids])).tolist() == [-1, *range(len(ids))]


@given(st.sets(st.integers(0, HUGE), min_size=1, max_size=20))
@settings(max_examples=60, deadline=None)
def test_every_number_is_found_as_number_and_as_text(numbers):
    ids = NodeIds(pa.array(sorted(numbers), type=pa.int64()))
    assert ids.are_numbers
    assert ids.indices(sorted(numbers)).tolist() == list(range(len(numbers)))
    assert ids.indices([str(number) for number in sorted(numbers)]).tolist() == list(range(len(numbers)))


def test_a_range_needs_no_table():
    ids = NodeIds(3)
    assert ids.is_range
    assert list(ids) == [0, 1, 2]
    assert ids.find(pa.array(["0", "2", "3", "-1", "01", "1.0", "x", ""])).tolist() == [0, 2, -1, -1, -1, -1, -1, -1]
    assert ids.take(np.array([2, 0])).to_pylist() == [2, 0]


@pytest.mark.parametrize("kind", [pa.int8(), pa.int32(), pa.int64(), pa.uint16(), pa.uint64()])
@pytest.mark.parametrize("ids", [NodeIds(3), NodeIds(pa.array([0, 2, 5]))])
def test_numbers_of_any_width_are_found(ids, kind):
    wanted = [0, 2, 100]
    expected = [list(ids).index(name) if name in list(ids) else -1 for name in wanted]
    assert ids.find(pa.array(wanted, type=kind)).tolist() == expected


def test_what_exceeds_64_bits_is_not_found():
    top = pa.array([2**64 - 1, 2**63], type=pa.uint64())
    assert NodeIds(3).find(top).tolist() == [-1, -1]
    assert NodeIds(pa.array([1, HUGE])).find(pa.array([str(2**64), str(2**63), str(HUGE)])).tolist() == [-1, -1, 1]


def test_missing_names_are_not_found():
    assert NodeIds(3).find(pa.array([None, 1])).tolist() == [-1, 1]
    assert texts("a", "b").find(pa.array([None, "b"])).tolist() == [-1, 1]


def test_chunked_columns_are_found_in_order():
    column = pa.chunked_array([["b"], [], ["a", "c"]], type=pa.string())
    assert texts("a", "b").find(column).tolist() == [1, 0, -1]
    assert NodeIds(5).find(pa.chunked_array([[3], [9, 0]])).tolist() == [3, -1, 0]


def test_an_unknown_name_offers_the_nearest():
    with pytest.raises(UnknownNameError, match="unknown node 'bot'; did you mean 'bob'"):
        texts("ann", "bob", "cid").indices(["ann", "bot"])
    with pytest.raises(UnknownNameError, match="unknown node '1235'; did you mean '1234'"):
        NodeIds(pa.array([7, 1234])).indices([1235])


class CountedIds(NodeIds):
    """Counts the names that are read one by one."""

    num_read = 0

    def __getitem__(self, index):
        self.num_read += 1
        return super().__getitem__(index)


def test_an_unknown_name_among_very_many_is_compared_with_those_around_it(monkeypatch):
    compared, find = [], difflib.get_close_matches

    def spy(name, known, **options):
        compared.append(len(known))
        return find(name, known, **options)

    monkeypatch.setattr(difflib, "get_close_matches", spy)
    ids = CountedIds(pa.array(sorted(f"node{k}" for k in range(200_000))))
    with pytest.raises(UnknownNameError, match="'node77777'"):
        ids.indices(["node777777"])
    assert compared == [10_000]
    assert ids.num_read <= 18  # a search by halves
    assert len(ids.around("zzz")) == 10_000
    assert ids.around("node5", count=3) == ["node49999", "node5", "node50"]
    assert NodeIds(100).around("50", count=4) == [48, 49, 50, 51]
    assert NodeIds(3).around("x") == [0, 1, 2]


def test_an_unknown_name_offers_names_that_end_with_it_wherever_they_are():
    ids = NodeIds(pa.array(sorted([*(f"node{k}" for k in range(30_000)), "a:City", "a:velocity", "CITY", "a/city"])))
    with pytest.raises(UnknownNameError, match=r"unknown node 'city'; did you mean 'CITY' or 'a/city' or 'a:City'\?"):
        ids.indices(["city"])
    assert set(ids.around("city", count=3)) > {"CITY", "a/city", "a:City"}
    assert texts("a", "b:").around("") == ["a", "b:"]


def test_indexing_from_both_ends():
    ids = texts("a", "b", "c")
    assert (ids[-1], ids[np.int64(1)]) == ("c", "b")
    for index in (3, -4):
        with pytest.raises(IndexError, match="3 nodes"):
            ids[index]


def test_the_digest_tells_where_a_name_ends():
    assert digest(texts("a", "bc")) != digest(texts("ab", "c"))
    assert digest(texts("0", "1")) != digest(NodeIds(pa.array([0, 1])))
    assert digest(texts("é")) == digest(texts("é"))


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("7", 7), (str(HUGE), HUGE), (str(HUGE + 1), None), ("1" * 19, int("1" * 19)), ("1" * 20, None)]
    + [(text, None) for text in ("", "007", "-1", "+1", "1.0", "1e3", "0x1", " 1", "1\n", "٣", "a")],
)
def test_whole_numbers_are_plain_decimals(text, number):
    assert whole_numbers(pa.array([text])).to_pylist() == [number]


def test_repr_counts():
    assert repr(NodeIds(3)) == "NodeIds(3 numbers)"
    assert repr(texts("a")) == "NodeIds(1 texts)"


def test_names_are_extended_by_others():
    ids = NodeIds(pa.array(["b", "d"]))
    both, index = ids.extended(NodeIds(pa.array(["a", "b", "c", "d"])))
    assert list(both) == ["b", "d", "a", "c"]
    assert index.tolist() == [2, 0, 3, 1]
    assert both.indices(["c", "d"]).tolist() == [3, 1]
    same, index = ids.extended(NodeIds(pa.array(["d"])))
    assert same is ids
    assert index.tolist() == [1]
    mixed, _ = NodeIds(2).extended(ids)
    assert list(mixed) == ["0", "1", "b", "d"]
    longer, index = NodeIds(2).extended(NodeIds(3))
    assert list(longer) == [0, 1, 2]
    assert index.tolist() == [0, 1, 2]
