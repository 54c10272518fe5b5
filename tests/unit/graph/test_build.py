from __future__ import annotations

import networkx as nx
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwl.graph.build import build_graph
from linkwl.graph.name_maps import BadIdError

DICTIONARY = pa.dictionary(pa.int32(), pa.string())


def named_edges(graph) -> set[frozenset]:
    return {frozenset((graph.ids[p], graph.ids[q])) for p, q in graph.edges.tolist()}


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1), st.sampled_from([1, 3, 10**6, 10**17]))
@settings(max_examples=100, deadline=None)
def test_numbers_near_and_far_give_the_same_graph(rows, gap):
    """Gaps of 1 and 3 go through the table, larger ones through the dictionary."""
    expected = {frozenset((p * gap, q * gap)) for p, q in rows if p != q}
    columns = [pa.array([row[k] * gap for row in rows], pa.int64()) for k in (0, 1)]
    graph = build_graph(*columns)
    assert named_edges(graph) == expected
    assert list(graph.ids) == sorted({end * gap for row in rows for end in row})
    assert graph.intake.rows == len(rows)


@given(st.lists(st.tuples(st.text("abé ", max_size=3), st.text("abé ", max_size=3)), min_size=1), st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_texts_are_trimmed_and_mapped_in_any_chunks(rows, num_chunks):
    rows = [(f"x{a}", f"x{b}") for a, b in rows] + [("x", "y")]
    cuts = [len(rows) * k // num_chunks for k in range(num_chunks + 1)]
    columns = [
        pa.chunked_array(
            [
                pa.array([row[k] for row in rows[a:b]], pa.string()).dictionary_encode()
                for a, b in zip(cuts, cuts[1:], strict=False)
            ],
            type=DICTIONARY,
        )
        for k in (0, 1)
    ]
    graph = build_graph(*columns)
    tidy = [(a.strip(), b.strip()) for a, b in rows]
    assert list(graph.ids) == sorted({end for row in tidy for end in row}, key=str.encode)
    assert named_edges(graph) == {frozenset(row) for row in tidy if row[0] != row[1]}


def test_the_order_of_rows_does_not_matter():
    rows = [("ann", "bob"), ("cid", "ann"), ("bob", "dan")]
    digests = {
        build_graph(pa.array([a for a, _ in order]), pa.array([b for _, b in order])).digest
        for order in (rows, rows[::-1], [(b, a) for a, b in rows])
    }
    assert len(digests) == 1


def test_one_column_of_texts_makes_both_texts():
    graph = build_graph(pa.array([1, 2]), pa.array(["a", "1"]))
    assert list(graph.ids) == ["1", "2", "a"]
    assert graph.edges.tolist() == [[0, 1], [0, 2]]


def test_further_nodes_have_no_edge():
    graph = build_graph(pa.array([1]), pa.array([2]), nodes=pa.array([2, 9]))
    assert list(graph.ids) == [1, 2, 9]
    assert graph.degree.tolist() == [1, 1, 0]


@pytest.mark.parametrize("high", [9, 10**15])
def test_numbers_from_zero_without_gaps_are_a_range(high):
    graph = build_graph(pa.array([0, 1]), pa.array([1, 2]))
    assert graph.ids.is_range
    assert not build_graph(pa.array([0, 1]), pa.array([1, high])).ids.is_range


@pytest.mark.parametrize("is_directed", [False, True])
def test_directions_are_kept_if_asked_for(is_directed):
    graph = build_graph(pa.array(["a", "b"]), pa.array(["b", "a"]), is_directed=is_directed)
    assert graph.num_edges == (2 if is_directed else 1)


@pytest.mark.parametrize(
    ("source", "target", "text", "words"),
    [
        ([1, -4], [2, 3], "-4", "node id -4 is negative"),
        (["1", "-4"], ["2", "3"], "-4", "node id -4 is negative"),
        (["1", "2.5"], ["2", "3"], "2.5", "node id 2.5 is not written as a whole number"),
        (["1", "3e9"], ["2", "3"], "3e9", "not written as a whole number"),
        (["a", " "], ["b", "c"], "", "a node id is empty"),
    ],
)
def test_bad_names_are_refused(source, target, text, words):
    with pytest.raises(BadIdError, match=words) as caught:
        build_graph(pa.array(source), pa.array(target))
    assert caught.value.text == text


@pytest.mark.parametrize("odd", ["-4", "2.5", "nan", "1e3"])
def test_numbers_among_names_are_names(odd):
    assert odd in list(build_graph(pa.array(["ann", odd]), pa.array(["bob", "cid"])).ids)


def test_it_agrees_with_networkx_on_a_karate_club():
    club = nx.karate_club_graph()
    graph = build_graph(*(pa.array([f"m{edge[k]:02}" for edge in club.edges]) for k in (0, 1)))
    assert graph.degree.tolist() == [club.degree[v] for v in range(34)]
