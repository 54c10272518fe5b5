from __future__ import annotations

import numpy as np
import pytest

from linkwl.sparse import segment_sum


@pytest.mark.parametrize("channels", [0, 1, 5])
@pytest.mark.parametrize("counts", [[], [0], [3, 0, 2], [0, 0, 7]])
def test_adds_consecutive_rows(counts, channels):
    values = np.random.default_rng(0).standard_normal((sum(counts), channels))
    ptr = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)
    expected = [values[start:stop].sum(axis=0) for start, stop in zip(ptr, ptr[1:], strict=False)]
    out = segment_sum(values, ptr)
    assert out.shape == (len(counts), channels)
    np.testing.assert_allclose(out, np.reshape(expected, out.shape), atol=1e-12)


def test_the_bits_do_not_depend_on_the_number_of_threads(monkeypatch):
    generator = np.random.default_rng(0)
    ptr = np.concatenate([[0], np.cumsum(generator.integers(0, 30, 4000))])
    values = generator.standard_normal((ptr[-1], 16)).astype(np.float32)
    results = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        results.append(segment_sum(values, ptr))
    assert results[0].dtype == np.float32
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])
