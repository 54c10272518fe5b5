"""Node tables: features and attributes by node id, matched to the nodes of a graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.graph.attribute_columns import understand_columns
from linkwl.graph.attributes import MAX_COMPARED, Attributes
from linkwl.graph.coordinate_columns import AUTO
from linkwl.graph.features import Features, checked_features
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.node_rows import match_rows
from linkwl.typing import IntArray

Missing: TypeAlias = Literal["error", "fill"]
"""What to do about nodes without a row, and rows without a node."""


@dataclass(frozen=True)
class TableOptions:
    """How a node table is read."""

    missing: Missing = "error"
    """``error`` to refuse a table without a row for every node; ``fill`` to read what there is: other nodes have
    missing values, in a plain matrix the mean of its columns (zeros in a sparse one), and other rows are ignored."""
    coordinates: str = AUTO
    """Which columns hold coordinates; see :func:`~linkwl.graph.coordinate_columns.find_coordinates`."""

    def __post_init__(self) -> None:
        if self.missing not in ("error", "fill"):
            raise InputError(f"missing features {self.missing!r}: expected 'error' or 'fill'.")


@dataclass(frozen=True)
class NodeTable:
    """The rows of a table in the order of a graph's nodes."""

    features: Features | None
    attributes: Attributes | None = None
    notes: tuple[str, ...] = ()
    """What was understood of each column, and what was ignored."""


def matrix_table(
    matrix: Any,
    nodes: pa.Array | pa.ChunkedArray,
    ids: NodeIds,
    options: TableOptions,
    path: Path | None = None,
    lines: Sequence[int] | None = None,
) -> NodeTable:
    """The table of a plain matrix of numbers.

    Args:
        matrix: Numbers, dense or sparse.
        nodes: The node of each row.
        ids: The nodes of the graph.
        options: How to read it.
        path: The file, for error messages.
        lines: The line of each row in that file.
    """
    features = checked_features(matrix, path=path, lines=lines)
    rows, notes = _rows(nodes, ids, options, path, lines)
    if rows.min(initial=0) >= 0:
        return NodeTable(features[rows], None, notes)
    if isinstance(features, np.ndarray):
        filled = np.where(rows[:, None] >= 0, features[rows], features.mean(axis=0, dtype=np.float64))
        return NodeTable(checked_features(filled), None, notes)
    empty = sp.csr_array((1, features.shape[1]), dtype=features.dtype)
    return NodeTable(checked_features(sp.vstack([features, empty], format="csr")[rows]), None, notes)


def column_table(
    names: Sequence[str],
    columns: Sequence[pa.ChunkedArray],
    nodes: pa.Array | pa.ChunkedArray,
    ids: NodeIds,
    options: TableOptions,
    path: Path | None = None,
    lines: Sequence[int] | None = None,
) -> NodeTable:
    """The table of named columns.

    Raises:
        InputError: If its nodes are not the graph's, a value is invalid, or nothing in it can be used.
    """

    def refuse(row: int, problem: str) -> InputError:
        where = "" if lines else f"node {nodes[row].as_py()!r}: "
        return InputError(where + problem, path=path, line=lines[row] if lines else None)

    rows, matching = _rows(nodes, ids, options, path, lines)
    understood = understand_columns(names, columns, refuse, options.coordinates)
    attributes = understood.attributes.take(rows)
    features = attributes.matrix()
    if features is None and attributes.positions is None:
        reasons = "; ".join(understood.notes) or "there is no column besides the nodes"
        raise InputError(f"nothing in the table can be compared between nodes: {reasons}.", path=path)
    is_matrix = len(attributes.numbers) > MAX_COMPARED and not any(c.has_gaps for c in attributes.numbers)
    is_plain = is_matrix and not attributes.categories and attributes.positions is None
    return NodeTable(features, None if is_plain else attributes, (*understood.notes, *matching))


def _rows(
    nodes: pa.Array | pa.ChunkedArray,
    ids: NodeIds,
    options: TableOptions,
    path: Path | None,
    lines: Sequence[int] | None,
) -> tuple[IntArray, tuple[str, ...]]:
    """The row of each node, -1 for none, and notes on what did not match."""
    rows, num_others = match_rows(
        nodes,
        ids,
        path,
        lines,
        file="the features",
        row="row of features",
        remedy="add a row for each, or use --missing-features fill",
        spare="ignore them with --missing-features fill, remove them",
        is_partial=options.missing == "fill",
    )
    notes = []
    if num_missing := int(np.count_nonzero(rows < 0)):
        notes.append(f"{num_missing:,} node{'s' * (num_missing > 1)} without a row")
    if num_others:
        notes.append(f"{num_others:,} row{'s' * (num_others > 1)} of other nodes ignored")
    return rows, tuple(notes)
