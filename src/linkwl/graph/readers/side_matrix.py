"""Matrices of numbers as text whose rows and columns are the two sides of a bipartite graph."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.column_words import column_key
from linkwl.graph.convert_matrix import from_matrix
from linkwl.graph.graph import Graph
from linkwl.graph.readers.dialect import Sample, is_number, sample_text
from linkwl.graph.readers.text_matrix import USUAL_NAMES, are_numbers, may_be_matrix, parse_matrix
from linkwl.graph.readers.text_source import numbered_lines
from linkwl.graph.reading import Reading
from linkwl.graph.sided_ids import numbers_if_all

_CLEAR_WIDTH = 5
"""Fewer columns of zeros and ones may be two ends of edges and something else."""
_FEWEST_LABELS = 3
"""Fewer columns with names that say nothing may be two ends of edges."""


class Rectangle(NamedTuple):
    """Where a matrix is, and the labels above it."""

    first_row: int
    first_column: int
    labels: tuple[str, ...] | None


def read_side_matrix(content: pa.Buffer, path: Path, *, name: str, reading: Reading) -> Graph | None:
    """The bipartite graph of a text that is a matrix of any shape, if it is asked for; None if it is something else.

    It has labels above and beside it, with an empty cell or none in the corner as pandas and R write them, or it holds
    zeros and ones only. The rows are the nodes on the left.

    Raises:
        InputError: If it has clear labels, and nobody has said whether rows and columns are two sides.
    """
    if not may_be_matrix(reading):
        return None
    sample = sample_text(content, path, expected="two node ids per line")
    place = find_rectangle(sample)
    if place is None:
        return None
    if reading.bipartite is None and place.labels is not None and len(place.labels) >= _FEWEST_LABELS:
        problem = (
            f"this looks like a matrix with the labels {place.labels[0]!r}, {place.labels[1]!r}, ... above its "
            "columns; use --bipartite if its rows and columns are two kinds of things, or name the columns of edges "
            "with --source and --target."
        )
        raise InputError(problem, path=path)
    if not reading.bipartite:
        return None
    first_line = sample.lines[place.first_row][0]
    num_rows = sum(number >= first_line and bool(line.strip()) for number, _, line in numbered_lines(content))
    width = len(sample.rows[-1]) - place.first_column
    labels, matrix = parse_matrix(content, sample, path, (num_rows, width), place.first_row, place.first_column)
    return from_matrix(
        matrix,
        name=name,
        directed=None if reading.directed == "auto" else reading.directed,
        values=reading.values,
        form=f"a matrix in {sample.form}",
        path=path,
        labels=None if labels is None else numbers_if_all(labels),
        columns=None if place.labels is None else numbers_if_all(pa.array(place.labels, pa.string())),
        bipartite=True,
    )


def find_rectangle(sample: Sample) -> Rectangle | None:
    """Where the matrix of a text is, by its first lines; None if it is no matrix."""
    rows = sample.rows
    width = max(len(row) for row in rows[:2])
    if len(rows) < 2 or any(len(row) != width for row in rows[1:]):
        return None
    first, rest = rows[0], rows[1:]
    has_corner = len(first) == width
    if (not has_corner and len(first) == width - 1) or first[0] == "":
        labels = first[1:] if has_corner else first
        is_labelled = len(labels) >= 2 and len(set(labels)) == len(labels) and are_numbers(rest, 1)
        # The numbers of rows, or columns that are called as the ends of edges, are of a table.
        is_numbered = [row[0] for row in rest] == [str(k) for k in range(len(rest))]
        is_table = not all(map(is_number, labels)) and (
            is_numbered or not USUAL_NAMES.isdisjoint(map(column_key, labels))
        )
        return Rectangle(1, 1, labels) if is_labelled and not is_table else None
    if has_corner and width >= _CLEAR_WIDTH and all(cell in ("0", "1") for row in rows for cell in row):
        return Rectangle(0, 0, None)
    return None
