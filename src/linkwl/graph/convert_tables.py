"""Tables in memory: Arrow tables, data frames and lists of dictionaries.

Neither pandas nor polars is imported: a data frame is recognised by its attributes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.convert_rows import as_records
from linkwl.graph.readers.dialect import find_ends
from linkwl.graph.readers.named_columns import NamedColumns
from linkwl.graph.readers.triple_places import find_triple
from linkwl.graph.triple_columns import TripleColumns
from linkwl.graph.value_columns import ValueColumns

_MISSING = ("None", "nan", "<NA>", "NaT")


def as_named_columns(source: Any, values: ValueColumns, triples: TripleColumns) -> NamedColumns | None:
    """The columns of a table; None if the object is no table, or a data frame whose columns are not named as ends.

    Such a data frame is an array of pairs, or a matrix.
    """
    if isinstance(source, pa.Table):
        return NamedColumns(source.column_names, lambda wanted: _arrow_columns(source, wanted), "Arrow table")
    if (records := as_records(source)) is not None:
        return NamedColumns(
            list(records), lambda wanted: [frame_column(records, name) for name in wanted], "list of dictionaries"
        )
    if isinstance(source, np.ndarray) or not (hasattr(source, "columns") and hasattr(source, "__getitem__")):
        return None
    names = list(source.columns)
    if not all(isinstance(name, str) for name in names):
        return None
    table = NamedColumns(names, lambda wanted: [frame_column(source, name) for name in wanted], "data frame")
    has_ends = len(names) > 2 and find_ends(names) is not None
    is_wanted = values.names() or triples.names or find_triple(triples, values, names, len(names), None)
    return table if has_ends or is_wanted else None


def _arrow_columns(table: pa.Table, names: list[str]) -> list[pa.ChunkedArray]:
    for name in names:
        if table.column_names.count(name) > 1:
            raise InputError(f"several columns are called `{name}`; rename all but one.")
    return [table[name] for name in names]


def frame_column(frame: Any, name: str) -> pa.ChunkedArray:
    """A column of a data frame; NaN and None are missing values."""
    values = np.asarray(frame[name])
    if values.ndim != 1:
        raise InputError(f"several columns are called `{name}`; rename all but one.")
    try:
        return pa.chunked_array([pa.array(values, from_pandas=True)])
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):  # names of several types
        texts = [value if isinstance(value, str) else str(value) for value in values.tolist()]
        is_missing = [text in _MISSING and not isinstance(v, str) for text, v in zip(texts, values, strict=True)]
        return pa.chunked_array([pa.array(texts, pa.string(), mask=np.array(is_missing))])
