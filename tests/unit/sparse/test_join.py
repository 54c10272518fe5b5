from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from linkwl.sparse import Triples, join, join_left, join_right, reference
from linkwl.sparse.join import spread
from plans import random_triples

join_module = import_module("linkwl.sparse.join")  # the function has the name of its module

SIZES = [(0, 0, 0, 0), (3, 2, 2, 0), (1, 1, 1, 5), (20, 7, 9, 60), (9, 400, 2, 2000)]


def test_counts():
    terms = Triples(np.array([0, 2, 2]), np.array([0, 1]), np.array([1, 1]), num_left=4, num_right=5)
    assert (terms.num_out, terms.num_terms) == (2, 2)
    assert repr(terms) == "Triples(2 out, 4 left, 5 right, 2 terms)"


def factors(triples, channels, dtype=np.float64):
    generator = np.random.default_rng(1)
    sizes = (triples.num_out, triples.num_left, triples.num_right)
    return [generator.standard_normal((size, channels)).astype(dtype) for size in sizes]


@pytest.mark.parametrize("channels", [0, 1, 3, 16, 33])
@pytest.mark.parametrize("sizes", SIZES)
def test_agrees_with_the_reference(sizes, channels):
    triples = random_triples(*sizes)
    _, a, b = factors(triples, channels)
    np.testing.assert_allclose(join(a, b, triples), reference.join(a, b, triples), atol=1e-12)


@pytest.mark.parametrize("channels", [1, 16])
@pytest.mark.parametrize("sizes", SIZES)
def test_the_three_kernels_are_the_gradients_of_one_sum(sizes, channels):
    triples = random_triples(*sizes)
    y, a, b = factors(triples, channels)
    total = (y * reference.join(a, b, triples)).sum()
    assert (a * join_left(y, b, triples)).sum() == pytest.approx(total, abs=1e-9)
    assert (b * join_right(y, a, triples)).sum() == pytest.approx(total, abs=1e-9)


def test_gradient_kernels_on_terms_that_can_be_read():
    triples = Triples(np.array([0, 2, 3]), np.array([0, 1, 1]), np.array([2, 0, 2]), num_left=2, num_right=3)
    y, a, b = np.array([[1.0], [10.0]]), np.array([[2.0], [3.0]]), np.array([[5.0], [7.0], [11.0]])
    assert join(a, b, triples).tolist() == [[2 * 11 + 3 * 5], [3 * 11]]
    assert join_left(y, b, triples).tolist() == [[11], [5 + 110]]
    assert join_right(y, a, triples).tolist() == [[3], [0], [2 + 30]]


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_keeps_the_type_for_both_widths_of_indices(dtype, index):
    narrow = random_triples(50, 20, 30, 400)
    triples = Triples(narrow.ptr, narrow.left.astype(index), narrow.right.astype(index), 20, 30)
    y, a, b = factors(triples, 8, dtype)
    for kernel, x, z in ((join, a, b), (join_left, y, b), (join_right, y, a)):
        out = kernel(x, z, triples)
        assert out.dtype == dtype
        np.testing.assert_array_equal(out, kernel(x, z, narrow))


@pytest.mark.parametrize("is_local", [False, True])
def test_the_bits_do_not_depend_on_the_number_of_threads(monkeypatch, is_local):
    triples = random_triples(3000, 500, 700, 60_000, is_local=is_local)
    y, a, b = factors(triples, 16, np.float32)
    results = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        results.append([join(a, b, triples), join_left(y, b, triples), join_right(y, a, triples)])
    for other in results[1:]:
        for one, another in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(one, another)


def plain_spread(y, x, ptr, key, other, num_keys):
    out = np.zeros((num_keys, y.shape[1]))
    np.add.at(out, key, np.repeat(y, np.diff(ptr), axis=0) * x[other])
    return out


def spread_arguments(triples, channels=4):
    generator = np.random.default_rng(0)
    y = generator.standard_normal((triples.num_out, channels))
    x = generator.standard_normal((triples.num_right, channels))
    return y, x, triples.ptr, triples.left, triples.right, triples.num_left


@pytest.mark.parametrize(
    ("sizes", "is_local", "num_parts"),
    [
        ((30, 10, 10, 100), False, 1),  # too little for more than one part
        ((2000, 3000, 10, 40_000), True, 16),  # parts reach few rows of each other
        ((2000, 1000, 10, 40_000), False, 10),  # parts reach all rows, and few enough pay
        ((2000, 30_000, 10, 40_000), False, 1),  # to keep rows apart would cost more than the terms
    ],
)
def test_agrees_with_a_plain_scatter_in_any_number_of_parts(monkeypatch, sizes, is_local, num_parts):
    arguments = spread_arguments(random_triples(*sizes, is_local=is_local))
    cut = []
    monkeypatch.setattr(join_module, "run_all", lambda function, parts: cut.append(parts) or list(map(function, parts)))
    np.testing.assert_allclose(spread(*arguments), plain_spread(*arguments), atol=1e-12)
    assert len(cut[-1]) == num_parts


def test_rows_that_no_term_reaches_are_zero():
    triples = random_triples(2000, 50, 10, 40_000)
    y, x, ptr, key, other, _ = spread_arguments(triples)
    out = spread(y, x, ptr, key + 7, other, 70)
    assert not out[:7].any()
    assert not out[57:].any()
    np.testing.assert_allclose(out[7:57], plain_spread(y, x, ptr, key, other, 50), atol=1e-12)


def test_parts_without_terms_between_others():
    """Rows without terms fill whole parts; keys fall, so that every part reaches back."""
    counts = np.zeros(30_000, dtype=np.int64)
    counts[:1000] = counts[-1000:] = 20
    ptr = np.concatenate([[0], np.cumsum(counts)])
    key = np.sort(np.random.default_rng(0).integers(0, 500, ptr[-1]))[::-1].astype(np.int32)
    other = np.zeros(ptr[-1], dtype=np.int32)
    generator = np.random.default_rng(1)
    arguments = (generator.random((len(counts), 4)), generator.random((1, 4)), ptr, key, other, 500)
    np.testing.assert_allclose(spread(*arguments), plain_spread(*arguments), atol=1e-10)
