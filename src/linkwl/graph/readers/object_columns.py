"""Columns of Python objects, as in data frames and lists of dictionaries."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.readers.named_columns import NamedColumns

_MISSING = ("None", "nan", "<NA>", "NaT")


def records_table(records: Mapping[str, np.ndarray], form: str, path: Path | None = None) -> NamedColumns:
    """The table of columns by name."""
    return NamedColumns(list(records), lambda wanted: [object_column(records, name) for name in wanted], form, path)


def object_column(frame: Any, name: Any) -> pa.ChunkedArray:
    """A column of a data frame or a dictionary; NaN and None are missing values."""
    values = np.asarray(frame[name])
    if values.ndim != 1:
        raise InputError(f"several columns are called `{name}`; rename all but one.")
    try:
        return pa.chunked_array([pa.array(values, from_pandas=True)])
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):  # names of several types
        texts = [value if isinstance(value, str) else str(value) for value in values.tolist()]
        is_missing = [text in _MISSING and not isinstance(v, str) for text, v in zip(texts, values, strict=True)]
        return pa.chunked_array([pa.array(texts, pa.string(), mask=np.array(is_missing))])
