"""What was read from an uploaded file: the lines of ``linkwl inspect``, its columns, and which of them were chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from linkwl.errors import InputError
from linkwl.graph import Graph, KnowledgeGraph, Observed, Reading
from linkwl.graph.readers.dialect import unclear_ends_problem
from linkwl.graph.readers.edge_list import pair_columns
from linkwl.graph.readers.parquet import parquet_columns
from linkwl.graph.readers.table_text import TableText, open_table_text
from linkwl.graph.readers.triple_places import find_triple
from linkwl.reports.inspection import inspect_graph
from linkwl.reports.triple_inspection import inspect_knowledge_graph

_PARQUET = (".parquet", ".pq")


def inspection_of(graph: Observed, path: Path | None = None, reading: Reading | None = None) -> dict[str, Any]:
    """What was read, as values for JSON.

    Args:
        graph: The graph.
        path: The file that it was read from; None for a graph that is open already.
        reading: How it was read.
    """
    if isinstance(graph, Graph):
        rows = inspect_graph(graph).facts()
    else:
        assert isinstance(graph, KnowledgeGraph)
        rows = inspect_knowledge_graph(graph).facts()
    columns, chosen = (None, {}) if path is None else columns_of(graph, path, reading or Reading())
    return {
        "lines": [f"{name}: {value}" for name, value in rows.items()],
        "columns": columns,
        "chosen": chosen,
        "nodes": graph.num_nodes,
        "links": graph.num_facts,
    }


def columns_of(graph: Observed, path: Path, reading: Reading) -> tuple[list[str] | None, dict[str, str]]:
    """The columns of a table, by name or by position from 1, and those that were read; None for another kind of file.

    Args:
        graph: The graph that was read.
        path: The file.
        reading: How it was read.
    """
    intake = getattr(graph, "intake", None)
    if path.suffix.lower() in _PARQUET:
        table = parquet_columns(path)
        names = list(table.names)
        if isinstance(graph, KnowledgeGraph):
            return names, _triple(reading, names, names, path)
        return names, _ends(table.pair_columns(reading).names, names)
    try:
        text = _open(path, reading)
    except InputError:
        return None, {}
    if intake is None or intake.form != text.dialect.form:  # a matrix, or another kind of file
        return None, {}
    names = _names(text)
    if isinstance(graph, KnowledgeGraph):
        return names, _triple(reading, text.dialect.header, names, path)
    return names, _ends(pair_columns(text, reading).names, names, reading)


def unclear_columns(error: InputError, path: Path, reading: Reading) -> list[str] | None:
    """The columns of a table that was not read only because nobody said which of them hold the nodes; else None."""
    try:
        names = list(parquet_columns(path).names) if path.suffix.lower() in _PARQUET else _names(_open(path, reading))
    except InputError:
        return None
    sentences = {unclear_ends_problem(len(names), may_be_triples=flag) for flag in (False, True)}
    return names if error.problem in sentences else None


def _open(path: Path, reading: Reading) -> TableText:
    return open_table_text(path, reading, [*reading.values.names().values(), *reading.triples.names.values()])


def _names(text: TableText) -> list[str]:
    header = text.dialect.header or ("",) * text.dialect.num_columns
    return [name or str(place) for place, name in enumerate(header, start=1)]


def _triple(reading: Reading, header: Any, names: list[str], path: Path) -> dict[str, str]:
    places = find_triple(reading.triples, reading.values, header, len(names), path) or (0, 1, 2)
    return {kind: names[place] for kind, place in zip(("source", "relation", "target"), places, strict=True)}


def _ends(found: tuple[str, str] | None, names: list[str], reading: Reading | None = None) -> dict[str, str]:
    """The columns of the two ends: by their names, or in a table without names those asked for, else the first two."""
    if found is None:
        asked = (None, None) if reading is None else (reading.source, reading.target)
        found = str(asked[0] or names[0]), str(asked[1] or names[1])
    return {"source": found[0], "target": found[1]}
