from __future__ import annotations

import numpy as np
import pytest

from linkwl.sparse import perceptron_grid
from linkwl.sparse.perceptron_grid import FirstLayer, add_perceptrons, first_rows


def random_layer(num_pairs, num_relations, members=3, hidden=5, dtype=np.float64, seed=0):
    generator = np.random.default_rng(seed)
    channels, num_heads, num_tails, num_features = members * hidden, 4, 6, 3
    entries = generator.normal(size=(num_pairs, num_relations, num_features))
    entries[generator.random(entries.shape) < 0.7] = 0
    return FirstLayer(
        generator.normal(size=(num_heads, num_relations, channels)).astype(dtype),
        generator.normal(size=(num_tails, num_relations, channels)).astype(dtype),
        generator.normal(size=(num_pairs, channels)).astype(dtype),
        generator.integers(num_heads, size=num_pairs),
        generator.integers(num_tails, size=num_pairs),
        entries.astype(np.float32),
        generator.normal(size=(num_features, channels)).astype(dtype),
        generator.random((num_heads, num_relations)) < 0.5,
        generator.random((num_tails, num_relations)) < 0.5,
        generator.normal(size=channels).astype(dtype),
    )


def plain(first, hidden, bias, last):
    """The same, without sharing anything."""
    both = first.head_flag[first.head] & first.tail_flag[first.tail]
    x = first.head_rows[first.head] + first.tail_rows[first.tail] + first.pair_rows[:, None]
    x = x + first.entries @ first.entry_rows + both[..., None] * first.flag_row
    x = np.maximum(x, 0).reshape(*x.shape[:2], *bias.shape)
    y = np.maximum(np.einsum("prmi,mij->prmj", x, hidden) + bias, 0)
    return (y * last).sum((2, 3))


def layers(members, hidden, dtype, seed=1):
    generator = np.random.default_rng(seed)
    shapes = ((members, hidden, hidden), (members, hidden), (members, hidden))
    return [generator.normal(size=shape).astype(dtype) for shape in shapes]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("num_pairs", "num_relations"), [(1, 1), (7, 3), (90, 41), (0, 4), (5, 300)])
def test_it_equals_plain_perceptrons(num_pairs, num_relations, dtype):
    first, others = random_layer(num_pairs, num_relations, dtype=dtype), layers(3, 5, dtype)
    out = np.full((num_pairs, num_relations), 2, dtype=dtype)
    add_perceptrons(first, *others, out)
    np.testing.assert_allclose(out - 2, plain(first, *others), atol=1e-4 if dtype == np.float32 else 1e-12)


@pytest.mark.parametrize("chunk", [1, 10, 1000])
def test_chunks_make_no_difference(chunk, monkeypatch):
    first, others = random_layer(30, 7), layers(3, 5, np.float64)
    monkeypatch.setattr(perceptron_grid, "_CHUNK", chunk)
    out = np.zeros((30, 7))
    perceptron_grid._add.py_func(first, *others, out, 0, 30)
    np.testing.assert_allclose(out, plain(first, *others), atol=1e-12)


def test_a_row_is_that_of_its_features():
    generator = np.random.default_rng(0)
    features = generator.normal(size=(9, 4, 3)).astype(np.float32)
    weights, base = generator.normal(size=(3, 6)), generator.normal(size=(4, 6))
    np.testing.assert_allclose(first_rows(features, weights, base), features @ weights + base, atol=1e-12)
    assert first_rows(features[:0], weights, base).shape == (0, 4, 6)
