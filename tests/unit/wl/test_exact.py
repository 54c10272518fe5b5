from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from graphs import SYMMETRIC, all_pairs, atlas, classes, from_networkx, refines, rook, shrikhande, small_graphs
from linkwl.graph import Graph
from linkwl.wl import refine, refine_all
from linkwl.wl.case import build_cases, split_targets
from linkwl.wl.exact import EXACT, multiset

P3, P4, P5, P6 = (from_networkx(nx.path_graph(n)) for n in (3, 4, 5, 6))
C4, C5, C6 = (from_networkx(nx.cycle_graph(n)) for n in (4, 5, 6))
STAR = from_networkx(nx.star_graph(3))
PAW = Graph.from_pairs([(0, 1), (0, 2), (1, 2), (2, 3)], 4)
K4 = from_networkx(nx.complete_graph(4))
EMPTY = Graph.from_pairs([], 3)
PAIR_TESTS = ["local-2-wl", "2-wl", "local-2-fwl", "2-fwl"]


def colouring(graph, test, **options):
    return refine(graph, test, engine="exact", **options)


def test_a_multiset_has_no_order_but_counts():
    assert multiset([2, 1, 2]) == multiset((2, 2, 1)) != multiset([1, 2])


@pytest.mark.parametrize(
    ("graph", "nodes", "history"),
    [
        (P3, [0, 1, 0], (1, 2)),
        (P4, [0, 1, 1, 0], (1, 2)),
        (P5, [0, 1, 2, 1, 0], (1, 2, 3)),
        (P6, [0, 1, 2, 2, 1, 0], (1, 2, 3)),
        (C4, [0, 0, 0, 0], (1,)),
        (STAR, [0, 1, 1, 1], (1, 2)),
        (PAW, [0, 0, 1, 2], (1, 3)),
        (K4, [0, 0, 0, 0], (1,)),
        (EMPTY, [0, 0, 0], (1,)),
    ],
)
def test_node_colours_computed_by_hand(graph, nodes, history):
    found = colouring(graph, "1-wl")
    assert found.nodes.tolist() == nodes
    assert (found.history, found.rounds) == (history, len(history) - 1)


# Rows of pair classes, named in the order of reading. In P4, P5 and STAR they are the orbits of the symmetries.
P3_PAIRS = [[0, 1, 2], [3, 4, 3], [2, 1, 0]]
P4_PAIRS = [[0, 1, 2, 3], [4, 5, 6, 7], [7, 6, 5, 4], [3, 2, 1, 0]]
C4_PAIRS = [[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]]
STAR_PAIRS = [[0, 1, 1, 1], [2, 3, 4, 4], [2, 4, 3, 4], [2, 4, 4, 3]]
PAW_PAIRS = [[0, 1, 2, 3], [1, 0, 2, 3], [4, 4, 5, 6], [7, 7, 8, 9]]


@pytest.mark.parametrize("test", PAIR_TESTS)
@pytest.mark.parametrize(
    ("graph", "matrix", "history"),
    [
        (P3, P3_PAIRS, (3, 5)),
        (P4, P4_PAIRS, (3, 8)),
        (C4, C4_PAIRS, (3,)),
        (STAR, STAR_PAIRS, (3, 5)),
        (PAW, PAW_PAIRS, (3, 10)),
        (EMPTY, [[0, 1, 1], [1, 0, 1], [1, 1, 0]], (2,)),
    ],
)
def test_pair_colours_computed_by_hand(graph, test, matrix, history):
    found = colouring(graph, test)
    assert found.matrix.tolist() == matrix
    assert (found.history, found.rounds) == (history, len(history) - 1)


# C6: 1-WL sees nothing, 2-WL edges only, 2-FWL the distances 0, 1, 2, 3, the last two apart by their common neighbours.
# P5 in round 1 has ends a and others b. 2-WL: a, b on the diagonal; ab, ba, bb as edges; aa, ab, ba, bb as other pairs.
# 2-FWL counts common neighbours too, which splits the other pairs ab and ba. The end is the 13 orbits of the 25 pairs.
@pytest.mark.parametrize(
    ("graph", "test", "history"),
    [
        (C6, "2-wl", (3,)),
        (C6, "local-2-wl", (3,)),
        (C6, "2-fwl", (3, 4)),
        (C6, "local-2-fwl", (3, 4)),
        (P5, "2-wl", (3, 9, 13)),
        (P5, "local-2-wl", (3, 9, 13)),
        (P5, "2-fwl", (3, 11, 13)),
        (P5, "local-2-fwl", (3, 11, 13)),
    ],
)
def test_numbers_of_pair_classes_computed_by_hand(graph, test, history):
    assert colouring(graph, test).history == history


# P3 has the orbits (end, middle), (middle, end) and (end, end); in round 0 every link is (marked, marked).
@pytest.mark.parametrize("test", ["1-wl+01", "1-wl+drnl"])
@pytest.mark.parametrize(
    ("graph", "matrix", "history"),
    [
        (P3, [[-1, 0, 1], [2, -1, 2], [1, 0, -1]], (1, 3)),
        (C4, [[-1, 0, 1, 0], [0, -1, 0, 1], [1, 0, -1, 0], [0, 1, 0, -1]], (1, 2)),
        (EMPTY, [[-1, 0, 0], [0, -1, 0], [0, 0, -1]], (1,)),
        (K4, [[-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 0], [0, 0, 0, -1]], (1,)),
    ],
)
def test_link_colours_computed_by_hand(graph, test, matrix, history):
    found = colouring(graph, test)
    assert found.matrix.tolist() == matrix
    # With the ends marked the rounds go on until the other nodes are told apart too.
    assert tuple(dict.fromkeys(found.history)) == history


def test_labels_are_part_of_the_first_colour():
    assert colouring(C4, "1-wl", labels=[0, 0, 1, 1]).history == (2,)
    assert colouring(C4, "1-wl", labels=[1, 0, 0, 0]).nodes.tolist() == [0, 1, 2, 1]
    # (0 0) (0 1) (1 0) (1 1) as edges; the same as no edges, without (0 0) and (1 1); and two on the diagonal.
    assert colouring(C4, "2-fwl", labels=[0, 0, 1, 1]).history == (8,)


@pytest.mark.parametrize("test", EXACT)
def test_the_name_of_a_test_is_its_key(test):
    assert EXACT[test].id == test


def nested(graph, test, rounds):
    """Colours of the given round written out in full, without any renaming: equal iff equal in every round."""
    near = [set(graph.neighbours(v).tolist()) for v in range(graph.num_nodes)]
    nodes = range(graph.num_nodes)

    def bag(things):
        return tuple(sorted(things, key=repr))

    if test == "1-wl":
        c = dict.fromkeys(nodes, "node")
        for _ in range(rounds):
            c = {v: (c[v], bag(c[u] for u in near[v])) for v in nodes}
        return [c[v] for v in nodes]
    c = {(p, q): (q in near[p], p == q) for p in nodes for q in nodes}
    for _ in range(rounds):
        heard = {
            "2-wl": lambda p, q, c: (bag(c[u, q] for u in nodes), bag(c[p, v] for v in nodes)),
            "local-2-wl": lambda p, q, c: (bag(c[u, q] for u in near[q]), bag(c[p, v] for v in near[p])),
            "2-fwl": lambda p, q, c: bag((c[u, q], c[p, u]) for u in nodes),
            "local-2-fwl": lambda p, q, c: bag((c[u, q], c[p, u]) for u in near[p] | near[q]),
        }[test]
        c = {(p, q): (c[p, q], heard(p, q, c)) for p, q in c}
    return [c[p, q] for p in nodes for q in nodes]


@pytest.mark.parametrize("test", ["1-wl", *PAIR_TESTS])
def test_numbers_stand_for_exactly_one_written_out_colour(test):
    """All graphs with up to 4 nodes together, round by round."""
    graphs = atlas(4)
    refinement = EXACT[test](build_cases(graphs, [None] * len(graphs)))
    read = refinement.nodes if test == "1-wl" else refinement.matrix
    for number in range(3):
        found = [colour for i in range(len(graphs)) for colour in read(i).reshape(-1).tolist()]
        expected = [repr(colour) for graph in graphs for colour in nested(graph, test, number)]
        assert classes(found) == classes(expected)
        assert refinement.num_classes == len(set(expected))
        assert refinement.num_coloured == len(expected)
        for i, graph in enumerate(graphs):
            assert refinement.count(i) == len({repr(colour) for colour in nested(graph, test, number)})
        refinement.step()


def by_networkx(graph, labels, rounds):
    """The partition of nodes in rounds 1, 2, ... by the hashes of networkx."""
    other = nx.empty_graph(graph.num_nodes)
    other.add_edges_from(graph.edges.tolist())
    nx.set_node_attributes(other, {v: str(label) for v, label in enumerate(labels)}, "label")
    hashes = nx.weisfeiler_lehman_subgraph_hashes(other, node_attr="label", iterations=rounds, digest_size=16)
    return [classes(hashes[v][i] for v in range(graph.num_nodes)) for i in range(rounds)]


@given(small_graphs(max_nodes=9))
@settings(deadline=None, max_examples=60)
def test_nodes_are_told_apart_round_by_round_as_by_networkx(graph):
    for labels in ([0] * graph.num_nodes, [v % 2 for v in range(graph.num_nodes)]):
        refinement = EXACT["1-wl"](build_cases([graph], [labels]))
        for expected in by_networkx(graph, labels, 4):
            refinement.step()
            assert classes(refinement.nodes(0)) == expected


def test_nodes_of_two_graphs_are_told_apart_as_in_their_union_by_networkx():
    first, second = (from_networkx(nx.gnm_random_graph(8, 9, seed=seed)) for seed in (1, 2))
    union = from_networkx(nx.disjoint_union(nx.gnm_random_graph(8, 9, seed=1), nx.gnm_random_graph(8, 9, seed=2)))
    refinement = EXACT["1-wl"](build_cases([first, second], [None, None]))
    for expected in by_networkx(union, [0] * 16, 4):
        refinement.step()
        assert classes([*refinement.nodes(0).tolist(), *refinement.nodes(1).tolist()]) == expected


def orbits(graph, things):
    """The orbits of nodes or pairs under all symmetries, which networkx finds."""
    matcher = nx.isomorphism.GraphMatcher(*[nx.Graph(graph.edges.tolist())] * 2)
    symmetries = list(matcher.isomorphisms_iter())
    return classes(min(tuple(symmetry[v] for v in thing) for symmetry in symmetries) for thing in things)


@pytest.mark.parametrize("num_nodes", [2, 5, 7])
def test_on_trees_the_colours_are_the_orbits(num_nodes):
    """1-WL tells all trees and all their nodes apart that differ."""
    trees = [from_networkx(tree) for tree in nx.nonisomorphic_trees(num_nodes)]
    for tree, found in zip(trees, refine_all(trees, "1-wl", engine="exact"), strict=True):
        assert classes(found.nodes) == orbits(tree, [(v,) for v in range(num_nodes)])
    histograms = [sorted(found.nodes.tolist()) for found in refine_all(trees, "1-wl", engine="exact")]
    assert len({tuple(histogram) for histogram in histograms}) == len(trees)


@pytest.mark.parametrize("test", EXACT)
def test_no_test_tells_symmetric_pairs_apart(test):
    for graph in (graph for graph in atlas(5) if graph.degree.all()):
        pairs = [(p, q) for p, q in all_pairs(graph).tolist() if p != q]
        assert refines(orbits(graph, pairs), colouring(graph, test).pairs(pairs))


@pytest.mark.parametrize("test", ["2-fwl", "local-2-fwl"])
@pytest.mark.parametrize(
    "graph", [SYMMETRIC[name] for name in ("petersen", "paley 13", "rook", "shrikhande", "petersen complement")]
)
def test_strongly_regular_graphs_have_three_classes_of_pairs(graph, test):
    found = colouring(graph, test)
    assert found.history == (3,)
    n, degree = graph.num_nodes, int(graph.degree[0])
    assert sorted(found.class_sizes.tolist()) == sorted([n, n * degree, n * (n - 1 - degree)])


def test_the_two_strongly_regular_graphs_of_the_same_kind_look_alike():
    first, second = refine_all([rook(), shrikhande()], "2-fwl", engine="exact")
    assert first.rounds == 0
    assert sorted(first.matrix.reshape(-1).tolist()) == sorted(second.matrix.reshape(-1).tolist())


@pytest.mark.parametrize("test", ["2-fwl", "local-2-fwl"])
@pytest.mark.parametrize(
    "graph",
    [
        nx.cycle_graph(9),
        nx.hypercube_graph(3),
        nx.hypercube_graph(4),
        nx.icosahedral_graph(),
        nx.dodecahedral_graph(),
        nx.heawood_graph(),
        nx.complete_bipartite_graph(4, 4),
    ],
)
def test_in_a_distance_regular_graph_colours_are_distances(graph, test):
    distance = np.array(nx.floyd_warshall_numpy(graph))
    assert classes(colouring(from_networkx(graph), test).matrix) == classes(distance)


def test_a_masked_link_knows_its_ends_but_not_its_edge():
    [(case, _)] = split_targets(build_cases([P4], [None])[0], [(0, 1), (0, 2), (0, 3)], "masked")
    for test, separated in (("local-2-wl", False), ("2-wl", False), ("local-2-fwl", True), ("2-fwl", True)):
        refinement = EXACT[test]([case])
        assert classes(refinement.links(0, masked=True)) == [0, 0, 0]
        assert classes(refinement.links(0)) == [0, 1, 1]
        refinement.step()
        assert classes(refinement.links(0, masked=True)) == ([0, 1, 2] if separated else [0, 0, 1])


def test_a_link_is_coloured_by_its_ends_in_its_own_run():
    [(case, _)] = split_targets(build_cases([P3], [None])[0], [(0, 1), (1, 0), (2, 1), (0, 2)], "visible")
    refinement = EXACT["1-wl+01"]([case])
    assert (refinement.num_classes, refinement.num_coloured, refinement.count(0)) == (2, 12, 1)
    refinement.step()
    assert classes(refinement.links(0)) == [0, 1, 0, 2]
    assert (refinement.num_classes, refinement.count(0)) == (5, 3)


@pytest.mark.parametrize("test", EXACT)
def test_memory_grows_with_the_graph(test):
    small, large = (build_cases([graph], [None]) for graph in (P3, C6))
    if EXACT[test].unit == "link":
        small, large = ([split_targets(case[0], [(0, 2)], "visible")[0][0]] for case in (small, large))
    assert 0 < EXACT[test].memory(small) < EXACT[test].memory(large)
    assert EXACT[test].memory(small + large) == EXACT[test].memory(small) + EXACT[test].memory(large)
    assert EXACT[test].memory([]) == 0
