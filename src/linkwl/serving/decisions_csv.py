"""Decisions as a CSV file, by the names of nodes and relations: written for spreadsheets, and read back."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np

from linkwl.errors import InputError, UnknownNameError
from linkwl.graph import KnowledgeGraph, Observed
from linkwl.predict.names import find_queries
from linkwl.serving.decisions import VERDICTS, Change, Decision, Verdict, key_of, query_of

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A spreadsheet would calculate a cell that begins with one of these."""
_GUARD = "'"
MOST_ROWS = 100_000


def write_csv(graph: Observed, decisions: Sequence[Decision]) -> str:
    """The text of a file: source, target, the relation of a triple, verdict, probability, time.

    A cell that a spreadsheet would take for a formula gets a leading apostrophe, and so does one that has an apostrophe
    there already, so that every name can be read back.
    """
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\r\n")
    out.writerow(_columns(graph))
    for decision in decisions:
        query = query_of(graph, decision.key)
        names = [str(graph.ids[query[0]]), str(graph.ids[query[-1]])]
        if isinstance(graph, KnowledgeGraph):
            names.append(str(graph.relations[query[1]]))
        cells = [*names, decision.verdict]
        out.writerow([*map(_guarded, cells), f"{decision.probability:.6g}", decision.time])
    return text.getvalue()


def read_csv(graph: Observed, text: str, path: Path | str = "decisions.csv") -> list[Change]:
    """The decisions in the text of a file that :func:`write_csv` has written, perhaps edited since.

    Probabilities come from the file where it has them; else they are None, and the caller predicts them.

    Args:
        graph: The graph that has the names.
        text: The text of the file.
        path: The name of the file, for messages.

    Raises:
        InputError: With the line, if a column is missing, a name is unknown, or a verdict is none.
    """
    try:
        return _read(graph, text)
    except InputError as error:
        raise InputError(error.problem, path=path, line=error.line) from error


def _read(graph: Observed, text: str) -> list[Change]:
    rows = _rows(text)
    header = [cell.strip().lower() for cell in next(rows, (1, []))[1]]
    needed = _columns(graph)[:-2]
    if missing := [name for name in needed if name not in header]:
        raise InputError(f"the column {missing[0]!r} is missing; the first line names the columns.", line=1)
    place = {name: header.index(name) for name in header}
    lines: list[int] = []
    names: list[list[str]] = []
    changes: list[tuple[Verdict, float | None, str | None]] = []
    for line, row in rows:
        if len(row) != len(header):
            raise InputError(f"expected {len(header)} cells, found {len(row)}; correct the line.", line=line)
        cell = {name: row[number] for name, number in place.items()}
        verdict = next((word for word in VERDICTS if word == cell["verdict"].strip().lower()), None)
        if verdict is None:
            raise InputError(f"the verdict is {cell['verdict']!r}; write accepted, rejected or later.", line=line)
        if len(lines) >= MOST_ROWS:
            raise InputError(f"a file has {MOST_ROWS:,} decisions at most; divide it.", line=line)
        middle = [] if graph.task == "pairs" else [_plain(cell["relation"])]
        lines.append(line)
        names.append([_plain(cell["source"]), *middle, _plain(cell["target"])])
        changes.append((verdict, _probability(cell, line), _time(cell, line)))
    queries = _find(graph, names, lines)
    return [
        Change(key_of(graph, query), verdict, probability, time)
        for query, (verdict, probability, time) in zip(queries, changes, strict=True)
    ]


def _columns(graph: Observed) -> list[str]:
    relation = [] if graph.task == "pairs" else ["relation"]
    return ["source", "target", *relation, "verdict", "probability", "time"]


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not empty, each with its number."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(f"this is not CSV ({error}); correct the line.", line=line) from error
        if any(row):
            yield line, row


def _find(graph: Observed, names: list[list[str]], lines: list[int]) -> list[list[int]]:
    """The queries with these names; an error names its line."""
    if not names:
        return []
    try:
        queries = find_queries(graph, np.array(names, dtype=object)).tolist()
    except InputError:
        for line, row in zip(lines, names, strict=True):
            try:
                find_queries(graph, np.array([row], dtype=object))
            except UnknownNameError as error:
                raise InputError(str(error), line=line) from error
            except InputError as error:
                raise InputError(error.problem, line=line) from error
        raise
    for line, query in zip(lines, queries, strict=True):
        if len(query) == 2 and query[0] == query[1]:
            raise InputError(f"a node has no link with itself: {graph.ids[query[0]]!r}; remove the line.", line=line)
    return queries


def _probability(cell: dict[str, str], line: int) -> float | None:
    given = cell.get("probability", "").strip()
    if not given:
        return None
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise InputError(f"the probability is {given!r}; write a number from 0 to 1, or leave it out.", line=line)
    return value


def _time(cell: dict[str, str], line: int) -> str | None:
    given = cell.get("time", "").strip()
    if not given:
        return None
    try:
        return datetime.fromisoformat(given).isoformat(timespec="seconds")
    except ValueError as error:
        raise InputError(
            f"the time is {given!r}; write it like 2026-11-18T09:30:00+00:00, or leave it out.", line=line
        ) from error


def _guarded(cell: str) -> str:
    return _GUARD + cell if cell.startswith((*_FORMULA, _GUARD)) else cell


def _plain(cell: str) -> str:
    """A name without the apostrophe that :func:`_guarded` has put before it."""
    is_guarded = cell[:1] == _GUARD and cell[1:].startswith((*_FORMULA, _GUARD))
    return cell[1:] if is_guarded else cell
