from __future__ import annotations

import numpy as np
import pytest

from linkwl import Graph, create_model, load_dataset
from linkwl.datasets import load_airports
from linkwl.errors import SplitError
from linkwl.protocols import PROTOCOLS
from linkwl.splits import HardNegatives, RandomSplit, audit_split, draw_split, hard_negatives
from linkwl.splits.hard_negatives import hardest_partners

HEART = PROTOCOLS["heart"]


@pytest.fixture(scope="module")
def airports():
    return load_airports()


@pytest.fixture(scope="module")
def split(airports):
    return HEART.apply(airports, 0)


def lists_of(targets):
    return np.split(targets.negatives, targets.candidates[1:-1])


def test_each_positive_has_a_list_of_corruptions_of_its_ends(split, airports):
    for fold in (split.valid, split.test):
        for (p, q), negatives in zip(fold.positives.tolist(), lists_of(fold.targets), strict=True):
            assert all((p in pair) != (q in pair) for pair in negatives.tolist())
            assert len(negatives) == 500 - overlap(airports, p, q)
            assert len(np.unique(negatives, axis=0)) == len(negatives)
        assert not airports.has_edges(fold.negatives).any()
    assert split.train.targets.candidates is None


def overlap(graph, p, q):
    """How many of the wanted 250 per end there are not."""
    return sum(max(0, 250 - (graph.num_nodes - 1 - int(graph.degree[node]))) for node in (p, q))


def test_the_split_does_not_leak(split, airports):
    audit = audit_split(split, airports)
    assert audit.passed, [check for check in audit.checks if not check.passed]
    np.testing.assert_array_equal(split.reserved.edges, split.train.observed.edges)  # lists surround their positives


def test_held_out_edges_are_those_of_the_protocol_of_the_paper(split, airports):
    paper = PROTOCOLS["paper"].apply(airports, 0)
    np.testing.assert_array_equal(split.test.positives, paper.test.positives)
    assert split.test.observed.digest == paper.test.observed.digest


def test_the_seed_decides(split, airports):
    assert HEART.apply(airports, 0).digest == split.digest
    assert HEART.apply(airports, 1).digest != split.digest


def test_the_first_partners_are_the_best_by_one_of_the_scores(airports):
    """Against scores from the models, which share no code: each list begins with the best of every score."""
    nodes = np.array([3, 77, 200])
    partners = hardest_partners(airports, airports, nodes, 40, seed=0)
    for node, found in zip(nodes, partners, strict=True):
        others = np.setdiff1d(np.arange(airports.num_nodes), [*airports.neighbours(node), node])
        pairs = np.stack([np.full_like(others, node), others], axis=1)
        for name in ("ra", "ppr"):
            # `ppr` adds both directions; what is ranked here are walks from the node.
            scores = create_model(name)(airports, pairs)
            if name == "ppr":
                degree = airports.degree
                scores = scores * degree[others] / np.maximum(degree[node] + degree[others], 1)
            best = others[scores > max(np.sort(scores)[-15], 0)]  # at most fourteen, whatever the order of ties
            assert set(best) <= set(found), name


def test_features_have_a_say():
    generator = np.random.default_rng(0)
    graph = Graph.from_pairs(generator.integers(0, 60, (90, 2)), 60)
    features = np.eye(60, dtype=np.float32)
    features[7] = features[41]
    plain = hardest_partners(graph, graph, np.array([7]), 3, seed=0)[0]
    alike = hardest_partners(graph, graph.with_features(features), np.array([7]), 3, seed=0)[0]
    assert 41 not in graph.neighbours(7)
    assert 41 in hardest_partners(graph.with_features(features), graph, np.array([7]), 3, seed=0)[0]
    assert plain.tolist() == alike.tolist()  # the features of the whole graph count


def test_scores_see_only_what_the_fold_observes(airports, split, monkeypatch):
    """Other held-out edges, the same observed graph: the same partners but for those that are linked now."""
    nodes = np.arange(20)
    before = hardest_partners(airports, split.train.observed, nodes, 30, seed=0)
    more = airports.with_(np.array([(0, 150), (5, 222)]))
    after = hardest_partners(more, split.train.observed, nodes, 30, seed=0)
    for node, one, other in zip(nodes, before, after, strict=True):
        linked = set(more.neighbours(node)) - set(airports.neighbours(node))
        assert [v for v in one if v not in linked][:25] == [v for v in other.tolist() if v not in linked][:25]


def test_blocks_make_no_difference(airports, monkeypatch):
    nodes = np.arange(70)
    whole = hardest_partners(airports, airports, nodes, 25, seed=3)
    monkeypatch.setattr(hard_negatives, "_WIDTH", 7)
    for one, other in zip(whole, hardest_partners(airports, airports, nodes, 25, seed=3), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_node_that_is_linked_with_all_others_is_refused():
    star = Graph.from_pairs([(p, q) for p in range(12) for q in range(p) if (p, q) != (11, 10)], 12)
    with pytest.raises(SplitError, match=r"too dense|linked with all nodes"):
        HEART.apply(star, 0)


@pytest.fixture(scope="module")
def citations():
    """A directed graph in which some edges have a reverse."""
    generator = np.random.default_rng(0)
    drawn = np.concatenate([generator.integers(0, 200, (900, 2)), generator.integers(0, 30, (200, 2))])
    return Graph.from_pairs(drawn, 200, is_directed=True)


def test_ordered_corruptions_keep_the_head_or_the_tail(citations):
    split = draw_split(citations, RandomSplit(), HardNegatives(60), 0, protocol="x")
    for fold in (split.valid, split.test):
        assert not citations.has_edges(fold.negatives).any()
        for (p, q), negatives in zip(fold.positives.tolist(), lists_of(fold.targets), strict=True):
            assert len(np.unique(negatives, axis=0)) == len(negatives) == 60
            assert ((negatives[:, 0] == p) ^ (negatives[:, 1] == q)).all()
            assert (negatives[:, 0] == p).sum() == 30
    audit = audit_split(split, citations)
    assert audit.passed, [check for check in audit.checks if not check.passed]
    np.testing.assert_array_equal(split.reserved.edges, split.train.observed.edges)
    reverses = split.test.negatives[:, ::-1]
    assert citations.has_edges(reverses).any()  # the reverse of an edge that is none may be a negative


@pytest.mark.parametrize("as_tail", [False, True])
def test_the_first_ordered_partners_are_the_best_by_one_of_the_scores(citations, as_tail):
    """Against scores from the models, which share no code."""
    for node in (3, 12, 77):
        (found,) = hardest_partners(citations, citations, np.array([node]), 30, seed=0, as_tail=as_tail)
        linked = (citations.reversed if as_tail else citations).neighbours(node)
        others = np.setdiff1d(np.arange(200), [*linked, node])
        pairs = np.stack([np.full_like(others, node), others], axis=1)
        pairs = pairs[:, ::-1] if as_tail else pairs
        for name in ("ra", "ppr"):
            scores = create_model(name)(citations, pairs)
            best = others[scores > max(np.sort(scores)[-12], 0)]
            assert len(best)
            assert set(best) <= set(found), name


def test_both_directions_give_the_partners_of_the_undirected_graph(airports):
    both = np.concatenate([airports.edges, airports.edges[:, ::-1]])
    twice = Graph.from_pairs(both, airports.num_nodes, is_directed=True)
    nodes = np.arange(40)
    for one, other in zip(
        hardest_partners(airports, airports, nodes, 30, 0), hardest_partners(twice, twice, nodes, 30, 0), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_triples_are_refused():
    with pytest.raises(SplitError, match="hard negatives are for pairs"):
        HardNegatives().draw(load_dataset("world"), np.random.default_rng(0))


def test_partners_are_on_the_other_side():
    rows = np.array([(u, 8 + (u * k) % 7) for u in range(8) for k in (1, 2, 3)])
    part = np.repeat([0, 1], [8, 7])
    graph = Graph.from_pairs(rows, 15, part=part)
    nodes = np.arange(15)
    for node, partners in zip(nodes, hardest_partners(graph, graph, nodes, 20, 0), strict=True):
        assert set(partners.tolist()) == set(np.flatnonzero(part != part[node])) - set(graph.neighbours(node).tolist())
