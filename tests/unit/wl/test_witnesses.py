from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from linkwl.wl import TESTS, compare, refine, refine_all
from linkwl.wl.witnesses import GRAPHS, WITNESSES

# E: equal, D: different; under 1-wl, local-2-wl, 2-wl, local-2-fwl, 2-fwl, 1-wl+01, 1-wl+drnl.
VERDICTS = {
    "W1": "EEE DD DD",
    "W1b": "EEE DD DD",
    "W1c": "EEE DD DD",
    "W2": "EED ED EE",
    "W2a": "EED ED EE",
    "W2b": "EED ED EE",
    "W2c": "EED DD DD",
    "W3": "EEE DD DD",
    "W4": "EEE DD EE",
    "W4s": "EEE DD EE",
    "W4c": "EEE DD ED",
    "W4d": "EEE DD ED",
    "W4e": "EEE DD ED",
    "W5": "EEE EE DD",
    "W5s": "EEE EE DD",
    "W5L": "EEE EE DD",
    "W6": "EEE ED DD",
    "W6x": "EEE ED EE",
}


def to_networkx(name):
    graph = nx.empty_graph(GRAPHS[name].num_nodes)
    graph.add_edges_from(GRAPHS[name].edges.tolist())
    return graph


def test_every_witness_has_a_verdict_here():
    assert list(WITNESSES) == list(VERDICTS)
    assert TESTS == ("1-wl", "local-2-wl", "2-wl", "local-2-fwl", "2-fwl", "1-wl+01", "1-wl+drnl")


@pytest.mark.parametrize("engine", ["fast", "exact"])
@pytest.mark.parametrize("id", VERDICTS)
def test_each_test_sees_a_witness_as_stated(id, engine):
    verdicts = compare(WITNESSES[id].first, WITNESSES[id].second, engine=engine)
    found = "".join("E" if verdicts[test].equal else "D" for test in TESTS)
    assert found == VERDICTS[id].replace(" ", "")


@pytest.mark.parametrize("witness", WITNESSES.values(), ids=list(WITNESSES))
def test_a_witness_names_two_non_edges_of_named_graphs(witness):
    for graph, link in (witness.first, witness.second):
        assert GRAPHS[graph.name] is graph
        assert not graph.has_edges(np.array([link]))[0]
    assert witness.title
    assert witness.id == next(id for id, other in WITNESSES.items() if other is witness)


def test_graphs_carry_their_names():
    assert all(graph.name == name for name, graph in GRAPHS.items())


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("2k1", nx.empty_graph(2)),
        ("3k1", nx.empty_graph(3)),
        ("4k1", nx.empty_graph(4)),
        ("2k1+k2", nx.disjoint_union(nx.empty_graph(2), nx.complete_graph(2))),
        ("p3", nx.path_graph(3)),
        ("p4", nx.path_graph(4)),
        ("p6", nx.path_graph(6)),
        ("2p3", nx.disjoint_union(nx.path_graph(3), nx.path_graph(3))),
        ("p3+k2", nx.disjoint_union(nx.path_graph(3), nx.complete_graph(2))),
        ("c4", nx.cycle_graph(4)),
        ("c5", nx.cycle_graph(5)),
        ("c6", nx.cycle_graph(6)),
        ("2c3", nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))),
        ("k33", nx.complete_bipartite_graph(3, 3)),
        ("prism", nx.circular_ladder_graph(3)),
        ("domino", nx.ladder_graph(3)),
        ("barbell", nx.barbell_graph(3, 0)),
        ("rook", nx.line_graph(nx.complete_bipartite_graph(4, 4))),
    ],
)
def test_a_graph_is_what_its_name_says(name, same):
    assert nx.is_isomorphic(to_networkx(name), same)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("rook", (16, 6, 2, 2)),
        ("shrikhande", (16, 6, 2, 2)),
        ("latin-klein", (16, 9, 4, 6)),
        ("latin-cyclic", (16, 9, 4, 6)),
    ],
)
def test_strongly_regular_graphs(name, parameters):
    n, degree, common_if_adjacent, common_if_not = parameters
    adjacency = GRAPHS[name].to_scipy().toarray()
    others = 1 - adjacency - np.eye(n)
    expected = degree * np.eye(n) + common_if_adjacent * adjacency + common_if_not * others
    assert np.array_equal(adjacency @ adjacency, expected)


@pytest.mark.parametrize(("name", "other"), [("rook", "shrikhande"), ("latin-klein", "latin-cyclic")])
def test_partners_with_the_same_parameters_are_not_isomorphic(name, other):
    assert not nx.is_isomorphic(to_networkx(name), to_networkx(other))


def test_latin_square_graphs_are_the_complements_of_the_others():
    assert nx.is_isomorphic(nx.complement(to_networkx("latin-cyclic")), to_networkx("shrikhande"))
    assert nx.is_isomorphic(nx.complement(to_networkx("latin-klein")), to_networkx("rook"))


@pytest.mark.parametrize("name", ["gadget36", "gadget36-twisted"])
def test_the_gadget_joins_three_hubs_through_six_middles(name):
    graph = GRAPHS[name]
    assert (graph.num_nodes, graph.num_edges, nx.is_connected(to_networkx(graph.name))) == (36, 96, True)
    assert graph.degree.tolist() == [4] * 24 + [8] * 12


@pytest.mark.parametrize("engine", ["fast", "exact"])
def test_2_fwl_splits_one_class_of_the_gadget_that_local_2_fwl_keeps(engine):
    counts = [refine(GRAPHS["gadget36"], test, engine=engine).num_classes for test in ("local-2-fwl", "2-fwl")]
    assert counts == [16, 17]


def test_the_twist_is_invisible_to_local_2_fwl_and_seen_everywhere_by_2_fwl():
    gadgets = [GRAPHS["gadget36"], GRAPHS["gadget36-twisted"]]
    pairs = np.argwhere(np.ones((36, 36)))
    local, twisted = (np.sort(colours.pairs(pairs)) for colours in refine_all(gadgets, "local-2-fwl"))
    assert np.array_equal(local, twisted)
    plain, twisted = (set(colours.pairs(pairs).tolist()) for colours in refine_all(gadgets, "2-fwl"))
    assert not plain & twisted


def test_one_regular_graph_and_one_octagon():
    assert set(GRAPHS["regular-8"].degree.tolist()) == {4}
    assert GRAPHS["chorded-c8"].degree.tolist() == [2, 3] * 4
    assert all(nx.is_connected(to_networkx(name)) for name in ("regular-8", "chorded-c8", "domino", "barbell"))
