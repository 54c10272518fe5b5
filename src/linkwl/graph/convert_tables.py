"""Tables in memory: Arrow tables, data frames and lists of dictionaries.

Neither pandas nor polars is imported: a data frame is recognised by its attributes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.convert_rows import as_records
from linkwl.graph.readers.named_columns import NamedColumns
from linkwl.graph.readers.object_columns import object_column, records_table
from linkwl.graph.sided_ids import numbers_if_all


class LabelledMatrix(NamedTuple):
    """A matrix of numbers with a label for every row, and other ones for the columns if it has two sides."""

    matrix: np.ndarray
    labels: pa.Array
    columns: pa.Array | None = None


def as_frame(source: Any) -> Any:
    """A lazy frame of polars, collected; else the object itself."""
    return source.collect() if hasattr(source, "collect_schema") and hasattr(source, "collect") else source


def as_named_columns(source: Any) -> NamedColumns | None:
    """The columns of a table; None if the object is no table.

    An index with names, as pandas makes it of groups, is columns as well: it would be in the CSV of the frame.
    """
    if isinstance(source, pa.Table):
        return NamedColumns(source.column_names, lambda wanted: _arrow_columns(source, wanted), "Arrow table")
    if (records := as_records(source)) is not None:
        return records_table(records, "list of dictionaries")
    source = _with_index(source)
    if not _is_frame(source):
        return None
    names = list(source.columns)
    if all(isinstance(name, str) for name in names):
        return NamedColumns(names, lambda wanted: [object_column(source, name) for name in wanted], "data frame")
    # Columns with numbers instead of names are like those of a text without a header: known by their positions.
    by_place = {str(place): name for place, name in enumerate(names, start=1)}
    return NamedColumns(
        list(by_place),
        lambda wanted: [object_column(source, by_place[place]) for place in wanted],
        "data frame",
        has_names=False,
    )


def as_labelled_matrix(source: Any) -> LabelledMatrix | None:
    """The matrix of a table whose rows have the labels of its columns; None if it is no such table.

    The labels of the rows are the index of a data frame, as in the result of ``networkx.to_pandas_adjacency``, or a
    first column, as in the CSV that it is written to.
    """
    is_table = isinstance(source, pa.Table)
    if not is_table and not _is_frame(source):
        return None
    columns = list(source.column_names if is_table else source.columns)
    index = None if is_table else getattr(source, "index", None)
    if index is not None and not callable(index) and len(columns) > 1 and _same_names(list(index), columns):
        return _labelled(np.asarray(source), columns)
    num_rows = source.num_rows if is_table else len(source) if hasattr(source, "__len__") else -1
    if len(columns) < 3 or num_rows != len(columns) - 1 or len(set(columns)) < len(columns):
        return None
    cells = [_arrow_columns(source, [name])[0] if is_table else object_column(source, name) for name in columns]
    if not _same_names(cells[0].to_pylist(), columns[1:]):
        return None
    return _labelled(np.column_stack([column.to_numpy() for column in cells[1:]]), columns[1:])


def as_side_matrix(source: Any) -> LabelledMatrix | None:
    """The matrix of a data frame whose index and columns are the two sides of a graph; None if it is no such frame.

    The index must hold other names than the numbers of the rows, and there are three columns of numbers or more.
    """
    index = getattr(source, "index", None)
    if not _is_frame(source) or index is None or callable(index) or len(source.columns) < 3:
        return None
    rows = np.asarray(index).tolist()
    if rows == list(range(len(rows))):
        return None
    found = _labelled(np.asarray(source), rows)
    return None if found is None else found._replace(columns=_names(list(source.columns)))


def _same_names(rows: Sequence[Any], columns: Sequence[Any]) -> bool:
    return len(rows) == len(columns) and list(map(str, rows)) == list(map(str, columns))


def _labelled(matrix: np.ndarray, labels: Sequence[Any]) -> LabelledMatrix | None:
    if matrix.dtype.kind == "O":
        try:
            matrix = matrix.astype(np.float64)
        except (TypeError, ValueError):
            return None
    if matrix.dtype.kind not in "biuf":
        return None
    return LabelledMatrix(matrix, _names(labels))


def _names(labels: Sequence[Any]) -> pa.Array:
    return numbers_if_all(pa.array([str(label) for label in labels], pa.string()))


def _with_index(source: Any) -> Any:
    """A data frame or series of pandas whose index has names, with the index as columns; else the object itself."""
    names = list(getattr(getattr(source, "index", None), "names", None) or ())
    are_names = bool(names) and all(isinstance(name, str) for name in names)
    if not are_names or not hasattr(source, "reset_index") or not set(names).isdisjoint(getattr(source, "columns", ())):
        return source
    return source.reset_index()


def _is_frame(source: Any) -> bool:
    return not isinstance(source, np.ndarray) and hasattr(source, "columns") and hasattr(source, "__getitem__")


def _arrow_columns(table: pa.Table, names: list[str]) -> list[pa.ChunkedArray]:
    for name in names:
        if table.column_names.count(name) > 1:
            raise InputError(f"several columns are called `{name}`; rename all but one.")
    return [table[name] for name in names]
