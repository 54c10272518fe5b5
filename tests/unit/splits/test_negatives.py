from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwl import Graph, SplitError
from linkwl.splits.negatives import distinct_integers, sample_negatives


@given(st.integers(1, 400), st.data())
def test_distinct_integers_are_distinct_sorted_and_in_range(total, data):
    count = data.draw(st.integers(0, total))
    drawn = distinct_integers(total, count, np.random.default_rng(data.draw(st.integers(0, 99))))
    assert len(drawn) == count
    assert (np.diff(drawn) > 0).all()
    assert not count or (drawn[0] >= 0 and drawn[-1] < total)


@pytest.mark.parametrize(("total", "count"), [(9, 2), (6, 3)])  # by gaps, by permutation
def test_every_subset_is_equally_likely(total, count):
    generator = np.random.default_rng(0)
    draws = 6000
    seen = Counter(tuple(distinct_integers(total, count, generator).tolist()) for _ in range(draws))
    subsets = list(combinations(range(total), count))
    expected = draws / len(subsets)
    chi_squared = sum((seen[subset] - expected) ** 2 / expected for subset in subsets)
    freedom = len(subsets) - 1
    assert chi_squared < freedom + 4 * np.sqrt(2 * freedom)


def test_large_draws_are_spread_evenly():
    drawn = distinct_integers(10**12, 200_000, np.random.default_rng(3))
    counts = np.bincount(drawn // 10**10, minlength=100)
    assert len(drawn) == 200_000
    assert abs(counts - 2000).max() < 6 * np.sqrt(2000)


def test_negatives_reach_the_last_non_edge_of_a_dense_graph():
    complete = np.array(list(combinations(range(12), 2)))
    hidden = complete[[3, 20, 41]]
    graph = Graph.from_pairs(complete, 12).without(hidden)
    drawn = sample_negatives(graph, 3, np.random.default_rng(0))
    assert drawn.tolist() == hidden.tolist()


def test_too_dense_a_graph_is_refused():
    triangle = Graph.from_pairs([(0, 1), (1, 2), (0, 2)], 4)
    with pytest.raises(SplitError, match=r"too dense: 4 negatives are needed, but only 3 of its 6 node pairs"):
        sample_negatives(triangle, 4, np.random.default_rng(0))


def test_known_negatives_come_first():
    graph = Graph.from_pairs([(0, 1)], 20)
    known = np.array([(0, 5), (3, 9)], dtype=np.int32)
    drawn = sample_negatives(graph, 10, np.random.default_rng(0), known=known)
    assert drawn.shape == (10, 2)
    assert drawn[:2].tolist() == known.tolist()
    assert not graph.contains(drawn).any()
    without = sample_negatives(graph, 10, np.random.default_rng(0), known=known[:0])
    assert np.array_equal(without, sample_negatives(graph, 10, np.random.default_rng(0)))


def test_at_most_half_of_the_negatives_are_known_ones():
    graph = Graph.from_pairs([(0, 1)], 20)
    known = graph.non_edges(np.arange(100))
    generator = np.random.default_rng(0)
    drawn = [sample_negatives(graph, 11, generator, known=known)[:5] for _ in range(200)]
    assert len(np.unique(np.concatenate(drawn), axis=0)) == 100
