from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from linkwl.graph import KnowledgeGraph
from linkwl.predict import fact_paths
from linkwl.predict.fact_paths import find_paths, path_text
from triple_graphs import fact_set, random_triples, relatives


def plain_paths(graph: KnowledgeGraph, head: int, tail: int) -> set[tuple[tuple[int, ...], tuple[frozenset, ...]]]:
    """Every path of up to three steps: its entities, and the facts of each step."""
    steps: dict[tuple[int, int], set[frozenset]] = {}
    facts = fact_set(graph.triples)
    for h, r, t in facts:
        fact = frozenset({(h, r, t), (t, r, h)} & facts)
        steps.setdefault((h, t), set()).add(fact)
        steps.setdefault((t, h), set()).add(fact)
    found = set()
    for length in range(3):
        for inner in permutations(set(range(graph.num_nodes)) - {head, tail}, length):
            nodes = (head, *inner, tail)
            for way in product(*(steps.get(pair, ()) for pair in zip(nodes, nodes[1:], strict=False))):
                found.add((nodes, way))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_paths_are_those_found_one_by_one(seed):
    graph = random_triples(7, 3, 30, seed)
    for head, tail in ((0, 1), (5, 2), (3, 6)):
        found = find_paths(graph, (head, 0, tail), 10_000, {})
        assert len(found) == len(set(found))
        assert {(path.nodes, tuple(map(frozenset, path.steps))) for path in found} == plain_paths(graph, head, tail)
        assert [len(path.steps) for path in found] == sorted(len(path.steps) for path in found)


def test_roles_lead_along_the_facts():
    graph = random_triples(9, 2, 40, 7)
    for path in find_paths(graph, (0, 0, 1), 1000, {}):
        for a, role, b, step in zip(path.nodes, path.roles, path.nodes[1:], path.steps, strict=False):
            assert step[0] == ((a, role, b) if role < 2 else (b, role - 2, a))
            assert graph.contains(np.array(step)).all()


def test_what_is_cut():
    graph = KnowledgeGraph.from_triples([(0, 0, 3), (0, 1, 1), (3, 1, 1), (1, 2, 0), (1, 0, 2), (2, 0, 3)], 4, 3)
    cuts = {(path.nodes, path.roles): path.cut for path in find_paths(graph, (0, 2, 3), 100, {})}
    assert cuts[(0, 3), (0,)] == ((0, 0, 3),)
    assert cuts[(0, 1, 3), (1, 3 + 1)] == ((0, 1, 1), (3, 1, 1))
    assert cuts[(0, 1, 2, 3), (3 + 2, 0, 0)] == ((1, 0, 2),)


def test_a_relation_that_holds_both_ways_is_one_step():
    graph = relatives(1)  # parents 0, 1; children 2 .. 5
    siblings = next(path for path in find_paths(graph, (2, 0, 3), 100, {}) if path.roles == (3,))
    assert siblings.steps == (((2, 3, 3), (3, 3, 2)),)
    assert siblings.to_text(graph) == "2 <-sibling of-> 3"
    assert siblings.cut == ((2, 3, 3), (3, 3, 2))


def test_arrows_have_the_direction_of_facts():
    graph = relatives(1)
    assert path_text(graph, ["ann", "cid", "bob"], [2, 4 + 2]) == "ann -parent of-> cid <-parent of- bob"


def test_the_best_rules_and_entities_with_few_facts_come_first():
    # Entities 2, 3 and 4 lie between 0 and 1; 2 has further facts. By relation 1 only 5 does.
    facts = [(0, 0, v) for v in (2, 3, 4)] + [(v, 0, 1) for v in (2, 3, 4)] + [(0, 1, 5), (5, 1, 1)]
    graph = KnowledgeGraph.from_triples([*facts, (2, 2, 6), (2, 2, 7)], 8, 3)
    found = find_paths(graph, (0, 2, 1), 24, {(1, 1): 0.5, (0, 0): 0.1})
    assert [path.nodes[1] for path in found] == [5, 3, 4, 2]
    assert [path.nodes[1] for path in find_paths(graph, (0, 2, 1), 24, {(0, 0): 0.6})] == [3, 5, 4, 2]


def test_likeness_comes_first_among_paths_of_three():
    # 0 has fact 1 with 2, as 3 has; 3 has the relation to 5. The other path says nothing of the kind.
    graph = KnowledgeGraph.from_triples([(0, 1, 2), (3, 1, 2), (3, 0, 5), (0, 1, 6), (6, 2, 7), (7, 2, 5)], 8, 3)
    found = find_paths(graph, (0, 0, 5), 24, {})
    assert [path.nodes for path in found] == [(0, 2, 3, 5), (0, 6, 7, 5)]
    turned = find_paths(graph, (5, 3 - 1, 0), 24, {})
    assert {path.nodes[::-1] for path in turned} == {path.nodes for path in found}


def test_a_third_of_the_places_is_for_long_paths():
    graph = random_triples(12, 3, 120, 0)
    lengths = [len(path.steps) for path in find_paths(graph, (0, 0, 1), 12, {})]
    assert len(lengths) == 12
    assert lengths.count(3) == 4


def test_hubs_are_left_out_of_long_paths_where_there_are_too_many(monkeypatch):
    facts = [(0, 0, 1), (1, 0, 2), (2, 0, 3), (0, 0, 4), (4, 0, 5), (5, 0, 3), *((4, 1, v) for v in range(6, 12))]
    graph = KnowledgeGraph.from_triples(facts, 12, 2)
    assert len(find_paths(graph, (0, 1, 3), 24, {})) == 2
    monkeypatch.setattr(fact_paths, "MOST_FOLLOWED", 5)
    assert [path.nodes for path in find_paths(graph, (0, 1, 3), 24, {})] == [(0, 1, 2, 3)]


def test_entities_far_apart_have_no_paths():
    graph = KnowledgeGraph.from_triples([(0, 0, 1), (2, 0, 3), (0, 0, 0)], 4, 1)
    assert find_paths(graph, (0, 0, 2), 24, {}) == []
    assert find_paths(KnowledgeGraph.from_triples(np.empty((0, 3), dtype=int), 4, 1), (0, 0, 2), 24, {}) == []
