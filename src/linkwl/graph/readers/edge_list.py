"""Edge lists as text: CSV, TSV and the like, with or without a header, plain or compressed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.column_words import find_ends
from linkwl.graph.graph import Graph
from linkwl.graph.pair_columns import PairColumns
from linkwl.graph.readers.bad_line import explain_bad_text, without_bad_lines
from linkwl.graph.readers.dialect import Dialect, is_number, is_value, unclear_ends_problem
from linkwl.graph.readers.header import may_be_header
from linkwl.graph.readers.id_columns import read_id_columns
from linkwl.graph.readers.table_text import TableText, open_table_text
from linkwl.graph.readers.text_source import find_line
from linkwl.graph.readers.triple_list import second_column_repeats
from linkwl.graph.readers.triple_places import find_requested_ends
from linkwl.graph.reading import AS_DECLARED, Reading
from linkwl.graph.value_columns import bad_value, to_numbers

Problem = Callable[[list[str]], str | None]
"""What is wrong with the fields of a line, if anything."""


def read_edge_list(path: Path, *, name: str, reading: Reading = AS_DECLARED) -> Graph:
    """The graph of a text file with two node ids per line.

    Delimiter and header are detected; further columns are ignored unless requested, and named in the intake.
    """
    return read_pair_columns(path, reading).to_graph(path, name=name, reading=reading)


def read_pair_columns(path: Path, reading: Reading = AS_DECLARED) -> PairColumns:
    """The two columns of node names in a text file, and the requested values."""
    return pair_columns(open_table_text(path, reading, reading.values.names().values()), reading)


def pair_columns(text: TableText, reading: Reading = AS_DECLARED) -> PairColumns:
    """The two columns of node names in a text, and the requested values."""
    path, content, dialect = text[:3]
    places = reading.values.find(dialect.header, dialect.num_columns, path)
    source, target, notes = _choose_columns(text, places, reading)
    problems = [_value_problem(kind, place, text) for kind, place in places.items()]
    parsed, parsed_dialect = content, dialect
    if reading.skip_bad:
        problems.append(_id_problem(dialect, source, target))
        parsed, parsed_dialect, skipped = without_bad_lines(content, dialect, problems, path)
        notes += skipped
    try:
        columns, ids_note = read_id_columns(parsed, parsed_dialect, source, target, places.values())
    except pa.ArrowInvalid as error:
        raise explain_bad_text(content, dialect, path) from error
    found: dict[str, Any] = {}
    for (kind, place), find_problem in zip(places.items(), problems, strict=False):
        try:
            found[kind] = to_numbers(kind, columns[place], decimal_comma=dialect.delimiter != ",")
        except ValueError as error:
            raise explain_bad_text(content, dialect, path, find_problem) from error

    def line_of(name: str) -> int | None:
        return find_line(content, dialect.first_line, lambda line: name in _ends(dialect, line, source, target))

    return PairColumns(
        columns[source],
        columns[target],
        dialect.form,
        (*notes, *ids_note),
        line_of,
        **found,
        merge=reading.merge,
        names=None if dialect.header is None else (dialect.header[source], dialect.header[target]),
        declared=text.declared,
    )


def _choose_columns(text: TableText, places: Mapping[str, int], reading: Reading) -> tuple[int, int, list[str]]:
    """The two columns that hold the ends of the edges, given the columns of the requested values, and the notes."""
    path, _, dialect = text[:3]
    others = [k for k in range(dialect.num_columns) if k not in places.values()]
    requested = find_requested_ends(reading.triples, places.values(), dialect.header, dialect.num_columns, path)
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
    notes = [f"{kind} from column {names[k]}" for kind, k in places.items()]
    notes += text.unused_note(ignored, reading.used(places))
    if dialect.header is not None:
        return source, target, [*text.header_note, f"edges from columns {names[source]} and {names[target]}", *notes]
    if requested is not None:
        notes.insert(0, f"edges from columns {names[source]} and {names[target]}")
    elif ignored[:1] == [2] and all(field.isdecimal() for row in dialect.sample for field in row):
        notes.append("if the lines are triples, use --relation 2")
    return source, target, [_header_note(dialect, reading), *notes]


def _header_note(dialect: Dialect, reading: Reading) -> str:
    """The note on a text without a header."""
    if reading.header is not None or not may_be_header(dialect.sample, (0, 1)):
        return "no header"
    words = ",".join(dialect.sample[0])
    return f"line {dialect.first_line} `{words}` read as an edge: if it is a header, use --header"


def _value_problem(kind: str, place: int, text: TableText) -> Problem:
    """What is wrong with the weight or time in the fields of a line."""
    dialect = text.dialect
    first = next((row[place] for row in dialect.sample if place < len(row)), "")

    def find_problem(fields: list[str]) -> str | None:
        field = fields[place]
        try:
            to_numbers(kind, pa.chunked_array([[field]]), decimal_comma=dialect.delimiter != ",")
            is_fine = is_value(field) == is_value(first)  # no dates among numbers
        except ValueError:
            is_fine = False
        return None if is_fine else f"{bad_value(kind, text.column_names[place])}; found {field!r}."

    return find_problem


def _id_problem(dialect: Dialect, source: int, target: int) -> Problem:
    """What is wrong with the two ids in the fields of a line."""
    ids = [row[k] for row in dialect.sample for k in (source, target) if k < len(row) and row[k]]
    are_numbers = 2 * sum(field.isdecimal() for field in ids) > len(ids) and all(map(is_number, ids))

    def find_problem(fields: list[str]) -> str | None:
        for field in (fields[source], fields[target]):
            if not field:
                return "a node id is empty."
            if are_numbers and is_number(field) and not field.isdecimal():
                return f"node id {field} is not a whole number from 0."
        return None

    return find_problem


def _ends(dialect: Dialect, line: bytes, source: int, target: int) -> list[str]:
    fields = dialect.fields(line)
    return [fields[k] for k in (source, target) if k < len(fields)]
