from __future__ import annotations

import numpy as np

from linkwl.graph.readers.object_columns import object_column, records_table


def test_missing_values_and_several_types():
    columns = {"a": np.array(["x", None], dtype=object), "b": np.array([1, "y", None], dtype=object)}
    assert object_column(columns, "a").to_pylist() == ["x", None]
    assert object_column(columns, "b").to_pylist() == ["1", "y", None]


def test_a_table():
    table = records_table({"from": np.array(["x"]), "to": np.array(["y"])}, "rows")
    assert table.to_graph(name="g").num_edges == 1
