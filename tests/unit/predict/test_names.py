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
