from __future__ import annotations

import numpy as np
import pytest

from linkwl.sparse import Stars, at_stars, reference, star_sums

PAIRS = np.array([(0, 1), (0, 2), (2, 2), (1, 3)])


def test_stars_at_both_ends():
    stars = Stars.at_both_ends(PAIRS, 5)
    assert stars.ends.tolist() == [[0, 1], [0, 2], [2, -1], [1, 3]]
    assert stars.size.tolist() == [2, 2, 2, 1, 0]
    assert stars.num_ends.tolist() == [2, 2, 1, 2]
    assert stars.num_neighbours.tolist() == [2, 2, 1, 1]
    ptr, member = stars.rows
    assert [member[a:b].tolist() for a, b in zip(ptr[:-1], ptr[1:], strict=True)] == [[0, 1], [0, 3], [1, 2], [3], []]


def test_stars_by_position():
    stars = Stars.by_position(np.array([(0, 1), (1, 0), (0, 0)]), 2)
    assert stars.ends.tolist() == [[0, 3], [1, 2], [0, 2]]
    assert stars.size.tolist() == [2, 1, 2, 1]
    assert stars.num_neighbours.tolist() == [1, 1, 2]


@pytest.mark.parametrize("seed", range(3))
def test_sums_without_a_pair_itself_are_those_over_the_explicit_graph(seed):
    generator = np.random.default_rng(seed)
    pairs = np.unique(np.sort(generator.integers(0, 12, (40, 2)), axis=1), axis=0)
    x = generator.standard_normal((len(pairs), 3))
    both = np.concatenate([pairs, pairs[:, ::-1]])
    for stars, values in (
        (Stars.at_both_ends(pairs, 12), x),
        (Stars.at_one_end(pairs[:, 1], 12), x),
        (Stars.by_position(np.unique(both, axis=0), 12), generator.standard_normal((len(np.unique(both, axis=0)), 3))),
    ):
        explicit = reference.pair_adjacency(stars.ends)
        np.testing.assert_array_equal(explicit.sum(axis=1), stars.num_neighbours)
        heard = at_stars(star_sums(values, stars), stars) - stars.num_ends[:, None] * values
        np.testing.assert_allclose(heard, explicit @ values, rtol=0, atol=1e-12)


def test_several_threads_give_the_same_bits(monkeypatch):
    generator = np.random.default_rng(0)
    stars = Stars.at_both_ends(generator.integers(0, 2000, (20_000, 2)), 2000)
    x = generator.standard_normal((20_000, 4)).astype(np.float32)
    results = []
    for threads in ("1", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        sums = star_sums(x, stars)
        results.append((sums, at_stars(sums, stars)))
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(one, other)


def test_no_pairs():
    stars = Stars.at_both_ends(np.empty((0, 2), dtype=np.int64), 3)
    assert star_sums(np.empty((0, 2)), stars).tolist() == [[0, 0]] * 3
    assert at_stars(np.ones((3, 2)), stars).shape == (0, 2)
