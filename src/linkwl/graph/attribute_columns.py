"""Finds out what the columns of a node table are: numbers, categories, coordinates, or labels that say nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as pt

from linkwl.errors import InputError
from linkwl.graph.attributes import Attributes, CategoryColumn, NumberColumn
from linkwl.graph.coordinate_columns import AUTO, find_coordinates
from linkwl.graph.positions import Positions
from linkwl.graph.readers.dialect import is_number
from linkwl.typing import FloatArray

_MISSING = ("", "na", "n/a", "nan", "null", "none", "nil", "?", "-")
_TRUE, _FALSE = ("true", "yes", "t", "y"), ("false", "no", "f", "n")
_SECONDS_PER_DAY = 86_400.0

Refuse = Callable[[int, str], InputError]
"""The error for a problem in a row."""


class Understood(NamedTuple):
    """The attributes of a table, and a sentence on each of its columns."""

    attributes: Attributes
    notes: tuple[str, ...]


def understand_columns(
    names: Sequence[str], columns: Sequence[pa.ChunkedArray], refuse: Refuse, coordinates: str = AUTO
) -> Understood:
    """The attributes in the columns of a table, in the order of its rows.

    - *Numbers*: numbers, truth values, and dates as days since 1970.
    - *Categories*: texts that repeat. If more than half of the rows have a text of their own it is a label, and a text
      that is the same everywhere says nothing; both are left out.
    - *Coordinates*: see :func:`~linkwl.graph.coordinate_columns.find_coordinates`.

    Args:
        names: The names of the columns.
        columns: Their values, without the column of nodes.
        refuse: Makes the error for a row.
        coordinates: Which columns hold the coordinates.

    Raises:
        InputError: If a column of numbers holds a text, or a number is infinite or no latitude or longitude.
    """
    place = find_coordinates(names, coordinates)
    numbers: dict[int, NumberColumn] = {}
    categories: list[CategoryColumn] = []
    notes: dict[int, str] = {}
    for k, (name, column) in enumerate(zip(names, columns, strict=True)):
        texts = as_texts(column)
        values = as_numbers(column) if texts is None else parse_numbers(name, texts, refuse)
        if values is not None:
            with np.errstate(over="ignore"):  # the matrix of features is float32
                bad = np.flatnonzero(np.isinf(values.astype(np.float32)))
            if len(bad):
                raise refuse(int(bad[0]), f"`{name}` is not a finite number; correct it, or leave the field empty.")
            numbers[k] = NumberColumn.of(name, values)
            notes[k] = f"`{name}`: numbers{_missing(np.isnan(values))}"
        elif texts is None:
            notes[k] = f"`{name}`: ignored, values of type {column.type} are not compared"
        else:
            category, notes[k] = _category(name, texts)
            categories += [category] if category else []
    positions = None
    if place is not None:
        for k in place.columns:
            if k not in numbers:
                raise refuse(0, f"the coordinates in column `{names[k]}` must be numbers; use --coordinates none.")
        table = np.stack([numbers.pop(k).values for k in place.columns], axis=1)
        place.check(table, refuse)
        positions = Positions.of(table, place.metric)
        where = "on the map" if place.metric == "map" else "in the plane"
        for k in place.columns:
            notes[k] = f"`{names[k]}`: place {where}{_missing(~positions.is_known)}"
    return Understood(
        Attributes(tuple(numbers.values()), tuple(categories), positions), tuple(notes[k] for k in sorted(notes))
    )


def as_numbers(column: pa.ChunkedArray) -> FloatArray | None:
    """A column of numbers, truth values or dates as float64, NaN where missing; None for other types."""
    kind = column.type
    if pt.is_temporal(kind) and not (pt.is_time(kind) or pt.is_duration(kind)):
        column = pc.divide(column.cast(pa.timestamp("ms"), safe=False).cast(pa.int64()), pa.scalar(1000.0))
        return column.cast(pa.float64()).fill_null(np.nan).to_numpy() / _SECONDS_PER_DAY
    if pt.is_integer(kind) or pt.is_floating(kind) or pt.is_boolean(kind) or pt.is_decimal(kind):
        return np.array(column.cast(pa.float64(), safe=False).fill_null(np.nan).to_numpy())
    return None


def as_texts(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """A column of texts without spaces around them, null where missing; None for other types."""
    if pt.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pt.is_null(column.type):
        return pa.chunked_array([pa.nulls(len(column), pa.string())])
    if not (pt.is_string(column.type) or pt.is_large_string(column.type) or pt.is_string_view(column.type)):
        return None
    texts = pc.utf8_trim_whitespace(column.cast(pa.string()))
    is_missing = pc.is_in(pc.utf8_lower(texts), pa.array(_MISSING))
    return pc.if_else(is_missing, pa.scalar(None, pa.string()), texts)


def parse_numbers(name: str, texts: pa.ChunkedArray, refuse: Refuse) -> FloatArray | None:
    """Texts as numbers, NaN where missing; None if fewer than half of them are numbers, truth values or dates.

    Raises:
        InputError: If more than half are numbers, and one is not.
    """
    known = texts.drop_null()
    if len(known) == 0:
        return np.full(len(texts), np.nan)
    try:
        return np.array(texts.cast(pa.float64()).fill_null(np.nan).to_numpy())
    except pa.ArrowInvalid:
        pass
    lower = pc.utf8_lower(texts)
    is_true, is_false = (pc.is_in(lower, pa.array(words)).to_numpy() for words in (_TRUE, _FALSE))
    if int(is_true.sum() + is_false.sum()) == len(known):
        return np.where(is_true, 1.0, np.where(is_false, 0.0, np.nan))
    try:
        return as_numbers(texts.cast(pa.timestamp("ms")))
    except pa.ArrowInvalid:
        pass
    fields = texts.to_pylist()
    places = [row for row, field in enumerate(fields) if field is not None and not is_number(field)]
    if 2 * len(places) < len(known):
        problem = f"`{name}` is {fields[places[0]]!r}, and most others are numbers; correct it, or leave it empty."
        raise refuse(places[0], problem)
    return None


def _category(name: str, texts: pa.ChunkedArray) -> tuple[CategoryColumn | None, str]:
    """The category in a column of texts, if it is one, and what was understood."""
    counts = pc.value_counts(texts.drop_null().combine_chunks())
    levels, count = counts.field("values").to_pylist(), counts.field("counts").to_pylist()
    if len(levels) == 1:
        return None, f"`{name}`: ignored, the same text everywhere"
    if 2 * count.count(1) > len(texts) - texts.null_count:
        return None, f"`{name}`: ignored, a label ({len(levels):,} different texts)"
    ordered = [level for _, level in sorted(zip([-c for c in count], levels, strict=True))]
    codes = pc.index_in(texts, pa.array(ordered, pa.string())).fill_null(-1).to_numpy().astype(np.int32)
    return CategoryColumn(name, tuple(ordered), codes), f"`{name}`: {len(levels):,} categories{_missing(codes < 0)}"


def _missing(is_missing: np.ndarray) -> str:
    count = int(np.count_nonzero(is_missing))
    return f", {count:,} missing" if count else ""
