from __future__ import annotations

import numpy as np

from linkwl.sparse import Triples, triples


def test_counts():
    terms = Triples(np.array([0, 2, 2]), np.array([0, 1]), np.array([1, 1]), num_left=4, num_right=5)
    assert (terms.num_out, terms.num_terms) == (2, 2)
    assert repr(terms) == "Triples(2 out, 4 left, 5 right, 2 terms)"


def test_indices_are_narrow_as_long_as_they_fit():
    assert triples.index_type(5, 2**31 - 1) is np.int32
    assert triples.index_type(2**31, 5) is np.int64
