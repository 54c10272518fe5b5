"""Rows in plain Python: lists, sets and generators of pairs, triples or dictionaries."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np

from linkwl.errors import InputError

_KINDS = {2: ("source", "target"), 3: ("head", "relation", "tail")}


def as_list(source: Any) -> Any:
    """The rows of a set, in a fixed order, or of a generator or another iterator, as a list; others as they are."""
    if isinstance(source, Set):
        return sorted(source, key=repr)
    return list(source) if isinstance(source, Iterator) and not isinstance(source, io.IOBase) else source


def as_records(source: Any) -> dict[str, np.ndarray] | None:
    """The columns of a list of dictionaries, None where a row lacks a value; None if it is no such list.

    Raises:
        InputError: If a row is no dictionary, or a key is no text.
    """
    if not isinstance(source, list | tuple) or not source or not isinstance(source[0], Mapping):
        return None
    for number, row in enumerate(source, start=1):
        if not isinstance(row, Mapping) or not all(isinstance(key, str) for key in row):
            raise InputError(f"row {number}: expected a dictionary whose keys are names of columns; fix it.")
    names = dict.fromkeys(key for row in source for key in row)
    return {name: np.fromiter((row.get(name) for row in source), dtype=object) for name in names}


def check_rows(source: Any) -> None:
    """Checks a list of rows that are tuples or lists; tuples must be pairs, or triples whose relation is a text.

    Raises:
        InputError: If rows have different lengths, a name is None, or tuples are neither pairs nor triples; the
            sentence names the row.
    """
    if not isinstance(source, list | tuple) or not source or not all(isinstance(row, list | tuple) for row in source):
        return
    width = len(source[0])
    for number, row in enumerate(source, start=1):
        if len(row) != width:
            raise InputError(
                f"row {number} has length {len(row)}, row 1 has {width}; give every row two names for edges, or three "
                "for triples."
            )
        _check_row(row, number)


def _check_row(row: Sequence[Any], number: int) -> None:
    kinds = _KINDS.get(len(row), ())
    for kind, name in zip(kinds, row, strict=False):
        if name is None:
            raise InputError(f"row {number}: the {kind} is missing (None); fill it or drop the row.")
    if not isinstance(row, tuple):
        return  # lists may be the rows of a matrix
    if not kinds:
        raise InputError(
            f"row {number}: expected a pair or a triple, found a tuple of length {len(row)}; pass a matrix as an array."
        )
    if len(row) == 3 and not isinstance(row[1], str):
        raise InputError(
            f"row {number}: the relation {row[1]!r} is not a text; pass triples of indices to "
            "`KnowledgeGraph.from_triples`, or name the relations; edges are pairs."
        )
