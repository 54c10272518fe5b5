"""Which values of edges to read from a source, and how to convert them to numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import InputError
from linkwl.graph.edge_columns import Merge

Column: TypeAlias = str | int | bool | None
"""A column by name, or by position from 1; True for the usual name, None or False for none."""


@dataclass(frozen=True)
class ValueColumns:
    """The requested columns of weights and times, none by default, and which values of a matrix are edges."""

    weight: Column = None
    time: Column = None
    merge: Merge = "sum"
    """How the weights of duplicates are merged."""
    threshold: float | None = None
    """The least value of a matrix that is an edge."""

    def names(self, *, weight: str = "weight", time: str = "time") -> dict[str, str | int]:
        """The column of each requested kind of value; the arguments are the usual names."""
        requested = {
            "weight": weight if self.weight is True else self.weight,
            "time": time if self.time is True else self.time,
        }
        return {kind: column for kind, column in requested.items() if column is not None and column is not False}

    def find(self, names: Sequence[str] | None, num_columns: int, path: Path | None) -> dict[str, int]:
        """The positions of the columns in a table with these column names, if it has names.

        Raises:
            InputError: If there is no such column.
        """
        return {kind: find_column(kind, column, names, num_columns, path) for kind, column in self.names().items()}

    def refuse(self, form: str, remedy: str, path: Path | None = None) -> None:
        """Raises InputError if any column is requested, for sources without such columns."""
        for kind in self.names():
            raise InputError(f"no {kind} can be read from {form}; {remedy}.", path=path)


NOTHING = ValueColumns()


def find_column(kind: str, column: str | int, names: Sequence[str] | None, num_columns: int, path: Path | None) -> int:
    """The position of a column by its name or its position from 1; ``kind`` is its content in words.

    Raises:
        InputError: If there is no such column.
    """
    if names is not None and column in names:
        return list(names).index(str(column))
    position = int(column) if str(column).isdecimal() else 0
    if 1 <= position <= num_columns:
        return position - 1
    if names is None:
        problem = f"there is no header; name the column of the {kind} by its position, 1 to {num_columns}."
    else:
        problem = f"there is no column `{column}`; the columns are {', '.join(f'`{name}`' for name in names)}."
    raise InputError(problem, path=path)


def to_numbers(kind: str, column: pa.ChunkedArray, *, decimal_comma: bool = False) -> np.ndarray:
    """A column of weights or times as numbers, dates as seconds since 1970.

    Raises:
        ValueError: If a value is missing or not a finite number.
    """
    if column.null_count:
        raise ValueError("a value is missing")
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_large_string(column.type) or pa.types.is_string_view(column.type):
        column = column.cast(pa.string())
    if pa.types.is_string(column.type):
        column = _parse(kind, pc.utf8_trim_whitespace(column), decimal_comma)
    if pa.types.is_temporal(column.type) and kind == "time":
        column = column.cast(pa.timestamp("s"), safe=False).cast(pa.int64())
    elif pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    values = column.to_numpy()
    if values.dtype.kind not in "biuf" or not np.isfinite(values).all():
        raise ValueError(f"{column.type} is no type of finite numbers")
    return values


def _parse(kind: str, texts: pa.ChunkedArray, decimal_comma: bool) -> pa.ChunkedArray:
    if decimal_comma:
        texts = pc.replace_substring(texts, ",", ".")
    types = [pa.float64()] if kind == "weight" else [pa.int64(), pa.float64(), pa.timestamp("s")]
    for candidate in types:
        try:
            return texts.cast(candidate)
        except pa.ArrowInvalid:
            pass  # the next type may fit
    raise ValueError("some texts are no numbers")


def bad_value(kind: str, column: str) -> str:
    """The sentence for an invalid value."""
    dates = " or dates such as 2024-05-31" if kind == "time" else ""
    return f"column {column} must hold the {kind} of every edge, as finite numbers{dates}"
