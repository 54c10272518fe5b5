from __future__ import annotations

import numpy as np
import pytest

from linkwl import InputError, UnknownNameError, rank_missing_links
from linkwl.datasets import load_airports
from linkwl.models.base import FormulaScorer
from linkwl.predict.question import Question, find_hops
from triple_graphs import fact_set, relatives

FAMILIES = relatives(3)  # 18 people, of whom 0 and 1 are the parents of 2 to 5


def answers(graph=FAMILIES, text="all", **given):
    scorer = FormulaScorer(graph, lambda queries: np.zeros(len(queries)))
    found, _ = rank_missing_links(scorer, graph, 10**6, candidates=Question(**given).candidates(graph, text))
    return fact_set(found)


def missing(is_asked):
    known = fact_set(FAMILIES.triples)
    everything = {(h, r, t) for h in range(18) for r in range(4) for t in range(18) if h != t}
    return {triple for triple in everything - known if is_asked(*triple)}


@pytest.mark.parametrize(
    ("given", "is_asked"),
    [
        ({}, lambda h, r, t: True),
        ({"head": 2, "relation": "child of"}, lambda h, r, t: (h, r) == (2, 0)),
        ({"tail": 2, "relation": "parent of"}, lambda h, r, t: (r, t) == (2, 2)),
        ({"head": 2}, lambda h, r, t: h == 2),
        ({"tail": "7"}, lambda h, r, t: t == 7),
        ({"head": 0, "tail": 5}, lambda h, r, t: (h, t) == (0, 5)),
        ({"for_node": 3}, lambda h, r, t: 3 in (h, t)),
        ({"for_node": 3, "relation": "married to"}, lambda h, r, t: 3 in (h, t) and r == 1),
        ({"for_nodes": (3, 8)}, lambda h, r, t: not {3, 8}.isdisjoint((h, t))),
        ({"for_nodes": (3, 8, 3), "relation": "married to"}, lambda h, r, t: not {3, 8}.isdisjoint((h, t)) and r == 1),
        ({"relation": "married to"}, lambda h, r, t: r == 1),
        ({"relations_of": (0, 7)}, lambda h, r, t: {h, t} == {0, 7}),
        ({"relations_of": (7, 7)}, lambda h, r, t: False),
    ],
)
def test_what_is_given_is_kept_and_everything_else_is_tried(given, is_asked):
    assert answers(**given) == missing(is_asked)


def test_one_relation_within_hops():
    is_near = {(h, t) for h in range(18) for t in range(18) if h // 6 == t // 6}
    assert answers(text="hops:2") == missing(lambda h, r, t: (h, t) in is_near)
    assert answers(text="hops:2", relation="child of") == missing(lambda h, r, t: (h, t) in is_near and r == 0)


def test_pairs():
    airports = load_airports()
    assert len(answers(airports, for_node="JNU")) == 352 - 1 - airports.degree[airports.ids.indices(["JNU"])[0]]
    assert len(answers(airports)) == airports.num_absent


@pytest.mark.parametrize(
    ("given", "text", "says"),
    [
        ({"head": 0, "relation": "child of", "tail": 1}, "all", "nothing is left to find"),
        ({"relations_of": (0, 1), "head": 3}, "all", "relations of two nodes and the head of a fact exclude each"),
        ({"relations_of": (0, 1), "for_node": 3}, "all", "relations of two nodes and the node of a fact exclude each"),
        ({"for_node": 0, "tail": 3}, "all", "facts of a node on either side and the tail of a fact exclude"),
        ({"for_nodes": (0, 1), "tail": 3}, "all", "facts of some nodes on either side and the tail of a fact exclude"),
        ({"for_nodes": (0, 1), "for_node": 3}, "all", "`for_node` and `for_nodes` exclude each other"),
        ({"for_nodes": ()}, "all", "`for_nodes` is an empty list"),
        ({"for_nodes": (0, 1)}, "hops:2", "give a node or candidates, not both"),
        ({"for_node": 0}, "hops:2", "give a node or candidates, not both"),
        ({"head": 0, "relation": "child of"}, "hops:2", "give a node or candidates, not both"),
        ({"head": 99}, "all", "unknown node '99'"),
        ({"relation": "child"}, "all", "unknown relation 'child'; did you mean 'child of'"),
        ({}, "hops:1", "unknown candidates 'hops:1'"),
    ],
)
def test_questions_that_make_no_sense(given, text, says):
    with pytest.raises(InputError, match=says):
        Question(**given).candidates(FAMILIES, text)


@pytest.mark.parametrize(
    ("given", "word"), [({"head": "JNU"}, "head"), ({"relation": "x"}, "relation"), ({"relations_of": (1, 2)}, "relat")]
)
def test_parts_of_facts_are_not_asked_of_links(given, word):
    with pytest.raises(InputError, match=f"airports is a graph of pairs, and only facts have a {word}"):
        Question(**given).candidates(load_airports())


def test_a_limit_is_for_hops():
    assert Question().candidates(FAMILIES, "hops:2", most=9).most == 9
    assert Question().candidates(load_airports(), "hops:2", most=9).most == 9
    with pytest.raises(InputError, match="a limit is for candidates such as 'hops:3'"):
        Question().candidates(FAMILIES, most=9)


def test_hops():
    assert (find_hops("all"), find_hops("hops:3")) == (None, 3)


def test_an_unknown_name_offers_the_nearest():
    with pytest.raises(UnknownNameError, match="married to"):
        Question(relation="maried to").candidates(FAMILIES)
