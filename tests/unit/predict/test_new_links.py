import numpy as np
import pyarrow as pa
import pytest

from linkwl import InputError, LinkwlWarning, load_graph
from linkwl.graph import Graph, KnowledgeGraph, NodeIds
from linkwl.predict.new_links import find_new_links
from triple_graphs import relatives

CHAIN = [("ann", "bob"), ("bob", "cid"), ("cid", "dan"), ("dan", "eve")]


def named(graph, queries):
    return {tuple(graph.ids[int(v)] for v in row) for row in queries}


def test_new_links_and_pairs_of_neither():
    earlier, later = load_graph(CHAIN), load_graph([*CHAIN[1:], ("ann", "cid"), ("eve", "bob")])
    found = find_new_links(earlier, later, 0)
    assert {frozenset(pair) for pair in named(earlier, found.positives)} == {
        frozenset(pair) for pair in (("ann", "cid"), ("bob", "eve"))
    }
    assert len(found.negatives) == 2
    taken = {frozenset(pair) for pair in [*CHAIN, ("ann", "cid"), ("eve", "bob")]}
    assert taken.isdisjoint(frozenset(pair) for pair in named(earlier, found.negatives))


def test_the_seed_draws_the_negatives():
    later = relatives(3)
    earlier = later.select(np.arange(later.num_facts) % 5 > 0)
    first, again, other = (find_new_links(earlier, later, seed).negatives for seed in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_nodes_are_matched_by_name():
    """The later graph has other nodes before and between those of the earlier one."""
    earlier = load_graph(CHAIN)
    later = load_graph([*CHAIN, ("ann", "cid"), ("abe", "bob")])
    with pytest.warns(LinkwlWarning, match="1 of 6 links are left out, because graph does not have both nodes"):
        found = find_new_links(earlier, later, 0)
    assert named(earlier, found.positives) == {("ann", "cid")}


def test_sides_keep_their_names():
    rows = [(1, 2), (2, 1), (3, 2), (3, 3)]
    earlier, later = (load_graph([{"user": u, "film": f} for u, f in some]) for some in (rows, [*rows, (1, 1)]))
    found = find_new_links(earlier, later, 0)
    assert named(earlier, found.positives) == {("left:1", "right:1")}
    assert (earlier.part[found.negatives].sum(axis=1) == 1).all()


def test_links_within_a_side_are_left_out():
    rows = [(0, 3), (1, 3), (2, 4)]
    earlier = Graph.from_pairs(rows, 5, part=np.array([0, 0, 0, 1, 1]))
    later = Graph.from_pairs([*rows[:2], (0, 4), (1, 2)], 5, part=np.array([0, 0, 1, 1, 1]))
    with pytest.warns(LinkwlWarning, match="1 of 4 links are left out, .* or has them on one side"):
        assert find_new_links(earlier, later, 0).positives.tolist() == [[0, 4]]


def test_a_graph_without_sides_is_another_question():
    rows = [{"user": u, "film": f} for u, f in ((1, 2), (2, 1), (3, 2), (3, 3))]
    sided = load_graph(rows)
    for pair in ((sided, load_graph(CHAIN)), (load_graph(CHAIN), sided)):
        with pytest.raises(InputError, match="graph has two sides and graph has none; load both with bipartite=True"):
            find_new_links(*pair, 0)


def test_directions_count():
    rows = [(0, 1), (1, 2), (2, 3)]
    earlier, later = (Graph.from_pairs(some, 4, is_directed=True) for some in (rows, [*rows, (1, 0)]))
    assert find_new_links(earlier, later, 0).positives.tolist() == [[1, 0]]


def test_facts():
    later = relatives(3)
    earlier = later.select(np.arange(later.num_facts) % 5 > 0)
    found = find_new_links(earlier, later, 0)
    assert np.array_equal(found.positives, later.triples[::5])
    assert not later.contains(found.negatives).any()
    with pytest.raises(InputError, match="is a graph of pairs, and relatives one of triples"):
        find_new_links(earlier, load_graph(CHAIN), 0)


def test_nothing_new():
    ids = NodeIds(pa.array(["ann", "bob"]))
    fact = KnowledgeGraph.from_triples([(0, 0, 1)], 2, 1, ids=ids)
    with pytest.raises(InputError, match="no fact between known nodes .* hidden facts in `record_.test`"):
        find_new_links(fact, fact, 0)
