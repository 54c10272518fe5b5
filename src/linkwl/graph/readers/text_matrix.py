"""Square matrices of numbers as text, with or without labels: an adjacency matrix, or correlations."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import InputError
from linkwl.graph.column_words import SOURCE_NAMES, TARGET_NAMES, TIME_NAMES, WEIGHT_NAMES, column_key
from linkwl.graph.convert_matrix import from_matrix
from linkwl.graph.graph import Graph
from linkwl.graph.readers.bad_line import explain_bad_text
from linkwl.graph.readers.dialect import Dialect, Rows, Sample, is_number, sample_text
from linkwl.graph.readers.text_source import numbered_lines
from linkwl.graph.readers.text_table import parse_columns
from linkwl.graph.reading import MATRIX, Reading
from linkwl.graph.sided_ids import numbers_if_all
from linkwl.memory import check_memory

_CLEAR_SIZE = 5
"""Smaller squares of numbers may be edges with values, and need more evidence."""
_BYTES_PER_VALUE = 48
"""Of a dense matrix and its sparse copies."""


USUAL_NAMES = {name for name in (*SOURCE_NAMES, *TARGET_NAMES, *WEIGHT_NAMES, *TIME_NAMES) if len(name) > 1}
"""Names of the columns of a table of edges."""


class Layout(NamedTuple):
    """Where a matrix and its labels are."""

    size: int
    first_row: int
    """The row of the text where the matrix starts: 1 below a row of labels."""
    first_column: int
    """The column where it starts: 1 beside a column of labels."""
    labels: tuple[str, ...] | None
    """Those above the matrix."""


def read_text_matrix(content: pa.Buffer, path: Path, *, name: str, reading: Reading) -> Graph | None:
    """The graph of a text that is a square matrix; None if it is something else."""
    if not may_be_matrix(reading):
        return None
    sample = sample_text(content, path, expected="two node ids per line")
    layout = find_layout(sample, content)
    if layout is None:
        return None
    size = layout.size
    labels, matrix = parse_matrix(content, sample, path, (size, size), layout.first_row, layout.first_column)
    if labels is None and layout.labels is not None:
        labels = pa.array(layout.labels, pa.string())
    if labels is not None and layout.labels is not None and labels.to_pylist() != list(layout.labels):
        problem = "the rows of the matrix have other labels than its columns, or another order; make them agree."
        raise InputError(problem, path=path)
    return from_matrix(
        matrix,
        name=name,
        directed=None if reading.directed == "auto" else reading.directed,
        values=reading.values,
        form=f"a matrix in {sample.form}",
        path=path,
        labels=None if labels is None else numbers_if_all(labels),
        bipartite=reading.bipartite,
    )


def parse_matrix(
    content: pa.Buffer, sample: Sample, path: Path, shape: tuple[int, int], first_row: int, first_column: int
) -> tuple[pa.Array | None, np.ndarray]:
    """The labels beside a matrix, if it has a first column of them, and its values.

    Raises:
        InputError: If a cell is no number, or a line has more cells or fewer.
        MemoryLimitError: If the matrix does not fit into memory.
    """
    num_rows, num_columns = shape
    what = f"a matrix of {num_rows:,} rows and {num_columns:,} columns"
    check_memory(_BYTES_PER_VALUE * num_rows * num_columns, what, "write it as a list of edges")
    number, offset, _ = sample.lines[first_row]
    width = num_columns + first_column
    longest = max(len(text) for _, _, text in sample.lines)
    block_bytes = min(max(1 << 20, 16 * longest), 1 << 30)
    dialect = Dialect(sample.delimiter, width, None, number, offset, (), sample.is_loose, block_bytes)
    types = dict.fromkeys(range(first_column, width), pa.float64())
    if first_column:
        types = {0: pa.string()} | types
    try:
        columns = parse_columns(content, dialect, types)
    except pa.ArrowInvalid as error:
        raise explain_bad_text(content, dialect, path, partial(_problem_in, first_column)) from error
    labels = pc.utf8_trim_whitespace(columns.pop(0).combine_chunks()) if first_column else None
    return labels, np.column_stack([column.to_numpy() for column in columns])


def may_be_matrix(reading: Reading) -> bool:
    """Whether all options say something about a matrix."""
    allowed = MATRIX | {"encoding", "node_attributes", "coordinates"}
    return set(reading.given) <= allowed and reading.weight in (None, False, True)


def find_layout(sample: Sample, content: pa.Buffer) -> Layout | None:
    """The layout of a text that is a square matrix, by its first lines and their number; else None."""
    rows = sample.rows
    width = max(len(row) for row in rows[:2])
    if len(rows) < 3 or any(len(row) != width for row in rows[1:]):
        return None
    first, rest = rows[0], rows[1:]
    # Labels above and beside it, perhaps with a cell above the labels of the rows.
    labels = first[1:] if len(first) == width else first
    has_corner = len(first) < width or not is_number(first[0])  # a symmetric matrix repeats its first row as a column
    is_beside = (
        has_corner
        and [row[0] for row in rest] == list(labels[: len(rest)])
        and len(set(labels)) == len(labels) == width - 1
    )
    if is_beside and len(labels) >= 2 and are_numbers(rest, 1):
        return _if_counted(Layout(width - 1, 1, 1, labels), sample, content)
    if len(first) != width or not are_numbers(rest, 0):
        return None
    if not all(map(is_number, first)):
        is_table = len(set(first)) < width or not USUAL_NAMES.isdisjoint(map(column_key, first))
        return None if is_table else _if_counted(Layout(width, 1, 0, first), sample, content)
    plain = _if_counted(Layout(width, 0, 0, None), sample, content)
    if plain is not None:
        return plain
    is_numbered = [str(k) for k in range(width)] == list(first)
    return _if_counted(Layout(width, 1, 0, first), sample, content) if is_numbered else None


def _if_counted(layout: Layout, sample: Sample, content: pa.Buffer) -> Layout | None:
    """The layout, if the text has as many lines, and if small matrices look like adjacency matrices."""
    if layout.size < 2 or (layout.size == 2 and not layout.first_column):
        return None
    wanted, found = layout.size + layout.first_row, 0
    for number, _, line in numbered_lines(content):
        found += number >= sample.lines[0][0] and bool(line.strip())
        if found > wanted:
            return None
    if found != wanted:
        return None
    if layout.size < _CLEAR_SIZE and not layout.first_column:
        square = np.array([[float(cell) for cell in row] for row in sample.rows[layout.first_row :]])
        if not ((square == square.T).all() and np.ptp(np.diag(square)) == 0):
            return None
    return layout


def are_numbers(rows: Rows, first: int) -> bool:
    """Whether all cells from the column ``first`` on are numbers."""
    return all(is_number(cell) for row in rows for cell in row[first:])


def _problem_in(first_column: int, fields: list[str]) -> str | None:
    bad = next((field for field in fields[first_column:] if not is_number(field)), None)
    return None if bad is None else f"{bad!r} is not a number; every cell of a matrix needs one."
