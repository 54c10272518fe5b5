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
from linkwl.graph.sided_ids import SidedIds
from linkwl.typing import Pairs


def read_pairs(path: Path, ids: NodeIds) -> Pairs:
    """The node pairs of a text file or Parquet table, in its order, including duplicates; shape ``(num_rows, 2)``.

    If the sides of a bipartite graph have their own names, the first column is the left one.

    Raises:
        InputError: If the file cannot be read or names a node that is not among ``ids``.
    """
    is_parquet = path.suffix.lower() in (".parquet", ".pq")
    columns = parquet_columns(path).pair_columns() if is_parquet else read_pair_columns(path)
    names = [_as_ids(column) for column in (columns.source, columns.target)]
    ends = (ids.left, ids.right) if isinstance(ids, SidedIds) else (ids, ids)
    found = np.stack([known.find(column) for known, column in zip(ends, names, strict=True)], axis=1)
    if found.min(initial=0) < 0:
        row, end = divmod(int(np.argmax(found.reshape(-1) < 0)), 2)
        name = str(names[end][row].as_py())
        kind = "node" if ends[0] is ends[1] else f"node on the {('left', 'right')[end]}"
        problem = UnknownNameError(kind, name, ends[end].around(name)).problem
        if row == 0 and (found[0] < 0).all() and len(found) > 1 and not is_parquet:
            problem += " If this line is a heading, name its columns `source` and `target`."
        place = f"row {row + 1}: " if is_parquet else ""
        raise InputError(place + problem, path=path, line=columns.line_of(name))
    return found.astype(np.int32)


def _as_ids(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column if pa.types.is_integer(column.type) else pc.utf8_trim_whitespace(column.cast(pa.string()))
