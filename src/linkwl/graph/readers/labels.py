"""Reads node labels from a file, in the order of a graph's nodes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.node_rows import row_of_node
from linkwl.graph.readers.node_texts import read_node_texts


def read_labels(path: Path, ids: NodeIds) -> NDArray[np.str_]:
    """One label per node of ``ids``, in their order.

    A text or Parquet table has a column of nodes (``node``, ``id``, else the first) and one of labels (``label``, else
    the only other one). Labels are strings: ``1`` and ``1.0`` are different labels.

    Raises:
        InputError: If the file cannot be read, a label is empty, or its nodes are not exactly the graph's.
    """
    nodes, labels, lines = read_node_texts(path, ids, "label")
    rows = row_of_node(nodes, ids, path, lines, file="the labels", row="label", remedy="add a row for each")
    return np.array(labels.to_pylist(), dtype=np.str_)[rows]
