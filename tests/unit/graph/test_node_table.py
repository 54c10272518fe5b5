from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.graph import NodeIds
from linkwl.graph.node_table import TableOptions, column_table, matrix_table

IDS = NodeIds(pa.array(["ann", "bob", "cid"]))
STRICT, FILL = TableOptions(), TableOptions("fill")


def columns(**values):
    return list(values), [pa.chunked_array([pa.array(column)]) for column in values.values()]


def test_a_dense_matrix_is_filled_with_means():
    nodes, matrix = pa.array(["cid", "ann", "zoe"]), np.array([[1.0, 2], [3, 4], [5, 9]])
    table = matrix_table(matrix, nodes, IDS, FILL)
    assert table.features.tolist() == [[3, 4], [3, 5], [1, 2]]
    assert table.notes == ("1 node without a row", "1 row of other nodes ignored")
    assert table.attributes is None


def test_a_sparse_matrix_is_filled_with_zeros():
    table = matrix_table(sp.csr_array(np.eye(2)), pa.array(["cid", "ann"]), IDS, FILL)
    assert table.features.toarray().tolist() == [[0, 1], [0, 0], [1, 0]]


def test_columns_are_matched_to_nodes():
    names, values = columns(age=[1.0, 2.0], city=["x", "x"], lat=[5.0, 6.0], lon=[7.0, 8.0])
    table = column_table(names, values, pa.array(["cid", "ann"]), IDS, FILL)
    np.testing.assert_array_equal(table.attributes.positions.coordinates, [[6, 8], [np.nan, np.nan], [5, 7]])
    assert table.features.tolist() == [[2, 0], [1.5, 1], [1, 0]]  # the mean, and a mark
    assert table.notes[-1] == "1 node without a row"


def test_without_the_option_the_first_missing_node_is_named():
    with pytest.raises(
        InputError, match="1 of 3 nodes have no row of features, the first is 'bob'.*--missing-features"
    ):
        column_table(*columns(age=[1, 2]), pa.array(["cid", "ann"]), IDS, STRICT)


def test_many_complete_numbers_are_a_plain_matrix():
    names, values = columns(**{f"f{k}": [1.0, 2.0, float(k)] for k in range(20)})
    table = column_table(names, values, IDS.to_arrow(), IDS, STRICT)
    assert table.attributes is None
    assert table.features.shape == (3, 20)


def test_other_options_are_refused():
    with pytest.raises(InputError, match="missing features 'mean': expected 'error' or 'fill'"):
        TableOptions("mean")
