"""Pairs of nodes of a known graph, from a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import InputError, UnknownNameError
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.edge_list import read_pair_columns
from linkwl.typing import Pairs


def read_pairs(path: Path, ids: NodeIds) -> Pairs:
    """The node pairs listed in a text file, in its order, every copy kept; shape ``(num_rows, 2)``.

    Raises:
        InputError: If the file cannot be read or names a node that is not among ``ids``.
    """
    columns = read_pair_columns(path)
    ends = []
    for column in (columns.source, columns.target):
        if not pa.types.is_integer(column.type):
            column = pc.utf8_trim_whitespace(column.cast(pa.string()))
        found = ids.find(column)
        if len(found) and found.min() < 0:
            name = str(column[int(np.argmin(found))].as_py())
            problem = UnknownNameError("node", name, ids.around(name)).problem
            raise InputError(problem, path=path, line=columns.line_of(name))
        ends.append(found)
    return np.stack(ends, axis=1).astype(np.int32)
