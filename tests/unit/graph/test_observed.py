"""What every kind of graph must do, checked against plain Python sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import path_graph, raw_rows
from linkwl.graph import Graph, KnowledgeGraph, Observed

SMALL = KnowledgeGraph.from_triples([(0, 0, 1), (0, 1, 1), (1, 0, 0), (2, 1, 2)], 4, 2)


def as_set(graph: Observed, queries) -> set[tuple[int, ...]]:
    """The queries that can be facts, each in the order in which the graph names it."""
    found = {tuple(query) for query in np.asarray(queries).tolist()}
    if graph.task == "triples":
        return found
    found = {(p, q) for p, q in found if p != q}
    return found if graph.is_directed else {(min(pair), max(pair)) for pair in found}


def ends(query) -> frozenset[int]:
    return frozenset((query[0], query[-1]))


@st.composite
def graphs_and_queries(draw: st.DrawFn) -> tuple[Observed, np.ndarray]:
    """A graph and queries about it: facts and others, loops and copies, either way round."""
    num_nodes, rows = draw(raw_rows(max_nodes=7))
    node = st.integers(0, num_nodes - 1)
    if draw(st.booleans()):
        num_relations = draw(st.integers(1, 3))
        relation = st.integers(0, num_relations - 1)
        rows = [(h, draw(relation), t) for h, t in rows]
        graph = KnowledgeGraph.from_triples(rows, num_nodes, num_relations, name="some")
        query = st.tuples(node, relation, node)
    else:
        graph = Graph.from_pairs(rows, num_nodes, is_directed=draw(st.booleans()), name="some")
        query = st.tuples(node, node)
    queries = draw(st.lists(query | st.sampled_from(rows) if rows else query, max_size=20))
    return graph, np.array(queries, dtype=np.int32).reshape(-1, 2 if graph.task == "pairs" else 3)


@pytest.mark.parametrize("graph", [path_graph(), SMALL])
def test_both_kinds_are_observed(graph):
    assert isinstance(graph, Observed)
    assert graph.num_facts == len(graph.facts) == graph.record.edges
    assert graph.record.digest == graph.digest
    assert graph.density == graph.num_facts / (graph.num_facts + graph.num_absent)
    assert graph.facts.dtype == np.int32
    assert (graph.features, graph.num_features) == (None, 0)


@given(graphs_and_queries())
@settings(max_examples=200, deadline=None)
def test_facts_and_queries_as_sets(sample):
    graph, queries = sample
    facts, asked = as_set(graph, graph.facts), as_set(graph, queries)
    assert len(facts) == graph.num_facts
    assert graph.facts.tolist() == [list(fact) for fact in sorted(facts)]
    assert graph.contains(queries).tolist() == [bool(as_set(graph, [query]) & facts) for query in queries.tolist()]
    assert as_set(graph, graph.without(queries).facts) == facts - asked
    assert as_set(graph, graph.with_(queries).facts) == facts | asked
    assert as_set(graph, graph.reserve(queries).facts) == facts | asked
    for other in (graph.without(queries), graph.with_(queries), graph.reserve(queries)):
        assert type(other) is type(graph)
        assert (other.name, other.is_directed, other.num_nodes) == ("some", graph.is_directed, graph.num_nodes)
        assert other.facts.tolist() == sorted(other.facts.tolist())
    assert graph.check_queries(queries).dtype == np.int32


@given(graphs_and_queries(), st.data())
@settings(max_examples=100, deadline=None)
def test_absent_queries_by_rank(sample, data):
    graph, _ = sample
    absent = graph.absent(np.arange(graph.num_absent))
    assert absent.tolist() == sorted(absent.tolist())
    assert len(as_set(graph, absent)) == graph.num_absent
    assert not graph.contains(absent).any()
    ranks = data.draw(st.lists(st.integers(0, max(graph.num_absent - 1, 0)), max_size=graph.num_absent).map(sorted))
    assert graph.absent(np.array(ranks, dtype=int)).tolist() == [absent[rank].tolist() for rank in ranks]


@given(graphs_and_queries(), st.data())
@settings(max_examples=150, deadline=None)
def test_hiding_equals_without(sample, data):
    graph, queries = sample
    hide = graph.hider(queries)
    for _ in range(2):
        places = np.array(data.draw(st.lists(st.integers(0, max(len(queries) - 1, 0)), max_size=len(queries))), int)
        hidden = hide(places)
        assert hidden.digest == graph.without(queries[places]).digest
        assert hidden.intake is None


@given(graphs_and_queries())
@settings(max_examples=100, deadline=None)
def test_links_and_cuts_forget_directions(sample):
    graph, queries = sample
    pairs = queries[:, [0, -1]]
    either_way = {frozenset(pair) for pair in pairs.tolist()}
    kept = {fact for fact in as_set(graph, graph.facts) if ends(fact) not in either_way}
    assert as_set(graph, graph.cut(pairs).facts) == kept
    assert not graph.links.is_directed
    joined = {ends(fact) for fact in graph.facts.tolist() if fact[0] != fact[-1]}
    assert {frozenset(edge) for edge in graph.links.edges.tolist()} == joined
    assert graph.links is graph.links
    assert graph.is_directed or graph.links is graph


@given(graphs_and_queries(), st.data())
@settings(max_examples=60, deadline=None)
def test_subgraphs_keep_the_facts_of_their_labels(sample, data):
    graph, _ = sample
    count = graph.num_facts
    label = np.array(data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count)), dtype=np.int8)
    groups = [(0,), (1, 2), (), (0, 1, 2)]
    for group, part in zip(groups, graph.subgraphs(label, groups), strict=True):
        assert part.facts.tolist() == graph.facts[np.isin(label, group)].tolist()
        assert (part.intake, part.num_nodes) == (None, graph.num_nodes)


@pytest.mark.parametrize("graph", [path_graph(), SMALL])
def test_what_belongs_to_the_nodes_stays_but_for_what_is_reserved(graph):
    graph = graph.with_features(np.ones((4, 2), dtype=np.float32))
    query, pair = graph.absent(np.array([0])), np.array([(0, 2)])
    for other in (graph.with_(query), graph.without(query), graph.cut(pair), graph.hider(query)(np.array([0]))):
        assert other.num_features == 2
        assert other.ids is graph.ids
    assert graph.links.num_features == 2
    assert graph.reserve(query).features is None


@pytest.mark.parametrize("graph", [path_graph(), SMALL])
def test_misuse_is_a_value_error(graph):
    for ranks in ([graph.num_absent], [-1], [1, 0]):
        with pytest.raises(ValueError, match="must ascend within"):
            graph.absent(np.array(ranks))
    queries = graph.facts
    for bad in (queries[:, :1], queries + 4, queries - 1, queries.astype(float)):
        for method in (graph.check_queries, graph.contains, graph.without, graph.with_, graph.hider, graph.reserve):
            with pytest.raises(ValueError, match="must"):
                method(bad)
    with pytest.raises(ValueError, match=r"0 \.\. 3"):
        graph.cut(np.array([(0, 4)]))
