"""Edge lists as text: CSV, TSV and the like, with or without a header, plain or gzipped."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.graph import Graph
from linkwl.graph.readers.bad_line import explain_bad_text
from linkwl.graph.readers.dialect import Dialect, find_ends, ignored_note, is_value, unclear_ends_problem
from linkwl.graph.readers.id_columns import read_id_columns
from linkwl.graph.readers.pair_columns import PairColumns
from linkwl.graph.readers.table_text import TableText, may_be_header, open_table_text
from linkwl.graph.readers.text_source import find_line
from linkwl.graph.readers.triple_list import second_column_repeats
from linkwl.graph.readers.triple_places import find_requested_ends
from linkwl.graph.triple_columns import ANY_COLUMNS, TripleColumns
from linkwl.graph.value_columns import NOTHING, ValueColumns, bad_value, to_numbers


def read_edge_list(path: Path, *, name: str, directed: bool | None = None, values: ValueColumns = NOTHING) -> Graph:
    """The graph of a text file with two node ids per line.

    Delimiter and header are detected; further columns are ignored unless requested, and named in the intake.
    """
    return read_pair_columns(path, values).to_graph(path, name=name, directed=directed)


def read_pair_columns(path: Path, values: ValueColumns = NOTHING) -> PairColumns:
    """The two columns of node names in a text file, and the requested values."""
    return pair_columns(open_table_text(path, values.names().values()), values)


def pair_columns(text: TableText, values: ValueColumns = NOTHING, triples: TripleColumns = ANY_COLUMNS) -> PairColumns:
    """The two columns of node names in a text, and the requested values."""
    path, content, dialect = text
    places = values.find(dialect.header, dialect.num_columns, path)
    source, target, notes = _choose_columns(text, places, triples)
    try:
        columns, ids_note = read_id_columns(content, dialect, source, target, places.values())
    except pa.ArrowInvalid as error:
        raise explain_bad_text(content, dialect, path) from error
    found = {kind: _read_values(kind, columns[k], k, text) for kind, k in places.items()}

    def line_of(name: str) -> int | None:
        return find_line(content, dialect.first_line, lambda line: name in _ends(dialect, line, source, target))

    return PairColumns(
        columns[source], columns[target], dialect.form, (*notes, *ids_note), line_of, **found, merge=values.merge
    )


def _choose_columns(text: TableText, places: Mapping[str, int], triples: TripleColumns) -> tuple[int, int, list[str]]:
    """The two columns that hold the ends of the edges, given the columns of the requested values, and the notes."""
    path, _, dialect = text
    others = [k for k in range(dialect.num_columns) if k not in places.values()]
    requested = find_requested_ends(triples, places.values(), dialect.header, dialect.num_columns, path)
    ends: tuple[int, int] | None
    if requested is not None:
        ends = others.index(requested[0]), others.index(requested[1])
    elif dialect.header is not None:
        ends = find_ends([dialect.header[k] for k in others])
    else:  # a weight or a date may follow the ids
        further = others[2:3]
        ends = (0, 1) if all(is_value(row[k]) for row in dialect.sample for k in further if k < len(row)) else None
    if ends is None or len(others) < 2:
        if len(others) != 2:
            may_be_triples = not places and dialect.header is None and second_column_repeats(dialect.sample)
            problem = unclear_ends_problem(len(others), may_be_triples=may_be_triples)
            raise InputError(problem, path=path, line=dialect.first_line)
        ends = (0, 1)
    source, target = (others[k] for k in ends)
    ignored = [k for k in others if k not in (source, target)]
    names = text.column_names
    used = [f"{kind} from column {names[k]}" for kind, k in places.items()]
    if dialect.header is not None:
        notes = [f"edges from columns {names[source]} and {names[target]}"]
        return source, target, notes + used + ignored_note([names[k] for k in ignored])
    notes = used + ignored_note([names[k] for k in ignored])
    if ignored[:1] == [2] and all(field.isdecimal() for row in dialect.sample for field in row):
        notes.append("if the lines are triples, use --relation 2")
    return source, target, [_header_note(dialect), *notes]


def _header_note(dialect: Dialect) -> str:
    """The note on a text without a header."""
    if not may_be_header(dialect.sample, (0, 1)):
        return "no header"
    words = ",".join(dialect.sample[0])
    return f"line {dialect.first_line} `{words}` read as an edge: if it is a header, name it `source,target`"


def _read_values(kind: str, column: pa.ChunkedArray, place: int, text: TableText) -> np.ndarray:
    """A column of strings as weights or times."""
    path, content, dialect = text
    decimal_comma = dialect.delimiter != ","
    first = dialect.sample[0][place]

    def find_problem(fields: list[str]) -> str | None:
        field = fields[place]
        try:
            to_numbers(kind, pa.chunked_array([[field]]), decimal_comma=decimal_comma)
            is_fine = is_value(field) == is_value(first)  # no dates among numbers
        except ValueError:
            is_fine = False
        return None if is_fine else f"{bad_value(kind, text.column_names[place])}; found {field!r}."

    try:
        return to_numbers(kind, column, decimal_comma=decimal_comma)
    except ValueError as error:
        raise explain_bad_text(content, dialect, path, find_problem) from error


def _ends(dialect: Dialect, line: bytes, source: int, target: int) -> list[str]:
    fields = dialect.fields(line)
    return [fields[k] for k in (source, target) if k < len(fields)]
