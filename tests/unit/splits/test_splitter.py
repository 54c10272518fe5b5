from __future__ import annotations

import numpy as np
import pytest

from linkwl import Graph
from linkwl.errors import SplitError
from linkwl.splits.splitter import TEST, TRAIN, VALID, check_ratios, divide, held_out_counts


@pytest.mark.parametrize("ratios", [(0, 0.1), (0.1, 0), (0.5, 0.5), (-0.1, 0.2)])
def test_every_fold_needs_a_share(ratios):
    with pytest.raises(ValueError, match="must be positive and leave edges to train on"):
        check_ratios(*ratios)


def test_counts_are_rounded_down_and_never_zero():
    path = Graph.from_pairs([(v, v + 1) for v in range(39)], 40, name="path")
    assert held_out_counts(path, 0.05, 0.10) == (1, 3)
    with pytest.raises(SplitError, match="path: 39 edges are too few to split; at least 100 are needed"):
        held_out_counts(path, 0.01, 0.10)


@pytest.mark.parametrize("width", [2, 3])
def test_queries_are_divided_in_order(width):
    generator = np.random.default_rng(0)
    queries = generator.integers(0, 9, (50, width)).astype(np.int32)
    fold = generator.integers(0, 3, 50).astype(np.int8)
    for label, found in zip((TRAIN, VALID, TEST), divide(queries, fold), strict=True):
        np.testing.assert_array_equal(found, queries[fold == label])
