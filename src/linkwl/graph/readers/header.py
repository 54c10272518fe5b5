"""Whether the first row of a table in text form names its columns."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from linkwl.graph.column_words import (
    NODE_NAMES,
    SOURCE_NAMES,
    TARGET_NAMES,
    column_key,
    find_ends,
    is_end_name,
    is_end_word,
    is_pair_of_names,
)
from linkwl.graph.readers.dialect import Rows, is_number
from linkwl.graph.readers.triple_places import find_named_triple

_COLUMN_NAMES = {*SOURCE_NAMES, *TARGET_NAMES, *NODE_NAMES, "relation", "weight"}
_FEWEST_ROWS = 3
_WORD = re.compile(r"[A-Za-z][A-Za-z _.-]*")


def is_header(requested: Collection[str], rows: Rows) -> bool:
    """Whether the first row names the columns: clearly, or by words for ends that no other row repeats.

    Such words (``buyer``, ``gene_a``) may be nodes, and then are usual in the rows below.
    """
    return has_clear_header(requested, rows) or _has_likely_header(rows)


def has_clear_header(requested: Collection[str], rows: Rows) -> bool:
    """Whether the first row has requested or usual column names, or words where others have numbers.

    Short names (``u``, ``v``, ``to``) may be nodes: they count only if no row repeats them.
    """
    first, rest = rows[0], rows[1:]
    if not set(requested).isdisjoint(first):
        return True
    if any(is_number(field) for field in first):
        return False
    if any(all(is_number(field) for field in column) for column in zip(*rest, strict=False)):
        return True
    names = [key for key in map(column_key, first) if key in _COLUMN_NAMES]
    if (triple := find_named_triple(first)) is not None:
        names = [column_key(first[k]) for k in triple]
    is_clear = sum(len(name) > 2 for name in names) >= 2
    return is_clear or (len(names) >= 2 and not any(set(first) & set(row) for row in rest))


def _has_likely_header(rows: Rows) -> bool:
    """Whether the first row, which no other repeats, has words for the ends of edges, or words above codes."""
    first, rest = rows[0], rows[1:]
    if not rest or len(set(first)) < max(len(first), 2) or any(map(is_number, first)):
        return False
    if any(set(first) & set(row) for row in rest):
        return False
    columns = [[row[k] for row in rest if k < len(row)] for k in range(len(first))]
    if all(len(name) == 1 for name in first) and any(len(cell) == 1 for column in columns for cell in column):
        return False  # nodes may be called a and b
    if is_pair_of_names(*first[:2]) and len(column_key(first[0])) > 1:
        stem = first[0][:-1]
        return not any(cell.startswith(stem) for column in columns[:2] for cell in column)  # x1,x2 above x3,x4
    ends = [k for k, name in enumerate(first) if is_end_name(name)]
    if len(ends) >= 2:
        below = [cell for k in ends for cell in columns[k]]
        return 5 * sum(map(is_end_word, below)) < len(below)  # in a graph of words such words are usual
    return (
        len(rest) >= _FEWEST_ROWS
        and find_ends(first) is not None
        and all(_WORD.fullmatch(name) and not name.isupper() for name in first)
        and all(any(map(str.isdigit, cell)) for column in columns[:2] for cell in column)
    )


def may_be_header(rows: Sequence[tuple[str, ...]], columns: Sequence[int]) -> bool:
    """Whether the first row has words in these columns that occur in no other row, given enough rows."""
    first, *others = ({row[k] for k in columns if k < len(row)} for row in rows)
    return len(rows) > 8 and not first & set().union(*others) and not any(map(is_number, first))
