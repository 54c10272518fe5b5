from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from linkwl import KnowledgeGraph, rank_missing_links
from linkwl.engine import ProcessEngine
from linkwl.models.base import FormulaScorer
from linkwl.predict import candidates, triple_candidates
from linkwl.predict.triple_candidates import TripleGrid, TriplesOfRoles, TriplesWithinHops
from triple_graphs import fact_set, random_triples, small_knowledge_graphs


def few_values(queries):
    """A score with many ties."""
    return (queries.astype(np.int64) @ [3, 5, 7]) % 4.0


def scorer_of(graph):
    return FormulaScorer(graph, few_values)


def expected(graph, is_asked):
    """All candidates, best first, one by one."""
    n, loops = graph.num_nodes, graph.has_loops
    triples = [
        (h, r, t)
        for h in range(n)
        for r in range(graph.num_relations)
        for t in range(n)
        if (h != t or loops) and is_asked(h, r, t)
    ]
    absent = [triple for triple in triples if triple not in fact_set(graph.triples)]
    return sorted(absent, key=lambda triple: (-few_values(np.array([triple]))[0], triple))


def ranked(graph, chosen, k=10**6, **options):
    queries, scores = rank_missing_links(scorer_of(graph), graph, k, candidates=chosen, **options)
    np.testing.assert_array_equal(scores, few_values(queries))
    return [tuple(query) for query in queries.tolist()]


def without_loops(graph):
    return graph.select(graph.triples[:, 0] != graph.triples[:, 2])


@settings(max_examples=25, deadline=None)
@given(small_knowledge_graphs())
def test_all_triples_are_ranked_and_ties_ascend(sample):
    for graph in (sample, without_loops(sample)):
        everything = expected(graph, lambda *_: True)
        assert ranked(graph, None) == everything
        assert ranked(graph, TripleGrid(graph), k=7) == everything[:7]


@settings(max_examples=25, deadline=None)
@given(small_knowledge_graphs())
def test_triples_of_roles_have_ends_that_their_relation_already_has(graph):
    heads, tails = ({(r, fact[k]) for fact in graph.triples.tolist() for r in [fact[1]]} for k in (0, 2))
    chosen = expected(graph, lambda h, r, t: (r, h) in heads and (r, t) in tails)
    assert ranked(graph, TriplesOfRoles(graph)) == chosen
    for relation in range(graph.num_relations):
        assert ranked(graph, TriplesOfRoles(graph, relation)) == [triple for triple in chosen if triple[1] == relation]


def test_the_share_of_facts_with_roles():
    facts = [(0, 0, 1), (0, 0, 2), (3, 0, 1), (4, 1, 4)]
    assert TriplesOfRoles(KnowledgeGraph.from_triples(facts, 5, 2)).share_of_links() == 0.25
    assert TriplesOfRoles(KnowledgeGraph.from_triples(np.empty((0, 3), dtype=int), 5, 2)).share_of_links() == 0


@pytest.mark.parametrize("block", [1, 5, 64, 1 << 18])
def test_blocks_make_no_difference(block, monkeypatch):
    graph = random_triples(9, 4, 60)
    everything = ranked(graph, TripleGrid(graph))
    near = ranked(graph, TriplesWithinHops(graph, 2))
    monkeypatch.setattr(candidates, "BLOCK", block)
    monkeypatch.setattr(candidates, "NODES_PER_PART", 2)
    progress = []
    assert ranked(graph, TripleGrid(graph), on_progress=lambda *told: progress.append(told)) == everything
    assert ranked(graph, TripleGrid(graph), k=5) == everything[:5]
    assert ranked(graph, TriplesWithinHops(graph, 2)) == near
    assert progress[-1][0] == progress[-1][1] == TripleGrid(graph).total


def test_there_are_never_too_many_parts(monkeypatch):
    monkeypatch.setattr(triple_candidates, "_MOST_PARTS", 3)
    monkeypatch.setattr(candidates, "BLOCK", 8)
    graph = random_triples(9, 4, 60)
    grid = TripleGrid(graph)
    assert len(grid.parts()) <= 3
    assert ranked(graph, grid) == expected(graph, lambda *_: True)


@pytest.mark.parametrize("relation", [None, 2])
def test_grids(relation):
    graph = random_triples(9, 4, 60)
    grids = [(np.array([1, 5]), np.arange(9)), (np.array([0, 2]), np.array([4]))]
    found = ranked(graph, TripleGrid(graph, grids, relation))
    pairs = {(h, t) for heads, tails in grids for h in heads.tolist() for t in tails.tolist()}
    assert found == expected(graph, lambda h, r, t: (h, t) in pairs and relation in (None, r))


@pytest.mark.parametrize("relation", [None, 1])
@pytest.mark.parametrize("hops", [1, 2, 3])
def test_hops_are_those_of_networkx_and_joined_nodes_are_among_them(hops, relation):
    for graph in (random_triples(30, 3, 40), without_loops(random_triples(30, 3, 40, seed=1))):
        other = nx.Graph([(h, t) for h, _, t in graph.triples.tolist()])
        other.add_nodes_from(range(30))
        near = dict(nx.all_pairs_shortest_path_length(other, hops))
        found = ranked(graph, TriplesWithinHops(graph, hops, relation))
        assert found == expected(graph, lambda h, r, t, near=near: t in near[h] and relation in (None, r))
        assert any(other.has_edge(h, t) for h, _, t in found)


def test_some_of_the_near_triples(monkeypatch):
    monkeypatch.setattr(candidates, "NODES_PER_SAMPLE", 3)
    graph = random_triples(60, 2, 90)
    everything = set(ranked(graph, TriplesWithinHops(graph, 2)))
    some = ranked(graph, TriplesWithinHops(graph, 2, most=100))
    assert 100 <= len(some) < len(everything) / 2
    assert set(some) < everything
    assert some == ranked(graph, TriplesWithinHops(graph, 2, most=100))
    assert some != ranked(graph, TriplesWithinHops(graph, 2, most=100, seed=1))


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_the_share_of_facts_that_would_be_candidates(hops):
    graph = random_triples(40, 3, 60)
    found = []
    for fact in graph.triples[graph.triples[:, 0] != graph.triples[:, 2]]:
        rest = nx.Graph([(h, t) for h, _, t in graph.without(fact[None]).triples.tolist()])
        rest.add_nodes_from(range(40))
        found.append(int(fact[2]) in nx.single_source_shortest_path_length(rest, int(fact[0]), hops))
    assert TriplesWithinHops(graph, hops).share_of_links() == np.mean(found)
    assert 0 < np.mean(found) < 1


@pytest.mark.thorough
def test_the_engine_makes_no_difference(monkeypatch):
    monkeypatch.setattr(candidates, "BLOCK", 90)
    graph = random_triples(20, 3, 60)
    for chosen in (TripleGrid(graph), TriplesWithinHops(graph, 2)):
        assert ranked(graph, chosen, k=25, engine=ProcessEngine(2)) == ranked(graph, chosen, k=25)


def test_nothing_is_missing():
    graph = KnowledgeGraph.from_triples([(0, 0, 1), (1, 0, 0)], 2, 1)
    assert ranked(graph, TripleGrid(graph)) == []
    assert ranked(graph, TriplesWithinHops(graph, 2)) == []
    nothing = KnowledgeGraph.from_triples(np.empty((0, 3), dtype=int), 0, 0)
    assert TripleGrid(nothing).parts() == []


def test_no_hops_are_refused():
    with pytest.raises(ValueError, match="`hops` must be at least 1, got 0"):
        TriplesWithinHops(random_triples(5, 2, 9), 0)
