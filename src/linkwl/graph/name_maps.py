"""Maps columns of names to indices; nodes and relations are numbered in ascending order of their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import InputError
from linkwl.graph.node_ids import NodeIds
from linkwl.threads import run_all
from linkwl.typing import BoolArray, IntArray

_NUMBER = re.compile(r"[+-]?(\d++(?:\.\d*+)?|\.\d++)([eE][+-]?\d+)?")


class BadIdError(InputError):
    """An invalid name; a reader of lines adds the number of the line that contains ``text``."""

    def __init__(self, problem: str, text: str, path: Path | None, kind: str = "node") -> None:
        super().__init__(problem, path=path)
        self.text = text
        self.kind = kind
        """Whether it names a ``node`` or a ``relation``."""


def map_nodes(
    columns: Sequence[pa.Array | pa.ChunkedArray], path: Path | None = None, *, needs: str = "two"
) -> tuple[list[IntArray], NodeIds]:
    """The index of each name in every column, and all names: integers if all columns hold integers, else strings.

    Integers in a narrow range are mapped through a table, all other names through Arrow's hash dictionaries; both take
    linear time.

    Args:
        columns: The columns.
        path: The file, for error messages.
        needs: The names that every line needs, in words.

    Raises:
        BadIdError: If a name is empty, or names are negative or fractional numbers.
    """
    chunked = [_chunked(column) for column in columns]
    if all(pa.types.is_integer(column.type) for column in chunked):
        return _map_numbers(chunked, path)
    indices, ids = _map_texts(chunked)
    _reject_bad_names(ids.to_arrow(), path, needs)
    return indices, ids


def map_relations(
    columns: Sequence[pa.Array | pa.ChunkedArray], path: Path | None = None
) -> tuple[list[IntArray], NodeIds]:
    """The index of each name in every column, and all names: integers if all are integers from 0, else strings.

    Raises:
        BadIdError: If a name is empty.
    """
    chunked = [_chunked(column) for column in columns]
    if all(pa.types.is_integer(column.type) and (pc.min(column).as_py() or 0) >= 0 for column in chunked):
        indices, names = _map_numbers(chunked, path)
    else:
        indices, names = _map_texts(chunked)
        if len(names) and names[0] == "":
            raise BadIdError("a relation is empty; every triple needs one.", "", path, kind="relation")
    return indices, NodeIds(len(names) if names.is_range else names.to_arrow(), kind="relation")


def _map_numbers(columns: list[pa.ChunkedArray], path: Path | None) -> tuple[list[IntArray], NodeIds]:
    bounds = [pc.min_max(column).as_py() for column in columns if len(column)]
    low, high = min((b["min"] for b in bounds), default=0), max((b["max"] for b in bounds), default=-1)
    if low < 0:
        raise BadIdError(negative_id_problem(str(low)), str(low), path)
    rows = sum(len(column) for column in columns)
    if high < 8 * rows + 1024:
        seen = np.zeros(high + 1, dtype=np.bool_)
        run_all(lambda column: _mark(column, seen), columns)
        names = np.flatnonzero(seen)
        if len(names) == len(seen):
            return run_all(lambda column: _concatenated(column, None), columns), NodeIds(len(names))
        table = np.cumsum(seen, dtype=np.int32) - np.int32(1)
        return run_all(lambda column: _concatenated(column, table), columns), NodeIds(pa.array(names))
    every = pa.chunked_array([chunk for column in columns for chunk in column.chunks])
    names = np.sort(pc.unique(every).to_numpy())
    value_set = pa.array(names)
    indices = [pc.index_in(column, value_set=value_set).to_numpy() for column in columns]
    return indices, NodeIds(value_set)


def _mark(column: pa.ChunkedArray, seen: BoolArray) -> None:
    for chunk in column.chunks:
        seen[chunk.to_numpy()] = True


def _concatenated(column: pa.ChunkedArray, table: IntArray | None) -> IntArray:
    """The chunks as one int32 array, mapped through ``table`` if given."""
    out = np.empty(len(column), dtype=np.int32)
    start = 0
    for chunk in column.chunks:
        values = chunk.to_numpy()
        part = out[start : start + len(values)]
        if table is None:
            part[:] = values
        else:
            np.take(table, values, out=part)
        start += len(values)
    return out


def _map_texts(columns: list[pa.ChunkedArray]) -> tuple[list[IntArray], NodeIds]:
    encoded = run_all(lambda column: column.cast(pa.string()).dictionary_encode(), columns)  # a thread per column
    lexicons = [column.chunk(0).dictionary if column.num_chunks else pa.array([], pa.string()) for column in encoded]
    words = pc.utf8_trim_whitespace(pa.concat_arrays(lexicons)).dictionary_encode()  # `a, b` names "a" and "b"
    order = pc.array_sort_indices(words.dictionary)
    place = np.empty(len(order), dtype=np.int32)
    place[order.to_numpy()] = np.arange(len(order), dtype=np.int32)
    node_of_word = np.split(place[words.indices.to_numpy()], np.cumsum([len(lexicon) for lexicon in lexicons])[:-1])
    indices = []
    for column, node in zip(encoded, node_of_word, strict=True):
        codes = [chunk.indices.to_numpy() for chunk in column.chunks]
        indices.append(node[np.concatenate(codes)] if codes else np.empty(0, dtype=np.int32))
    return indices, NodeIds(words.dictionary.take(order))


def _chunked(column: pa.Array | pa.ChunkedArray) -> pa.ChunkedArray:
    return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])


def _reject_bad_names(names: pa.Array, path: Path | None, needs: str) -> None:
    """Refuses empty names, and columns of numbers with negative or fractional values: those are weights."""
    texts = names.to_pylist()
    if "" in texts:
        skip = "" if path is None else " (--skip-bad leaves such lines out)"
        raise BadIdError(f"a node id is empty; every line needs {needs}{skip}.", "", path)
    if not all(map(_NUMBER.fullmatch, texts)):
        return
    for text in texts:
        if not text.isdecimal():
            problem = negative_id_problem(text) if text.startswith("-") else fractional_id_problem(text)
            raise BadIdError(problem, text, path)


def name_column(names: list[Any], path: Path | None = None) -> pa.Array:
    """Python names as one Arrow column: integers stay integers, all other names become strings."""
    for name in names:
        if isinstance(name, float | np.floating):
            raise InputError(fractional_id_problem(str(name)), path=path)
        if name is None:
            raise InputError("a node id is missing (None); every edge needs two.", path=path)
    if all(isinstance(name, int | np.integer) and abs(int(name)) < 2**63 for name in names):
        return pa.array([int(name) for name in names], type=pa.int64())
    texts = [str(name) for name in names]
    try:
        "".join(texts).encode()
    except UnicodeEncodeError as error:
        raise InputError("a node id is not valid text: it contains half a character; rename it.", path=path) from error
    return pa.array(texts, type=pa.string())


def negative_id_problem(text: str) -> str:
    """The sentence for a negative node id."""
    return f"node id {text} is negative; use whole numbers from 0 or names for the nodes."


def fractional_id_problem(text: str) -> str:
    """The sentence for a node id that is a number but not written as an integer."""
    return f"node id {text} is not written as a whole number; use digits only, or names for the nodes."
