"""Matrix Market files (``.mtx``): the entries of a sparse matrix as text."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.graph.convert_matrix import check_adjacency, check_empty_rows, from_matrix
from linkwl.graph.graph import Graph
from linkwl.graph.readers.bad_line import explain_bad_text
from linkwl.graph.readers.dialect import Dialect
from linkwl.graph.readers.text_source import numbered_lines, read_text
from linkwl.graph.readers.text_table import parse_columns
from linkwl.graph.reading import AS_DECLARED, MATRIX, Reading

_MAGIC = b"%%MatrixMarket"
_EXPECTED = "a first line such as `%%MatrixMarket matrix coordinate pattern general`"
_FIELDS = {"pattern": 2, "integer": 3, "real": 3, "double": 3}
_SIGNS = {"general": 0, "symmetric": 1, "skew-symmetric": -1}
"""The sign of the value at (j, i) if only that at (i, j) is listed; 0 if both are listed."""
_BLOCK_BYTES = 1 << 20


class Header(NamedTuple):
    """What the first lines say."""

    num_columns: int
    """Numbers per line: row, column and, unless it is a pattern, value."""
    sign: int
    shape: tuple[int, int]
    num_entries: int
    first_line: int
    offset: int
    """Where the first entry is."""


def is_matrix_market(content: pa.Buffer) -> bool:
    """Whether a text is such a file, whatever its name."""
    return content.slice(0, min(len(_MAGIC), content.size)).to_pybytes() == _MAGIC


def read_matrix_market(path: Path, *, name: str, reading: Reading = AS_DECLARED) -> Graph:
    """The graph of a sparse matrix in coordinate form: nodes are numbered from 1, as in the file.

    A symmetric matrix, of which one half is listed, is of an undirected graph. With ``bipartite`` the rows are one side
    and the columns the other, and the matrix need not be square.
    """
    reading.triples.refuse("a Matrix Market file", path)
    reading.allow(MATRIX | {"time", "encoding"}, "a Matrix Market file", path)
    content = read_text(path, reading.encoding)
    header = read_header(content, path)
    has_sides = reading.bipartite in (True, "auto")
    check_adjacency(header.shape, np.dtype(np.float64), path, has_sides=has_sides)
    check_empty_rows(sum(header.shape) if has_sides else header.shape[0], header.num_entries, path)
    row, col, data = _entries(content, header, path)
    if header.sign:
        is_pair = row != col
        row, col = np.concatenate([row, col[is_pair]]), np.concatenate([col, row[is_pair]])
        data = np.concatenate([data, header.sign * data[is_pair]])
    left, right = (pa.array(np.arange(1, size + 1)) for size in header.shape)
    return from_matrix(
        sp.coo_array((data, (row, col)), shape=header.shape),
        name=name,
        directed=None if reading.directed == "auto" else reading.directed,
        values=reading.values,
        form="Matrix Market",
        path=path,
        labels=left,
        columns=right,
        bipartite=reading.bipartite,
    )


def read_header(content: pa.Buffer, path: Path) -> Header:
    """What the first lines say: the form of the matrix, and its size below the comments.

    Raises:
        InputError: If they say something else, or the matrix is dense or complex.
    """
    lines = numbered_lines(content)
    words = next(lines)[2].decode(errors="replace").lower().split()
    if len(words) != 5 or words[:2] != [_MAGIC.decode().lower(), "matrix"]:
        raise InputError(f"expected {_EXPECTED}.", path=path, line=1)
    layout, field, symmetry = words[2:]
    if layout != "coordinate":
        problem = "dense matrices (`array`) are not read as Matrix Market; write it as `coordinate`, or as CSV."
        raise InputError(problem, path=path, line=1)
    if field not in _FIELDS or symmetry not in _SIGNS:
        problem = f"a matrix that is {field} {symmetry} is not read; expected {_EXPECTED}."
        raise InputError(problem, path=path, line=1)
    shape = None
    for number, offset, line in lines:
        if not line.strip() or line.lstrip().startswith(b"%"):
            continue
        if shape is None:
            shape = _sizes(line, path, number)
            continue
        return Header(_FIELDS[field], _SIGNS[symmetry], shape[:2], shape[2], number, offset)
    if shape is None:
        raise InputError("expected the number of rows, columns and entries after the comments.", path=path)
    return Header(_FIELDS[field], _SIGNS[symmetry], shape[:2], shape[2], 0, content.size)


def _sizes(line: bytes, path: Path, number: int) -> tuple[int, int, int]:
    words = line.split()
    if len(words) != 3 or not all(word.isdigit() and len(word) < 19 for word in words):
        problem = "expected the number of rows, columns and entries, as in `34 34 78`."
        raise InputError(problem, path=path, line=number)
    rows, columns, entries = map(int, words)
    return rows, columns, entries


def _entries(content: pa.Buffer, header: Header, path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row, column and value of every entry that is listed, rows and columns from 0."""
    columns = []
    if header.offset < content.size:
        dialect = Dialect(" ", header.num_columns, None, header.first_line, header.offset, (), False, _BLOCK_BYTES)
        types = {0: pa.int64(), 1: pa.int64(), 2: pa.float64()}
        try:
            columns = parse_columns(content, dialect, {k: types[k] for k in range(header.num_columns)})
        except pa.ArrowInvalid as error:
            raise explain_bad_text(content, dialect, path, _problem_in) from error
    found = len(columns[0]) if columns else 0
    if found != header.num_entries:
        problem = f"it declares {header.num_entries:,} entries and lists {found:,}; fetch or write it again."
        raise InputError(problem, path=path)
    if not columns:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    row, col = (column.to_numpy() - 1 for column in columns[:2])
    for index, size, what in ((row, header.shape[0], "row"), (col, header.shape[1], "column")):
        bad = np.flatnonzero((index < 0) | (index >= size))
        if len(bad):
            problem = f"entry {bad[0] + 1:,} names the {what} {index[bad[0]] + 1}; {what}s are 1 to {size}."
            raise InputError(problem, path=path)
    return row, col, columns[2].to_numpy() if len(columns) > 2 else np.ones(found)


def _problem_in(fields: list[str]) -> str | None:
    for k, field in enumerate(fields[:2]):
        if not field.isdecimal():
            return f"expected a row and a column, found {field!r} in place {k + 1}; fix this line."
    return None if len(fields) < 3 else f"the value {fields[2]!r} is not a number; fix this line."
