from __future__ import annotations

import numpy as np
import pytest

from linkwl import load_graph
from linkwl.errors import InputError, UnknownNameError
from linkwl.predict.names import find_queries
from triple_model import family

NAMED = load_graph([("ann", "bob"), ("bob", "cid")])
NUMBERED = load_graph([(5, 7), (7, 9)])


def test_names_and_numbers_are_found():
    assert find_queries(NAMED, [("cid", "ann"), ("bob", "bob")]).tolist() == [[2, 0], [1, 1]]
    assert find_queries(NUMBERED, [(9, 5)]).tolist() == [[2, 0]]
    assert find_queries(NUMBERED, [("9", "5")]).tolist() == [[2, 0]]
    assert find_queries(NUMBERED, np.array([(9, 5)], dtype=np.uint64)).tolist() == [[2, 0]]


def test_triples_have_a_column_of_relations():
    graph = family()
    ((head, relation, tail),) = find_queries(graph, [("ann 0", "sibling of", "cid 0")])
    assert (graph.ids[head], graph.relations[relation], graph.ids[tail]) == ("ann 0", "sibling of", "cid 0")
    with pytest.raises(UnknownNameError, match="unknown relation 'sibling'; did you mean 'sibling of'"):
        find_queries(graph, [("ann 0", "sibling", "cid 0")])


def test_no_queries():
    assert find_queries(NAMED, []).shape == (0, 2)
    assert find_queries(family(), []).shape == (0, 3)


def test_unknown_names_and_other_shapes_are_refused():
    with pytest.raises(UnknownNameError, match="unknown node 'bobb'; did you mean 'bob'"):
        find_queries(NAMED, [("ann", "bobb")])
    with pytest.raises(InputError, match=r"pairs must have shape \(num_pairs, 2\), got \(1, 3\)"):
        find_queries(NAMED, [("ann", "bob", "cid")])


@pytest.mark.parametrize("pair", [("ann", "tea"), ("tea", "ann"), ("left:ann", "right:tea"), ("right:tea", "ann")])
def test_pairs_across_two_sides_in_any_order(pair):
    sided = load_graph([("ann", "tea"), ("bob", "milk")], bipartite=True)
    found = find_queries(sided, [("bob", "tea"), pair])
    assert found.tolist() == find_queries(sided, [("bob", "tea"), ("ann", "tea")]).tolist()


def test_names_of_two_sides_that_share_some():
    sided = load_graph([(1, 1), (1, 2), (3, 2)], bipartite=True)
    assert find_queries(sided, [(1, 2)]).tolist() == find_queries(sided, [("right:2", "left:1")]).tolist()
    assert find_queries(sided, [(2, 3)]).tolist() == find_queries(sided, [(3, 2)]).tolist()


def test_pairs_on_one_side_are_refused():
    sided = load_graph([("ann", "tea"), ("bob", "milk")], bipartite=True)
    with pytest.raises(InputError, match="'ann' and 'bob' are both on the left; a pair has one of each side"):
        find_queries(sided, [("ann", "bob")])
    with pytest.raises(UnknownNameError, match="unknown node 'anne'; did you mean 'ann'"):
        find_queries(sided, [("tea", "anne")])
