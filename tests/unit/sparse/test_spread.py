from __future__ import annotations

import numpy as np
import pytest

from linkwl.sparse import spread as spread_module
from linkwl.sparse.spread import spread
from plans import random_triples


def plain(y, x, ptr, key, other, num_keys):
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
    monkeypatch.setattr(
        spread_module, "run_all", lambda function, parts: cut.append(parts) or list(map(function, parts))
    )
    np.testing.assert_allclose(spread(*arguments), plain(*arguments), atol=1e-12)
    assert len(cut[-1]) == num_parts


def test_rows_that_no_term_reaches_are_zero():
    triples = random_triples(2000, 50, 10, 40_000)
    y, x, ptr, key, other, _ = spread_arguments(triples)
    out = spread(y, x, ptr, key + 7, other, 70)
    assert not out[:7].any()
    assert not out[57:].any()
    np.testing.assert_allclose(out[7:57], plain(y, x, ptr, key, other, 50), atol=1e-12)


def test_parts_without_terms_between_others():
    """Rows without terms fill whole parts; keys fall, so that every part reaches back."""
    counts = np.zeros(30_000, dtype=np.int64)
    counts[:1000] = counts[-1000:] = 20
    ptr = np.concatenate([[0], np.cumsum(counts)])
    key = np.sort(np.random.default_rng(0).integers(0, 500, ptr[-1]))[::-1].astype(np.int32)
    other = np.zeros(ptr[-1], dtype=np.int32)
    generator = np.random.default_rng(1)
    arguments = (generator.random((len(counts), 4)), generator.random((1, 4)), ptr, key, other, 500)
    np.testing.assert_allclose(spread(*arguments), plain(*arguments), atol=1e-10)
