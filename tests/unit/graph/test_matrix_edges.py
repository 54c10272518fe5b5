from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from linkwl import InputError, load_graph
from linkwl.graph.matrix_edges import matrix_edges
from linkwl.graph.value_columns import NOTHING, ValueColumns

PATH = np.array([[0, 2, 0], [2, 0, 3], [0, 3, 0]], dtype=float)


def read(matrix, values=NOTHING, directed=None):
    return matrix_edges(sp.coo_array(matrix), values, directed, None)


def test_symmetric_matrices_are_undirected():
    edges = read(PATH)
    assert not edges.is_directed
    assert edges.notes == ("values of the matrix not used as weights (to use: --weight yes)",)
    assert read(PATH > 0).notes == ()
    assert read(PATH, ValueColumns(True)).weight.tolist() == [1, 1, 1.5, 1.5]  # halves, which are added
    assert read(PATH, ValueColumns(True), directed=True).weight.tolist() == [2, 2, 3, 3]
    nearly = PATH.copy()
    nearly[0, 1] *= 1 + 1e-12
    assert not read(nearly).is_directed


def test_other_matrices():
    assert read(np.triu(PATH)).notes[0] == "undirected, as the matrix is triangular"
    turned = PATH.copy()
    turned[0, 1] = 0
    assert read(turned).is_directed
    assert read(turned).notes[0] == "directed, as it is not symmetric"
    assert not read(turned, directed=False).is_directed


def test_thresholds():
    similar = np.array([[1, 0.9, -0.8], [0.9, 1, 0.1], [-0.8, 0.1, 1]])
    edges = read(similar, ValueColumns(threshold=0.5))
    assert list(zip(edges.source, edges.target, strict=True)) == [(0, 1), (1, 0)]
    assert edges.notes[:2] == ("edges where the value is at least 0.5", "2 values of -0.5 and below not used")
    with pytest.raises(InputError, match=r"100% of the pairs have a value, -0.8 to 0.9, .* --threshold 0.45"):
        read(similar)
    with pytest.raises(InputError, match=r"no value of a pair is at least 0.95; the largest is 0.9"):
        read(similar, ValueColumns(threshold=0.95))
    with pytest.raises(InputError, match="must be a finite number"):
        read(similar, ValueColumns(threshold=float("nan")))
    assert load_graph(similar, threshold=0.5).num_edges == 1


def test_whole_numbers_may_be_dense():
    assert len(read(np.arange(16).reshape(4, 4)).source) == 15


def test_values_that_are_not_finite():
    with pytest.raises(InputError, match="holds NaN or infinite values"):
        read(np.array([[0, np.nan], [1, 0]]))
