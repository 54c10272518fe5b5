from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from facts import random_facts
from linkwl.graph import KnowledgeGraph
from linkwl.sparse.subgraphs import FactRows, enclosing_subgraphs


def rows_of(graph):
    links = graph.links
    return FactRows(links.rowptr, links.col, graph.head_ptr, graph.triples[:, 1], graph.triples[:, 2])


def plain(graph, pair, hops, max_nodes):
    """Entities with their two distances, and the facts between them."""
    links = nx.Graph()
    links.add_nodes_from(range(graph.num_nodes))
    links.add_edges_from(graph.triples[:, [0, 2]].tolist())
    p, q = pair

    def distances(source, other):
        rest = links if source == other else links.subgraph(set(links) - {other})
        return nx.single_source_shortest_path_length(rest, source, cutoff=hops)

    first, second = distances(p, q), distances(q, p)
    ends = {p: (0, 1), q: (1, 0)} if p != q else {p: (0, 0)}
    near = {v: (first[v], second[v]) for v in first.keys() & second.keys() if v not in ends}
    for largest in range(2 * hops, -1, -1):
        labels = ends | {v: label for v, label in near.items() if sum(label) <= largest}
        if len(labels) <= max_nodes:
            break
    facts = sorted((h, r, t) for h, r, t in graph.triples.tolist() if h in labels and t in labels)
    return labels, facts


@pytest.mark.parametrize("max_nodes", [2, 4, 9, 1000])
@pytest.mark.parametrize("hops", [1, 2, 3])
def test_subgraphs_are_those_of_the_definition(hops, max_nodes):
    graph = random_facts(40, 4, 70)
    pairs = np.random.default_rng(0).integers(0, 40, (60, 2))
    pairs[:3] = [(5, 5), (38, 39), (39, 39)]
    found = enclosing_subgraphs(rows_of(graph), pairs, hops, max_nodes)
    for i, (p, q) in enumerate(pairs.tolist()):
        nodes, edges = (slice(ptr[i], ptr[i + 1]) for ptr in (found.node_ptr, found.edge_ptr))
        node = found.node[nodes]
        assert node[: 1 + (p != q)].tolist() == ([p] if p == q else [p, q])
        labels, facts = plain(graph, (p, q), hops, max_nodes)
        assert (
            dict(zip(node.tolist(), zip(found.first[nodes], found.second[nodes], strict=True), strict=True)) == labels
        )
        assert len(node) == len(labels) <= max(max_nodes, 2)
        triples = zip(node[found.head[edges]], found.relation[edges], node[found.tail[edges]], strict=True)
        assert sorted((int(h), int(r), int(t)) for h, r, t in triples) == facts


def test_several_threads_find_the_same(monkeypatch):
    graph = random_facts(200, 4, 600)
    pairs = np.random.default_rng(0).integers(0, 200, (300, 2))
    results = []
    for threads in ("1", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        results.append(vars(enclosing_subgraphs(rows_of(graph), pairs, 2, 50)))
    for name, array in results[0].items():
        np.testing.assert_array_equal(array, results[1][name])


def test_no_facts_and_no_pairs():
    graph = KnowledgeGraph.from_triples([], 3, 2)
    found = enclosing_subgraphs(rows_of(graph), np.array([(0, 1)]), 3, 10)
    assert found.node.tolist() == [0, 1]
    assert found.edge_ptr.tolist() == [0, 0]
    assert enclosing_subgraphs(rows_of(graph), np.empty((0, 2), dtype=np.int64), 3, 10).node_ptr.tolist() == [0]
