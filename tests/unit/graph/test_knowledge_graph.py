from __future__ import annotations

import dataclasses

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwl.errors import UnknownNameError
from linkwl.graph import KnowledgeGraph, NodeIds
from triple_graphs import small_knowledge_graphs

TRIPLES = [(0, 0, 1), (1, 1, 2), (2, 0, 2)]


def small(**fields) -> KnowledgeGraph:
    return KnowledgeGraph.from_triples(TRIPLES, 3, 2, **fields)


@st.composite
def raw_triples(draw: st.DrawFn) -> tuple[int, int, list[tuple[int, int, int]]]:
    """Numbers of nodes and relations, and triples among them: copies and loops come up often."""
    num_nodes, num_relations = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    node = st.integers(0, num_nodes - 1)
    return num_nodes, num_relations, draw(st.lists(st.tuples(node, st.integers(0, num_relations - 1), node)))


@given(raw_triples())
@settings(max_examples=150, deadline=None)
def test_triples_are_a_set_and_the_intake_counts_copies(sample):
    num_nodes, num_relations, rows = sample
    graph = KnowledgeGraph.from_triples(rows, num_nodes, num_relations)
    assert graph.triples.tolist() == [list(triple) for triple in sorted(set(rows))]
    assert (graph.triples.dtype, graph.triples.shape) == (np.int32, (len(set(rows)), 3))
    assert (graph.num_nodes, graph.num_relations) == (num_nodes, num_relations)
    intake = graph.intake
    assert (intake.form, intake.rows, intake.duplicates) == ("triples", len(rows), len(rows) - len(set(rows)))
    assert intake.rows == graph.num_facts + intake.self_loops + intake.duplicates + intake.reversed_duplicates


@given(raw_triples())
@settings(max_examples=100, deadline=None)
def test_rows_by_head_and_by_tail(sample):
    num_nodes, num_relations, rows = sample
    graph = KnowledgeGraph.from_triples(rows, num_nodes, num_relations)
    for v in range(num_nodes):
        by_head = graph.triples[graph.head_ptr[v] : graph.head_ptr[v + 1]]
        assert by_head.tolist() == sorted(list(t) for t in set(rows) if t[0] == v)
        by_tail = graph.triples[graph.tail_order[graph.tail_ptr[v] : graph.tail_ptr[v + 1]]]
        assert by_tail.tolist() == sorted(list(t) for t in set(rows) if t[2] == v)


@given(raw_triples(), st.randoms())
@settings(max_examples=60, deadline=None)
def test_the_digest_does_not_depend_on_the_order_of_rows(sample, random):
    num_nodes, num_relations, rows = sample
    shuffled = rows + rows[:3]
    random.shuffle(shuffled)
    first = KnowledgeGraph.from_triples(rows, num_nodes, num_relations)
    assert KnowledgeGraph.from_triples(shuffled, num_nodes, num_relations).digest == first.digest


def test_the_digest_depends_on_everything_that_matters_and_on_nothing_else():
    features = np.arange(6, dtype=np.float32).reshape(3, 2)
    texts = pa.array(["a", "b", "c"])
    variants = [
        small(),
        KnowledgeGraph.from_triples(TRIPLES, 4, 2),
        KnowledgeGraph.from_triples(TRIPLES, 3, 3),
        KnowledgeGraph.from_triples(TRIPLES[:2], 3, 2),
        KnowledgeGraph.from_triples([(t, r, h) for h, r, t in TRIPLES], 3, 2),
        small(ids=NodeIds(texts)),
        small(relations=NodeIds(texts[:2])),
        small(features=features),
        small(features=features + 1),
        small(features=sp.csr_array(features)),
        small().links,
    ]
    assert len({graph.digest for graph in variants}) == len(variants)
    assert dataclasses.replace(small(), name="other").digest == small().digest


def test_the_digest_is_what_it_was():
    """A record written today names the same graph tomorrow."""
    assert small().digest.startswith("0e4b7c05dd6496ca")


def test_loops_are_facts():
    graph = small()
    assert graph.contains(np.array([(2, 0, 2), (2, 1, 2)])).tolist() == [True, False]
    assert graph.num_absent == 3 * 2 * 3 - 3
    assert graph.links.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.cut(np.array([(2, 2)])).facts.tolist() == [[0, 0, 1], [1, 1, 2]]
    assert graph.cut(np.array([(1, 0)])).facts.tolist() == [[1, 1, 2], [2, 0, 2]]


def test_absent_triples_of_a_graph_with_far_too_many_to_list():
    num_nodes, num_relations = 2_000_000, 1_000
    rows = np.random.default_rng(0).integers(0, (num_nodes, num_relations, num_nodes), (1000, 3))
    graph = KnowledgeGraph.from_triples(rows, num_nodes, num_relations)
    assert graph.num_absent == num_nodes**2 * num_relations - 1000
    ranks = np.sort(np.random.default_rng(1).integers(0, graph.num_absent, 1000))
    absent = graph.absent(ranks)
    assert not graph.contains(absent).any()
    assert graph.absent(np.array([0, graph.num_absent - 1])).tolist()[1] == [
        num_nodes - 1,
        num_relations - 1,
        num_nodes - 1,
    ]
    place = np.searchsorted(graph._fact_numbers, graph._numbers(absent))
    assert (graph._numbers(absent) - place == ranks).all()


def test_names_of_nodes_and_relations():
    relations = NodeIds(pa.array(["likes", "knows"]).take(pa.array([1, 0])), kind="relation")
    graph = small(ids=NodeIds(pa.array(["ann", "bob", "cid"])), relations=relations, name="people")
    assert repr(graph) == "KnowledgeGraph('people', 3 nodes, 2 relations, 3 triples)"
    assert graph.relations.indices(["likes"]).tolist() == [1]
    with pytest.raises(UnknownNameError, match="unknown relation 'like'; did you mean 'likes'"):
        graph.relations.indices(["like"])
    with pytest.raises(IndexError, match="relation index 2 is out of range for 2 relations"):
        graph.relations[2]
    kept = [
        graph.with_(TRIPLES),
        graph.without(TRIPLES[:1]),
        graph.cut([(0, 1)]),
        *graph.subgraphs(np.zeros(3, int), [(0,)]),
    ]
    assert all(other.relations is relations for other in kept)
    reserved = graph.reserve([(0, 1, 2)])
    assert (reserved.ids.is_range, reserved.relations.is_range, reserved.num_relations) == (True, True, 2)
    assert graph.links.ids is graph.ids


def test_arrays_cannot_be_written_and_fields_not_set():
    rows = np.array(TRIPLES)
    graph = KnowledgeGraph.from_triples(rows, 3, 2, features=np.ones((3, 1), dtype=np.float32))
    rows[:] = 0
    assert graph.num_facts == 3
    for array in (graph.triples, graph.features, graph.head_ptr, graph.tail_ptr, graph.tail_order):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        graph.name = "other"
    assert graph.with_features(None).num_features == 0


def test_graphs_without_triples():
    for num_nodes, num_relations in [(0, 0), (0, 2), (3, 0), (3, 2)]:
        graph = KnowledgeGraph.from_triples([], num_nodes, num_relations)
        assert graph.facts.shape == (0, 3)
        assert graph.density == 0
        assert len(graph.absent(np.arange(graph.num_absent))) == graph.num_absent
        assert graph.contains([]).shape == (0,)
        assert graph.links.num_edges == 0
        assert graph.cut([]).digest == graph.without([]).digest == graph.with_([]).digest == graph.digest
        assert len(graph.head_ptr) == len(graph.tail_ptr) == num_nodes + 1


@pytest.mark.parametrize(
    ("misuse", "words"),
    [
        (lambda: KnowledgeGraph.from_triples([(0, 0, 3)], 3, 2), r"tails 0 \.\. 2 of the graph, got 3 \.\. 3"),
        (lambda: KnowledgeGraph.from_triples([(-1, 0, 0)], 3, 2), r"heads 0 \.\. 2"),
        (lambda: KnowledgeGraph.from_triples([(0, 2, 0)], 3, 2), r"relations 0 \.\. 1"),
        (lambda: KnowledgeGraph.from_triples([(0, 1)], 3, 2), "a head, a relation and a tail"),
        (lambda: KnowledgeGraph.from_triples([], 2**31, 1), "possible triples"),
        (lambda: KnowledgeGraph.from_triples([], 2**30, 8), "possible triples"),
        (lambda: small(ids=NodeIds(4)), "`ids` must have 3 names, got 4"),
        (lambda: small(relations=NodeIds(3)), "`relations` must have 2 names, got 3"),
        (lambda: small(features=np.ones((2, 1), dtype=np.float32)), "one row per node"),
        (lambda: small().select(np.array([True])), "one flag per triple"),
    ],
)
def test_misuse_is_a_value_error(misuse, words):
    with pytest.raises(ValueError, match=words):
        misuse()


def test_the_graph_of_some_nodes():
    ids = NodeIds(pa.array(["a", "b", "c", "d"]))
    features = np.arange(8, dtype=np.float32).reshape(4, 2)
    facts = [(0, 0, 1), (1, 1, 3), (3, 0, 3), (2, 0, 1)]
    graph = KnowledgeGraph.from_triples(facts, 4, 2, ids=ids, features=features, name="g")
    inside = graph.of_nodes(np.array([1, 3]))
    assert (inside.name, list(inside.ids), inside.num_relations) == ("g", ["b", "d"], 2)
    assert inside.triples.tolist() == [[0, 1, 1], [1, 0, 1]]
    assert inside.features.tolist() == [[2, 3], [6, 7]]
    numbered = KnowledgeGraph.from_triples(facts, 4, 2).of_nodes(np.array([1, 3]))
    assert list(numbered.ids) == [1, 3]


def named(triples, relations, num_nodes=4):
    names = sorted({relation for _, relation, _ in triples} | set(relations))
    ids = NodeIds(pa.array(names), kind="relation")
    rows = [(h, names.index(r), t) for h, r, t in triples]
    return KnowledgeGraph.from_triples(rows, num_nodes, len(names), relations=ids)


def fact_names(graph):
    return {(int(h), graph.relations[int(r)], int(t)) for h, r, t in graph.triples}


def test_relations_are_matched_by_name_and_unknown_ones_come_last():
    facts = [(0, "likes", 1), (1, "asks", 2), (2, "knows", 3), (0, "asks", 1)]
    graph = named(facts, [])
    fitted = NodeIds(pa.array(["knows", "likes", "owns"]), kind="relation")
    other = graph.with_relations(fitted)
    assert list(other.relations) == ["knows", "likes", "owns", "asks"]
    assert fact_names(other) == set(facts)
    assert (np.diff(other._numbers(other.triples)) > 0).all()
    assert other.contains([(1, 3, 2), (0, 1, 1), (1, 0, 2)]).tolist() == [True, True, False]
    assert list(other.ids) == list(graph.ids)
    assert graph.with_relations(graph.relations) is graph
    with pytest.raises(UnknownNameError, match="unknown relation 'ask'; did you mean 'asks'"):
        other.relations.indices(["ask"])


def test_relations_that_are_numbers_here_and_texts_there():
    graph = KnowledgeGraph.from_triples([(0, 0, 1), (1, 1, 2)], 3, 2)
    assert graph.with_relations(NodeIds(5, kind="relation")).num_relations == 5
    assert fact_names(graph.with_relations(NodeIds(pa.array(["1", "x"])))) == {(0, "0", 1), (1, "1", 2)}


@settings(max_examples=30)
@given(small_knowledge_graphs())
def test_facts_between_pairs(graph):
    pairs = np.array([(h, t) for h in range(graph.num_nodes) for t in range(0, graph.num_nodes, 2)])[::-1]
    owner, relation = graph.facts_between(pairs)
    found = {(*pairs[k].tolist(), int(r)) for k, r in zip(owner, relation, strict=True)}
    assert len(found) == len(owner)
    assert found == {(h, t, r) for h, r, t in graph.triples.tolist() if t % 2 == 0}
    assert graph.has_loops == any(h == t for h, _, t in graph.triples.tolist())
