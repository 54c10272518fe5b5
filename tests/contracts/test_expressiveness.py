"""Networks against the exact tests: equal colours, equal scores; and witnesses that a test separates, separated.

What is claimed. A network reads nodes through an encoder that sees what 1-WL sees, and every test below refines 1-WL.
So the stable colour of a pair fixes the vectors of its ends. By induction over rounds it then fixes what it hears:

- 2wl: sums over the pair's row and column, the very multisets of 2-WL.
- local-2wl: sums over the edges at its ends, those of local 2-WL.
- 2fwl: sums of products over all middle nodes, the multiset of couples of 2-FWL.
- local-2fwl: sums of products over middle nodes r with an edge (p, r), an edge (r, q) or both. They can be picked out
  of the multiset of local 2-FWL, because first colours show edges.

A graph norm takes its statistics over the whole graph. 2-WL and 2-FWL hear the whole graph anyway; the local tests do
not, so a local network with such a norm can tell apart links of two graphs by components that the test cannot see.
Inside one graph the statistics are the same for all pairs. Hence local networks with a graph norm are compared inside
each graph, all others across graphs too.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import torch

from adjacencies import adjacency_of, dense, randomised
from graphs import SYMMETRIC, all_pairs, atlas
from linkwl.nn import Perceptron, TwoFWLConv
from linkwl.wl import compare, refine_all
from linkwl.wl.witnesses import GRAPHS, WITNESSES
from network_cases import NETWORKS, VARIANTS, started

TESTS = {"2wl": "2-wl", "local-2wl": "local-2-wl", "2fwl": "2-fwl", "local-2fwl": "local-2-fwl", "walk-2fwl": "2-fwl"}
WITHIN_ONE_GRAPH = {
    "local-2wl",
    "local-2fwl",
    "local-2fwl, published",
    "sage",
    "walk-2fwl",
    "walk-2fwl, one perceptron",
}
FAMILIES = {"symmetric": list(SYMMETRIC.values()), "witnesses": list(GRAPHS.values()), "small": atlas(5)}
EQUAL, DIFFERENT = 5e-9, 2e-8

FOLKLORE = {"W1", "W1b", "W1c", "W3", "W4", "W4s", "W4c", "W4d", "W4e"}
"""Links that both Folklore tests separate within two rounds, and no other test does."""


@cache
def colours_of(family, test):
    graphs = FAMILIES[family]
    return [
        colouring.pairs(all_pairs(graph)) for graph, colouring in zip(graphs, refine_all(graphs, test), strict=True)
    ]


@cache
def verdict_of(id, test):
    witness = WITNESSES[id]
    return compare(witness.first, witness.second, test)[test]


def network(variant, seed=0):
    return started(variant, GRAPHS["domino"], seed)


def largest_spread(colours, scores):
    """The largest difference of two scores of one colour, as a share of the largest score."""
    order = np.argsort(colours, kind="stable")
    starts = np.flatnonzero(np.diff(colours[order], prepend=-1))
    largest, smallest = (reduce.reduceat(scores[order], starts) for reduce in (np.maximum, np.minimum))
    return np.max(largest - smallest) / max(1, np.abs(scores).max())


def difference(model, witness):
    """How far apart the scores of the two links are, as a share of the larger."""
    first, second = (model(graph, [link])[0] for graph, link in (witness.first, witness.second))
    return abs(first - second) / max(1, abs(first), abs(second))


CASES = [*((variant, family) for variant in VARIANTS for family in ("symmetric", "witnesses"))]
CASES += [(variant, "small") for variant in NETWORKS]


@pytest.mark.thorough
@pytest.mark.parametrize(("variant", "family"), CASES)
def test_equal_colours_are_equal_scores(variant, family):
    model, colours = network(variant), colours_of(family, TESTS[VARIANTS[variant][0]])
    scores = [model(graph, all_pairs(graph)) for graph in FAMILIES[family]]
    if variant in WITHIN_ONE_GRAPH:
        assert max(map(largest_spread, colours, scores)) < EQUAL
    else:
        assert largest_spread(np.concatenate(colours), np.concatenate(scores)) < EQUAL


@pytest.mark.thorough
@pytest.mark.parametrize("name", NETWORKS)
def test_many_colours_have_scores_of_their_own(name):
    """Else equal scores would say nothing. On small graphs two rounds tell apart a good part of what a test can."""
    model, colours = network(name), np.concatenate(colours_of("small", TESTS[name]))
    scores = np.concatenate([model(graph, all_pairs(graph)) for graph in FAMILIES["small"]])
    unordered = np.unique(scores.round(6))
    assert len(unordered) > 0.25 * len(np.unique(colours))


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("variant", VARIANTS)
def test_witnesses_that_a_test_cannot_separate_have_equal_scores(variant, seed):
    model, test = network(variant, seed), TESTS[VARIANTS[variant][0]]
    for id, witness in WITNESSES.items():
        is_within = witness.first[0] is witness.second[0]
        if verdict_of(id, test).equal and (is_within or variant not in WITHIN_ONE_GRAPH):
            assert difference(model, witness) < EQUAL, id


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("variant", [variant for variant, (name, _) in VARIANTS.items() if "fwl" in name])
def test_folklore_networks_separate_what_their_tests_do(variant, seed):
    model, test = network(variant, seed), TESTS[VARIANTS[variant][0]]
    for id in FOLKLORE:
        assert not verdict_of(id, test).equal
        assert verdict_of(id, "2-wl").equal
        assert difference(model, WITNESSES[id]) > DIFFERENT, id


@pytest.mark.parametrize("variant", [variant for variant, (name, _) in VARIANTS.items() if "fwl" not in name])
def test_the_other_networks_do_not(variant):
    model = network(variant)
    for id in FOLKLORE:
        assert difference(model, WITNESSES[id]) < EQUAL, id


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_2wl_sees_beyond_the_components_of_a_link(seed):
    for id in ("W2", "W2a", "W2b", "W2c"):
        assert difference(network("2wl", seed), WITNESSES[id]) > DIFFERENT
        assert difference(network("local-2wl, no norm", seed), WITNESSES[id]) < EQUAL
    for id in ("W2", "W2c"):
        assert difference(network("2wl, perceptron", seed), WITNESSES[id]) > DIFFERENT


def rounds_on_labels(graph, seed):
    """Two rounds of 2-FWL on nothing but edge and identity labels."""
    adjacency = adjacency_of(graph)
    edges = dense(torch.ones(adjacency.num_entries, 1, dtype=torch.float64), adjacency)
    x = torch.cat([edges, torch.eye(graph.num_nodes, dtype=torch.float64)[..., None]], dim=2)
    for number in range(2):
        width = x.shape[2]
        conv = TwoFWLConv(Perceptron(width, 16), Perceptron(width, 16), Perceptron(width + 16, 16, norm=True))
        x = randomised(conv, 10 * seed + number)(x)
    return x.detach()


@pytest.mark.parametrize("seed", [0, 1])
def test_two_layers_of_2fwl_separate_what_local_2fwl_cannot(seed):
    for id, is_different in (("W6", True), ("W5", False), ("W5s", False)):
        assert verdict_of(id, "2-fwl").equal is not is_different
        assert verdict_of(id, "local-2-fwl").equal
        (graph, link), (other, other_link) = WITNESSES[id].first, WITNESSES[id].second
        gap = (rounds_on_labels(graph, seed)[link] - rounds_on_labels(other, seed)[other_link]).abs().max()
        assert gap > DIFFERENT if is_different else gap < EQUAL
