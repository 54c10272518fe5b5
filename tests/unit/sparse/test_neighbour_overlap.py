from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse.neighbour_overlap import COMMON, neighbour_overlap
from network_cases import random_graph, some_pairs


def plain_overlap(graph, pairs, most):
    """The definition, with sets."""
    near = [set(graph.neighbours(v).tolist()) for v in range(graph.num_nodes)]
    lists = []
    for p, q in np.asarray(pairs).tolist():
        single = [(near[p] - near[q] - {q}, q), (near[q] - near[p] - {p}, p)]
        rows = [(u, COMMON) for u in sorted(near[p] & near[q])]
        for nodes, end in single:
            kept = sorted(nodes, key=lambda u: (-len(near[u]), u))[:most]
            rows += [(u, end) for u in sorted(kept)]
        lists.append(rows)
    return lists


def overlap_lists(graph, pairs, most):
    found = neighbour_overlap(graph.rowptr, graph.col, pairs, most)
    rows = list(zip(found.node.tolist(), found.missing.tolist(), strict=True))
    return [rows[a:b] for a, b in zip(found.ptr, found.ptr[1:], strict=False)]


@pytest.mark.parametrize("most", [0, 1, 3, 1000])
@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_the_definition(seed, most):
    graph = random_graph(seed=seed)
    pairs = some_pairs(graph, 200, seed)
    assert overlap_lists(graph, pairs, most) == plain_overlap(graph, pairs, most)


def test_an_edge_between_the_ends_changes_nothing():
    graph = random_graph()
    for edge in graph.edges:
        without = graph.without(edge[None])
        assert overlap_lists(graph, edge[None], 1000) == overlap_lists(without, edge[None], 1000)


def test_no_pairs_and_no_edges():
    graph = Graph.from_pairs([], num_nodes=3)
    assert overlap_lists(graph, np.array([(0, 1), (2, 2)]), 5) == [[], []]
    assert overlap_lists(graph, np.empty((0, 2), dtype=np.int32), 5) == []


def test_result_does_not_depend_on_the_number_of_threads(monkeypatch):
    graph = random_graph()
    pairs = some_pairs(graph, 3000)
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        found.append(overlap_lists(graph, pairs, 4))
    assert found[0] == found[1]
