"""Notes on the columns and attributes of a source that are not used."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from linkwl.graph.column_words import TIME_NAMES, TYPE_NAMES, WEIGHT_NAMES, column_key

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?")
_FIRST_SECOND, _LAST_SECOND = 2e8, 5e9
"""Seconds since 1970, from 1976 to 2128."""


def ignored_note(
    names: Sequence[str],
    options: Sequence[str] = (),
    cells: Sequence[Sequence[str]] = (),
    given: Collection[str] = (),
    *,
    has_names: bool = True,
    what: str = "column",
) -> list[str]:
    """The note on columns or attributes that are not used, if any, and on the options that would use them.

    Args:
        names: The columns, as they are shown.
        options: The columns, as options name them.
        cells: Some of the content of each.
        given: The kinds of columns that are used already, or could not be: ``weight``, ``time`` and ``type``.
        has_names: Whether the columns have names, which can say what they hold.
        what: What they are, in a word.
    """
    if not names:
        return []
    note = f"ignored {what}{'s' if len(names) > 1 else ''} {', '.join(names)}"
    hints: list[str] = []
    is_time = [_looks_like_times(option, cells[k] if k < len(cells) else ()) for k, option in enumerate(options)]
    for kind, looks in (("time", _looks_like_times), ("weight", _looks_like_weights), ("type", _looks_like_types)):
        found = [
            option
            for k, option in enumerate(options)
            if looks(option if has_names else "", cells[k] if k < len(cells) else ())
            and not (kind == "type" and is_time[k])
        ]
        if found and kind not in given:
            hints.append(f"--{kind} {quoted(found[0])}")
    return [f"{note} (to use: {', '.join(hints)})" if hints else note]


def _looks_like_times(name: str, cells: Sequence[str]) -> bool:
    if cells and all(map(_DATE.fullmatch, cells)):
        return True
    are_numbers = bool(cells) and all(map(_is_number, cells))
    if cells and not are_numbers:
        return False
    if column_key(name) in TIME_NAMES:
        return True
    return are_numbers and all(_FIRST_SECOND < float(cell) < _LAST_SECOND for cell in cells)


def _looks_like_weights(name: str, cells: Sequence[str]) -> bool:
    is_fraction = not name and any("." in cell for cell in cells)  # in a column without a name
    return (is_fraction or column_key(name) in WEIGHT_NAMES) and all(map(_is_number, cells))


def _looks_like_types(name: str, cells: Sequence[str]) -> bool:
    are_words = bool(cells) and not any(_is_number(cell) or not cell for cell in cells)
    return column_key(name) in TYPE_NAMES or (are_words and len(cells) > 3 and 2 * len(set(cells)) <= len(cells))


def quoted(option: str) -> str:
    """A value of an option as a shell takes it."""
    return f'"{option}"' if re.search(r"[^\w.,-]", option) else option


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
