"""Triples as text: three names per line, with or without a header, plain or gzipped."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from linkwl.graph.column_words import find_ends
from linkwl.graph.readers.bad_line import explain_bad_text, without_bad_lines
from linkwl.graph.readers.dialect import is_value
from linkwl.graph.readers.header import may_be_header
from linkwl.graph.readers.id_columns import as_whole_numbers, read_id_columns
from linkwl.graph.readers.table_text import TableText
from linkwl.graph.readers.text_source import find_line
from linkwl.graph.readers.triple_places import Places
from linkwl.graph.readers.triple_table import TripleTable
from linkwl.graph.reading import AS_DECLARED, Reading

_GUESSED = (
    "each line read as head, relation and tail, because column 2 repeats; for edges between columns 1 and 2 use "
    "--head 1 --tail 2 --relation none"
)
_HAVE_NO_MORE = ("weight", "time", "type")
"""The columns that triples do not have, or have already."""
_FEWEST_IDS = 12
"""Fewer whole numbers in the third column may be ratings or other weights."""


def looks_like_triples(text: TableText) -> bool:
    """Whether the first lines of a text without clear names of columns are triples rather than edges with a value.

    That is so if there are three columns, the second repeats a few names that are in neither of the others, and the
    third holds names: words, or many whole numbers of which some are in the first column, too, as in WordNet's
    ``06083243 _hypernym 06037666``. Lines of three whole numbers must be clearer, because the third may be a weight.
    """
    dialect = text.dialect
    is_named = dialect.header is not None and not (text.header_note and find_ends(dialect.header) == (0, 2))
    if is_named or dialect.num_columns != 3:
        return False
    rows = [row for row in dialect.sample if len(row) == 3]
    heads, relations, tails = (set(column) for column in zip(*rows, strict=True))
    if all(map(_is_whole_number, heads | relations | tails)):
        return _are_numbered_triples([row[1] for row in rows], heads, tails)
    is_few = second_column_repeats(rows) and len(relations) <= len(tails)
    if not is_few or not relations.isdisjoint(heads | tails) or any(map(is_value, relations)):
        return False
    if not all(map(is_value, tails)):
        return True
    are_ids = all(name.isdecimal() for name in heads | tails) and not heads.isdisjoint(tails)
    return are_ids and len(tails) >= 2 * len(relations)  # ratings are few


def second_column_repeats(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the second column of some rows holds few names, each about twice or more."""
    distinct = len({row[1] for row in rows if len(row) > 1})
    return distinct < len(rows) and 2 * distinct <= len(rows) + 1


def _are_numbered_triples(relations: list[str], heads: set[str], tails: set[str]) -> bool:
    """Whether whole numbers are triples: few relations, and heads and tails that are numbers of the same things.

    Weights have few values, or are smaller than the ids. A second column in ascending order holds the targets of edges.
    """
    few = len(set(relations))
    if 4 * few > len(relations) or len(heads) < 2 * few or len(tails) < max(2 * few, _FEWEST_IDS):
        return False
    numbers = list(map(int, relations))
    if few > 1 and numbers == sorted(numbers):
        return False
    are_shared = 5 * len(heads & tails) >= min(len(heads), len(tails))
    return are_shared and 2 * max(map(int, tails)) >= max(map(int, heads))


def _is_whole_number(field: str) -> bool:
    return field.isdecimal() and len(field) < 20


def triple_table(
    text: TableText, places: Places, reading: Reading = AS_DECLARED, *, is_guess: bool = False
) -> TripleTable:
    """The columns of triples in a text; further columns are ignored, and named in the notes."""
    path, content, dialect = text[:3]
    head, relation, tail = places
    parsed, parsed_dialect, skipped = content, dialect, list[str]()
    if reading.skip_bad:
        parsed, parsed_dialect, skipped = without_bad_lines(content, dialect, [_empty_name(places)], path)
    try:
        columns, ids_note = read_id_columns(parsed, parsed_dialect, head, tail, [relation])
    except pa.ArrowInvalid as error:
        raise explain_bad_text(content, dialect, path) from error

    def line_of(kind: str, name: str) -> int | None:
        wanted = [relation] if kind == "relation" else [head, tail]

        def has_name(line: bytes) -> bool:
            fields = dialect.fields(line)
            return bool(fields) and any(fields[k] == name for k in wanted if k < len(fields))

        return find_line(content, dialect.first_line, has_name)

    notes = (*_notes(text, places, reading, is_guess), *skipped, *ids_note)
    return TripleTable(columns[head], _names(columns[relation]), columns[tail], dialect.form, notes, line_of)


def _empty_name(places: Places) -> Callable[[list[str]], str | None]:
    return lambda fields: None if all(fields[k] for k in places) else "a name is empty."


def _notes(text: TableText, places: Places, reading: Reading, is_guess: bool) -> list[str]:
    dialect, names = text.dialect, text.column_names
    ignored = text.unused_note([k for k in range(len(names)) if k not in places], _HAVE_NO_MORE)
    head, relation, tail = (names[k] for k in places)
    if dialect.header is not None:
        return [*text.header_note, f"triples from columns {head}, {relation} and {tail}", *ignored]
    notes = ["no header"]
    if reading.header is None and may_be_header(dialect.sample, places):
        words = ",".join(dialect.sample[0])
        remedy = f"if it is a header, use --header --relation {places[1] + 1}"
        notes = [f"line {dialect.first_line} `{words}` read as a triple: {remedy}"]
    notes.append(_GUESSED if is_guess else f"triples from columns {head}, {relation} and {tail}")
    return notes + ignored


def _names(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The relations as integers if all are plain integers, else as strings."""
    distinct = as_whole_numbers(pa.chunked_array([pc.unique(column)]))
    return column if distinct.null_count else as_whole_numbers(column)
