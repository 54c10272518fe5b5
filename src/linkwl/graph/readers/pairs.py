"""Reads pairs of nodes of a known graph from a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import InputError, UnknownNameError
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.edge_list import read_pair_columns
from linkwl.graph.readers.parquet import parquet_columns
from linkwl.typing import Pairs


def read_pairs(path: Path, ids: NodeIds) -> Pairs:
    """The node pairs of a text file or Parquet table, in its order, including duplicates; shape ``(num_rows, 2)``.

    Raises:
        InputError: If the file cannot be read or names a node that is not among ``ids``.
    """
    is_parquet = path.suffix.lower() in (".parquet", ".pq")
    columns = parquet_columns(path).pair_columns() if is_parquet else read_pair_columns(path)
    names = [_as_ids(column) for column in (columns.source, columns.target)]
    found = np.stack([ids.find(column) for column in names], axis=1)
    if found.min(initial=0) < 0:
        row, end = divmod(int(np.argmax(found.reshape(-1) < 0)), 2)
        name = str(names[end][row].as_py())
        problem = UnknownNameError("node", name, ids.around(name)).problem
        if row == 0 and (found[0] < 0).all() and len(found) > 1 and not is_parquet:
            problem += " If this line is a heading, name its columns `source` and `target`."
        place = f"row {row + 1}: " if is_parquet else ""
        raise InputError(place + problem, path=path, line=columns.line_of(name))
    return found.astype(np.int32)


def _as_ids(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column if pa.types.is_integer(column.type) else pc.utf8_trim_whitespace(column.cast(pa.string()))
