from __future__ import annotations

import numpy as np
import pytest

from linkwl.sparse.pna import MIN_VARIANCE, MessageRows, aggregate, aggregate_gradient


def random_rows(counts, num_messages, seed=0):
    """Rows of these lengths; every third one is at a source."""
    generator = np.random.default_rng(seed)
    ptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    col = generator.integers(0, max(num_messages, 1), ptr[-1]).astype(np.int32)
    return MessageRows(ptr, col, np.arange(len(counts)) % 3 == 0)


@pytest.mark.parametrize("channels", [1, 5, 32])
@pytest.mark.parametrize("counts", [[], [0], [3, 0, 2, 1], [0, 0, 7], [40] * 9])
def test_is_the_statistics_of_each_row(counts, channels):
    generator = np.random.default_rng(1)
    rows = random_rows(counts, 12)
    x, boundary = generator.standard_normal((12, channels)), generator.standard_normal(channels)
    out, chosen = aggregate(x, boundary, rows)
    assert out.shape == (len(counts), 4 * channels)
    for i, (mean, top, low, deviation) in enumerate(out.reshape(-1, 4, channels)):
        first = boundary if rows.at_source[i] else np.zeros(channels)
        messages = np.concatenate([[first], x[rows.col[rows.ptr[i] : rows.ptr[i + 1]]]])
        np.testing.assert_allclose(mean, messages.mean(axis=0), atol=1e-12)
        np.testing.assert_array_equal(top, messages.max(axis=0))
        np.testing.assert_array_equal(low, messages.min(axis=0))
        np.testing.assert_allclose(deviation, np.sqrt(np.maximum(messages.var(axis=0), MIN_VARIANCE)), atol=1e-12)
        np.testing.assert_array_equal(chosen[i], np.r_[messages.argmax(axis=0), messages.argmin(axis=0)] - 1)


def test_a_small_deviation_of_large_messages_keeps_its_digits():
    x = np.array([[1000.0], [1000.25]], dtype=np.float32)
    rows = MessageRows(np.array([0, 2]), np.array([0, 1], dtype=np.int32), np.array([True]))
    out, _ = aggregate(x, np.array([1000.125], dtype=np.float32), rows)
    assert out[0, 3] == pytest.approx(np.std([1000.0, 1000.25, 1000.125]), rel=1e-6)


def test_equal_messages_leave_the_gradient_to_the_first_and_none_to_the_deviation():
    x = np.ones((3, 1))
    rows = MessageRows(np.array([0, 3]), np.array([2, 0, 1], dtype=np.int32), np.array([False]))
    out, chosen = aggregate(x, np.ones(1), rows)
    grad, of_boundary = aggregate_gradient(np.array([[0.0, 5.0, 7.0, 0.0]]), x, np.ones(1), rows, out, chosen)
    assert grad[:, 0].tolist() == [0, 0, 5]  # the smallest message is the 0 of the boundary
    assert of_boundary.tolist() == [0]
    at_source = rows._replace(at_source=np.array([True]))
    out, chosen = aggregate(x, np.ones(1), at_source)
    assert out[0].tolist() == [1, 1, 1, np.sqrt(MIN_VARIANCE)]
    grad, of_boundary = aggregate_gradient(np.array([[0.0, 5.0, 7.0, 9.0]]), x, np.ones(1), at_source, out, chosen)
    assert not grad.any()
    assert of_boundary.tolist() == [12]


def test_the_bits_do_not_depend_on_the_number_of_threads(monkeypatch):
    generator = np.random.default_rng(0)
    rows = random_rows(generator.integers(0, 30, 4000), 900)
    x, boundary = generator.standard_normal((900, 20)).astype(np.float32), np.ones(20, dtype=np.float32)
    grad = generator.standard_normal((4000, 80)).astype(np.float32)
    results = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        out, chosen = aggregate(x, boundary, rows)
        results.append((out, *aggregate_gradient(grad, x, boundary, rows, out, chosen)))
    assert results[0][0].dtype == results[0][1].dtype == np.float32
    for other in results[1:]:
        for array, expected in zip(other, results[0], strict=True):
            np.testing.assert_array_equal(array, expected)
