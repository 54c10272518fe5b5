from __future__ import annotations

import numpy as np
import pytest

from linkwl import Graph
from linkwl.graph.among import among_nodes

NODES = np.array([11, 2, 3, 7, 8, 2])


def some_graph(**fields: object) -> Graph:
    return Graph.from_pairs(np.random.default_rng(0).integers(0, 12, (30, 2)), 12, **fields)


@pytest.mark.parametrize("is_directed", [False, True])
def test_only_pairs_of_these_nodes_are_absent(is_directed):
    graph = some_graph(is_directed=is_directed)
    found = among_nodes(graph, NODES)
    every = graph.non_edges(np.arange(graph.num_non_edges))
    expected = every[np.isin(every, NODES).all(axis=1)]
    assert found.absent(np.arange(found.num_absent)).tolist() == expected.tolist()
    assert found.absent(np.array([1, 2])).dtype == np.int32
    np.testing.assert_array_equal(found.edges, graph.edges)


def test_sides_count():
    part = np.arange(12) % 2
    ends = np.random.default_rng(0).integers(0, 6, (12, 2))
    graph = Graph.from_pairs(2 * ends + [0, 1], 12, part=part)
    found = among_nodes(graph, NODES)
    pairs = found.absent(np.arange(found.num_absent))
    assert len(pairs)
    assert (part[pairs[:, 0]] != part[pairs[:, 1]]).all()


def test_the_digest_tells_the_nodes():
    graph = some_graph()
    digests = {graph.digest, *(among_nodes(graph, nodes).digest for nodes in (NODES, NODES[1:]))}
    assert len(digests) == 3
