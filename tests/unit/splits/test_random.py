from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwl import Graph, RandomSplit, SplitError, audit_split
from linkwl.datasets import load_airports


def keys(pairs):
    return {tuple(sorted(pair)) for pair in pairs.tolist()}


@st.composite
def messy_graphs(draw):
    """Rows with copies, reversals, loops and isolated nodes; sparse enough to be split."""
    num_nodes = draw(st.integers(12, 40))
    node = st.integers(0, num_nodes - 4)  # the last nodes stay isolated
    rows = draw(st.lists(st.tuples(node, node), min_size=24, max_size=40, unique_by=lambda row: frozenset(row)))
    copies = draw(st.lists(st.sampled_from(rows), max_size=20))
    rows = rows + copies + [row[::-1] for row in copies] + [(v, v) for v in range(3)]
    return Graph.from_pairs(draw(st.permutations(rows)), num_nodes)


@settings(deadline=None)
@given(messy_graphs(), st.integers(0, 2**32))
def test_no_mess_makes_it_leak(graph, seed):
    if not 20 <= graph.num_edges <= graph.num_non_edges:
        with pytest.raises(SplitError):
            RandomSplit().apply(graph, seed)
        return
    split = RandomSplit().apply(graph, seed)
    audit = audit_split(split, graph)
    assert audit.passed, [check for check in audit.checks if not check.passed]
    edges = keys(graph.edges)
    held_out = keys(split.valid.positives) | keys(split.test.positives)
    # The same facts once more in plain sets, so that the audit is not its own witness.
    assert keys(split.train.positives) | held_out == edges
    assert keys(split.train.observed.edges) == edges - held_out
    assert keys(split.valid.observed.edges) == edges - held_out
    assert keys(split.test.observed.edges) == edges - keys(split.test.positives)
    for fold in split.folds.values():
        assert len(keys(fold.positives)) == len(fold.positives) == len(fold.negatives) == len(keys(fold.negatives))
        assert not keys(fold.negatives) & edges
        assert not any(p == q for p, q in fold.negatives.tolist())
    negatives = [keys(fold.negatives) for fold in split.folds.values()]
    assert len(set.union(*negatives)) == sum(map(len, negatives))


def test_sizes_are_those_of_the_paper():
    split = RandomSplit().apply(load_airports(), seed=0)
    assert [len(fold.positives) for fold in split.folds.values()] == [3017 - 150 - 301, 150, 301]


def test_seeds_give_distinct_splits_and_repeat_themselves():
    graph = load_airports()
    digests = [RandomSplit().apply(graph, seed).digest for seed in range(10)]
    assert len(set(digests)) == 10
    assert RandomSplit().apply(graph, 3).digest == digests[3]


def test_every_edge_is_held_out_about_equally_often():
    graph = Graph.from_pairs([(v, (v + 1) % 40) for v in range(40)], 40)
    counts = Counter()
    for seed in range(1000):
        counts.update(keys(RandomSplit().apply(graph, seed).test.positives))
    assert len(counts) == 40
    assert max(abs(count - 100) for count in counts.values()) < 5 * np.sqrt(90)


def test_held_out_edges_do_not_reach_the_training_side():
    """Two graphs that differ only in held-out edges, with the same draw, look the same to training."""
    graph = load_airports()
    split = RandomSplit().apply(graph, seed=1)
    held_out = np.concatenate([split.valid.positives, split.test.positives])
    other = graph.without(held_out)
    assert split.train.observed.digest == other.digest
    assert not split.train.observed.has_edges(held_out).any()
    assert not split.train.observed.has_edges(held_out[:, ::-1]).any()


def test_too_few_edges_are_refused():
    path = Graph.from_pairs([(v, v + 1) for v in range(19)], 20)
    with pytest.raises(SplitError, match=r"19 edges are too few to split; at least 20 are needed"):
        RandomSplit().apply(path, seed=0)


def test_a_directed_graph_is_split_over_ordered_pairs():
    generator = np.random.default_rng(0)
    graph = Graph.from_pairs(generator.integers(0, 60, (300, 2)), 60, is_directed=True)
    split = RandomSplit().apply(graph, seed=0)
    assert audit_split(split, graph).passed
    assert sum(len(fold.positives) for fold in split.folds.values()) == graph.num_edges
    assert not graph.has_edges(split.test.negatives).any()
    assert (split.test.negatives[:, 0] > split.test.negatives[:, 1]).any()
