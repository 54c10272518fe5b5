"""Matches the rows of a table to nodes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.column_words import NODE_NAMES, column_key
from linkwl.graph.node_ids import NodeIds
from linkwl.typing import IntArray


class RowsError(InputError):
    """The rows of a table are not those of the nodes."""

    def read_as(self, how: str) -> RowsError:
        """The same error, which also says how the table was read: the reason may be there."""
        return RowsError(f"{self.problem.removesuffix('.')}; {how}.", path=self.path, line=self.line)


def node_column(names: Sequence[str]) -> int:
    """The column that names the nodes: ``node``, ``id`` or similar, else the first."""
    keys = [column_key(name) for name in names]
    return next((keys.index(key) for key in NODE_NAMES if key in keys), 0)


def row_of_node(
    names: pa.Array | pa.ChunkedArray, ids: NodeIds, path: Path, lines: Sequence[int] | None = None, **words: str
) -> IntArray:
    """The row of each node in a file that has exactly one for each; see :func:`match_rows`."""
    return match_rows(names, ids, path, lines, **words)[0]  # type: ignore[arg-type]


def match_rows(
    names: pa.Array | pa.ChunkedArray,
    ids: NodeIds,
    path: Path | None,
    lines: Sequence[int] | None = None,
    *,
    file: str,
    row: str,
    remedy: str,
    spare: str = "remove them",
    is_partial: bool = False,
) -> tuple[IntArray, int]:
    """The row that belongs to each node, and the number of rows of other nodes.

    Args:
        names: The node of each row.
        ids: The nodes of the graph.
        path: The file, for error messages.
        lines: The line of each row in that file.
        file: What the file is, in words.
        row: What a row is, in words.
        remedy: What to do about nodes without a row.
        spare: What to do about rows of other nodes.
        is_partial: Whether nodes may have no row, which is then -1, and rows may be of other nodes.

    Raises:
        RowsError: If a node has two rows or, unless the file is partial, no row, or a row belongs to no node.
    """
    node = ids.find(names)

    def refuse(place: int, problem: str) -> RowsError:
        return RowsError(problem, path=path, line=lines[place] if lines else None)

    left_over = np.flatnonzero(node < 0)
    if len(left_over) == len(node):
        raise RowsError(f"none of its node ids is in the graph: these are {file} of another graph.", path=path)
    if len(left_over) and not is_partial:
        name = names[int(left_over[0])].as_py()
        raise refuse(
            int(left_over[0]),
            f"{len(left_over)} rows are left over, the first for node {name!r}, which is not in the graph; "
            f"{spare}, or declare a node without edges by the line `{name},{name}` in the edge list.",
        )
    places = np.flatnonzero(node >= 0)
    count = np.bincount(node[places], minlength=len(ids))
    if count.max() > 1:
        second = int(np.flatnonzero(node == int(np.argmax(count > 1)))[1])
        raise refuse(second, f"node {names[second].as_py()!r} has a second {row}; keep one.")
    if count.min() == 0 and not is_partial:
        missing = np.flatnonzero(count == 0)
        raise RowsError(
            f"{len(missing)} of {len(ids)} nodes have no {row}, the first is {ids[int(missing[0])]!r}; {remedy}.",
            path=path,
        )
    rows = np.full(len(ids), -1, dtype=np.int64)
    rows[node[places]] = places
    return rows, len(left_over)
