from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest

from graphs import SYMMETRIC, atlas, from_networkx, refines, relabelled
from linkwl.sparse.palette_wl import canonical_vector, individualise, log_primes, palette_wl


def refined(graph, colour):
    out = np.asarray(colour, dtype=np.int32).copy()
    count = palette_wl(graph.rowptr, graph.col, graph.num_nodes, out, log_primes(graph.num_nodes))
    assert count == out.max() == len(np.unique(out))
    return out


def published(graph, colour):
    """The published formula, with ranks of rounded values."""
    colour, primes = list(colour), np.exp(log_primes(graph.num_nodes)).round()
    while True:
        total = math.ceil(sum(math.log(primes[c]) for c in colour))
        value = [
            round(colour[v] + sum(math.log(primes[colour[u]]) for u in graph.neighbours(v)) / total, 9)
            for v in range(graph.num_nodes)
        ]
        ranks = [1 + sorted(set(value)).index(x) for x in value]
        if ranks == colour:
            return colour
        colour = ranks


def test_primes():
    assert np.exp(log_primes(10)[1:]).round().tolist() == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    for count in (0, 1, 2, 100, 5000):
        assert len(log_primes(count)) == count + 1


def test_colours_are_those_of_the_published_formula():
    generator = np.random.default_rng(0)
    for graph in atlas(6):
        colour = np.unique(generator.integers(0, 3, graph.num_nodes), return_inverse=True)[1] + 1
        assert refined(graph, colour).tolist() == published(graph, colour.tolist())


def test_it_only_refines_and_keeps_the_order():
    generator = np.random.default_rng(1)
    for graph in [*atlas(6), *SYMMETRIC.values()]:
        colour = np.unique(generator.integers(0, 3, graph.num_nodes), return_inverse=True)[1] + 1
        fine = refined(graph, colour)
        assert refines(fine.tolist(), colour.tolist())
        order = np.argsort(fine, kind="stable")
        assert (np.diff(colour[order]) >= 0).all()
        np.testing.assert_array_equal(refined(graph, fine), fine)


def test_relabelling_nodes_relabels_colours():
    generator = np.random.default_rng(2)
    for graph in atlas(6):
        name = generator.permutation(graph.num_nodes)
        ones = np.ones(graph.num_nodes)
        np.testing.assert_array_equal(refined(relabelled(graph, name), ones)[name], refined(graph, ones))


def test_individualised_node_comes_first_of_its_colour():
    colour = np.array([1, 2, 2, 3, 2], dtype=np.int32)
    individualise(colour, 5, 2)
    assert colour.tolist() == [1, 3, 2, 4, 3]


def vector(graph, colour=None, length=None):
    ones = np.ones(graph.num_nodes, dtype=np.int32) if colour is None else colour.astype(np.int32)
    level = np.zeros(graph.num_nodes, dtype=np.int32)
    return canonical_vector(
        graph.rowptr, graph.col, graph.num_nodes, ones, level, log_primes(16), length or graph.num_nodes
    )


@pytest.mark.parametrize("name", [name for name, graph in SYMMETRIC.items() if graph.num_nodes <= 10])
def test_copies_of_a_regular_graph_get_one_vector(name):
    graph, generator = SYMMETRIC[name], np.random.default_rng(3)
    vectors = {vector(relabelled(graph, generator.permutation(graph.num_nodes))).tobytes() for _ in range(10)}
    assert len(vectors) == 1


def test_two_small_graphs_get_one_vector_if_and_only_if_they_are_isomorphic():
    generator, vectors = np.random.default_rng(4), []
    graphs = atlas(6)
    for graph in graphs:
        copies = {vector(relabelled(graph, generator.permutation(graph.num_nodes))).tobytes() for _ in range(3)}
        assert len(copies) == 1
        vectors.append((graph.num_nodes, copies.pop()))
    assert len(set(vectors)) == len(graphs)


def test_a_star_has_one_order_and_fills_the_rest_with_zeros():
    star = nx.star_graph(9)
    graph = relabelled(from_networkx(star), np.random.default_rng(5).permutation(10))
    found = vector(graph, length=12)
    assert len(found) == 66
    assert found.sum() == 9
    assert set(found[found > 0].tolist()) == {1.0}
