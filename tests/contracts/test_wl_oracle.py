"""Both engines against definitions that share nothing with them, rounds included."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import classes
from linkwl.graph import Graph
from linkwl.wl import ENGINES, READINGS, TESTS, compare, partition_all
from sampling import sampled
from wl_oracle import Target, colours_by_round

pytestmark = pytest.mark.thorough


def targets_of(num_nodes, edges, labels):
    """Every ordered link of a graph."""
    edges = frozenset(frozenset(edge) for edge in edges)
    return [Target(num_nodes, edges, labels, (p, q)) for p in range(num_nodes) for q in range(num_nodes) if p != q]


def final_classes(test, targets, reading):
    return classes(colours_by_round(test, targets, reading)[-1])


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("test", TESTS)
def test_labelled_graphs_on_three_nodes(test, reading):
    """Labellings by three labels, all links of a graph against each other."""
    pairs = list(combinations(range(3), 2))
    edge_sets = [edges for size in range(4) for edges in combinations(pairs, size)]
    for edges, labels in sampled(edge_sets, product(range(3), repeat=3), 7):
        targets = targets_of(3, edges, labels)
        graph, links = Graph.from_pairs(list(edges), 3), [target.link for target in targets]
        found = partition_all([(graph, links)], test, labels=[labels], reading=reading)[0]
        assert found.tolist() == final_classes(test, targets, reading)


@st.composite
def labelled_graph(draw, max_nodes):
    num_nodes = draw(st.integers(2, max_nodes))
    pairs = list(combinations(range(num_nodes), 2))
    edges = draw(st.sets(st.sampled_from(pairs)))
    labels = draw(st.lists(st.integers(0, 1), min_size=num_nodes, max_size=num_nodes))
    return num_nodes, sorted(edges), tuple(labels)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("test", TESTS)
@given(st.lists(labelled_graph(6), min_size=1, max_size=2))
@settings(deadline=None, max_examples=8)
def test_random_labelled_graphs_together(engine, reading, test, graphs):
    targets = [targets_of(*graph) for graph in graphs]
    asked = [
        (Graph.from_pairs(edges, n), np.array([target.link for target in own]))
        for (n, edges, _), own in zip(graphs, targets, strict=True)
    ]
    labels = [labels for _, _, labels in graphs]
    found = partition_all(asked, test, labels=labels, reading=reading, engine=engine)
    assert np.concatenate(found).tolist() == final_classes(test, sum(targets, []), reading)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("reading", READINGS)
@given(labelled_graph(6), labelled_graph(6), st.data())
@settings(deadline=None, max_examples=25)
def test_the_round_that_separates(engine, reading, first, second, data):
    targets = [data.draw(st.sampled_from(targets_of(*graph))) for graph in (first, second)]
    sides = [
        (Graph.from_pairs(edges, n), target.link)
        for (n, edges, _), target in zip((first, second), targets, strict=True)
    ]
    verdicts = compare(*sides, labels=(first[2], second[2]), reading=reading, engine=engine)
    for test, verdict in verdicts.items():
        rounds = colours_by_round(test, targets, reading)
        separating = [number for number, (one, two) in enumerate(rounds) if one != two]
        assert verdict.equal is (not separating)
        assert verdict.round == (separating[0] if separating else None)
