from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from graphs import path_graph, random_rows, relabelled, to_networkx
from linkwl.graph import Graph
from linkwl.sparse.pair_subgraphs import pair_subgraphs
from linkwl.wl.drnl import drnl_labels


def random_graph(num_nodes=40, num_rows=70, seed=0):
    return Graph.from_pairs(random_rows(num_nodes - 3, num_rows, seed), num_nodes)


def extract(graph, pairs, hops, max_per_hop=None):
    return pair_subgraphs(graph.rowptr, graph.col, pairs, hops, max_per_hop)


def parts(found):
    """Per pair: the nodes with their labels, and the edges, by the nodes of the whole graph."""
    owner = np.repeat(np.arange(len(found.rowptr) - 1), np.diff(found.rowptr))
    for i in range(len(found.node_ptr) - 1):
        low, high = found.node_ptr[i], found.node_ptr[i + 1]
        nodes = found.node[low:high].tolist()
        entries = slice(found.rowptr[low], found.rowptr[high])
        assert ((found.col[entries] >= low) & (found.col[entries] < high)).all()
        edges = zip(found.node[owner[entries]].tolist(), found.node[found.col[entries]].tolist(), strict=True)
        yield nodes, dict(zip(nodes, found.label[low:high].tolist(), strict=True)), sorted(edges)


def plain(graph, pair, hops, max_per_hop):
    """The definition, step by step."""
    links, (p, q) = to_networkx(graph), pair
    kept, met, fringe = {p, q}, {p, q}, {p, q}
    for _ in range(hops):
        near = {u for v in fringe for u in links[v]} - met
        met |= near
        order = sorted(near, key=lambda u: (-len(fringe & set(links[u])), -links.degree[u], u))
        fringe = set(order[:max_per_hop])
        kept |= fringe
    part = links.subgraph(kept).copy()
    if part.has_edge(p, q):
        part.remove_edge(p, q)

    def distances(source, other):
        rest = part if source == other else part.subgraph(set(part) - {other})
        return nx.single_source_shortest_path_length(rest, source)

    first, second = distances(p, q), distances(q, p)
    labels = dict.fromkeys(kept, 0)
    for v in first.keys() & second.keys():
        d = first[v] + second[v]
        labels[v] = 1 + min(first[v], second[v]) + (d // 2) * (d // 2 + d % 2 - 1)
    labels |= {p: 1, q: 1}
    return labels, sorted(edge for u, v in part.edges for edge in ((u, v), (v, u)))


@pytest.mark.parametrize("max_per_hop", [None, 1, 3, 8])
@pytest.mark.parametrize("hops", [1, 2, 3])
def test_subgraphs_and_labels_are_those_of_the_definition(hops, max_per_hop):
    graph = random_graph()
    pairs = np.concatenate([np.random.default_rng(0).integers(0, 40, (60, 2)), graph.edges, [(5, 5), (38, 39)]])
    found = extract(graph, pairs, hops, max_per_hop)
    assert len(found.node_ptr) == len(pairs) + 1
    for (p, q), (nodes, labels, edges) in zip(pairs.tolist(), parts(found), strict=True):
        assert nodes[: 1 + (p != q)] == ([p] if p == q else [p, q])
        assert len(set(nodes)) == len(nodes)
        assert (labels, edges) == plain(graph, (p, q), hops, max_per_hop)


def test_labels_in_a_graph_that_is_its_own_subgraph_are_those_of_the_whole_graph():
    graph = random_graph(30, 90, seed=1)
    pairs = graph.edges[::5]
    whole = drnl_labels(graph, pairs)
    for i, (nodes, labels, _) in enumerate(parts(extract(graph, pairs, 30))):
        assert [labels[v] for v in nodes] == whole[nodes, i].tolist()


def test_by_hand():
    """0 - 1 - 2 - 3, the pair (1, 2): its own edge is missing, and neither end reaches the other's neighbour."""
    ((nodes, labels, edges),) = parts(extract(path_graph(), np.array([(1, 2)]), 1))
    assert nodes[:2] == [1, 2]
    assert labels == {1: 1, 2: 1, 0: 0, 3: 0}
    assert edges == [(0, 1), (1, 0), (2, 3), (3, 2)]


def test_the_edge_of_a_pair_changes_nothing():
    graph = random_graph(seed=2)
    pairs = graph.edges
    for i, with_edge in enumerate(parts(extract(graph, pairs, 2))):
        (without,) = parts(extract(graph.without(pairs[i : i + 1]), pairs[i : i + 1], 2))
        assert with_edge[1:] == without[1:]


@pytest.mark.parametrize("max_per_hop", [None, 6])
def test_either_order_of_the_ends_gives_the_same_subgraph(max_per_hop):
    graph = random_graph(seed=3)
    pairs = np.random.default_rng(0).integers(0, 40, (80, 2))
    there, back = (parts(extract(graph, p, 2, max_per_hop)) for p in (pairs, pairs[:, ::-1]))
    assert [part[1:] for part in there] == [part[1:] for part in back]


def test_relabelling_nodes_relabels_subgraphs():
    graph = random_graph(seed=4)
    pairs = np.random.default_rng(0).integers(0, 40, (50, 2))
    name = np.random.default_rng(1).permutation(40)
    renamed = parts(extract(relabelled(graph, name), name[pairs], 2))
    for (_, labels, edges), other in zip(parts(extract(graph, pairs, 2)), renamed, strict=True):
        assert other[1] == {int(name[v]): label for v, label in labels.items()}
        assert other[2] == sorted((int(name[u]), int(name[v])) for u, v in edges)


def test_a_limit_keeps_common_neighbours_first():
    star = [(0, v) for v in range(2, 30)] + [(1, v) for v in range(28, 40)]
    graph = Graph.from_pairs(star, 40)
    ((nodes, _, _),) = parts(extract(graph, np.array([(0, 1)]), 1, 4))
    assert set(nodes) >= {0, 1, 28, 29}
    assert len(nodes) == 6


def test_several_threads_find_the_same(monkeypatch):
    graph = random_graph(200, 600)
    pairs = np.random.default_rng(0).integers(0, 200, (300, 2))
    results = []
    for threads in ("1", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        results.append(vars(extract(graph, pairs, 2, 20)))
    for name, array in results[0].items():
        np.testing.assert_array_equal(array, results[1][name])


def test_no_edges_and_no_pairs():
    graph = Graph.from_pairs([], 3)
    found = extract(graph, np.array([(0, 1), (2, 2)]), 2)
    assert found.node.tolist() == [0, 1, 2]
    assert found.label.tolist() == [1, 1, 1]
    assert found.rowptr.tolist() == [0, 0, 0, 0]
    assert extract(graph, np.empty((0, 2), dtype=np.int64), 2).node_ptr.tolist() == [0]
