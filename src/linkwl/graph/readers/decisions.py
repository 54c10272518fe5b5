"""Reads decisions about missing links or facts, from a file or a table in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import InputError, UnknownNameError
from linkwl.graph.column_words import column_key
from linkwl.graph.decisions import ACCEPTED, LATER, REJECTED, VERDICTS, Decisions
from linkwl.graph.graph import Graph
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.observed import Observed
from linkwl.graph.readers.named_columns import id_column, relation_column
from linkwl.graph.readers.named_table import NamedTable, open_table
from linkwl.typing import FACT_WORD, BoolArray, IntArray, Queries

_NAMES: dict[str, tuple[str, ...]] = {
    "source": ("source", "head"),
    "target": ("target", "tail"),
    "head": ("head", "source"),
    "relation": ("relation",),
    "tail": ("tail", "target"),
    "verdict": ("verdict",),
}
"""The columns, each with the names that it may have."""
_QUOTED = r"^'([=+\-@\t\r\n'])"
"""An apostrophe that keeps spreadsheets from calculating a name; the names themselves are looked up first."""


def read_decisions(source: Any, graph: Observed) -> Decisions:
    """The decisions of a table about queries of a graph, by the names of nodes and relations.

    Args:
        source: A text or Parquet file, an Arrow table, a data frame or a list of dictionaries, with the columns
            ``source``, ``target`` and ``verdict``; for facts also ``relation``. Other columns are not read. A verdict
            is ``accepted``, ``rejected`` or ``later``.
        graph: The graph that the decisions are about.

    Raises:
        InputError: If it cannot be read, a column is missing, a name or a verdict is unknown, a rejected query is a
            fact of the graph, or a query has two verdicts.

    Example:
        >>> import linkwl
        >>> rows = [{"source": "JNU", "target": "WRG", "verdict": "accepted"}]
        >>> read_decisions(rows, linkwl.load_dataset("airports")).accepted.shape
        (1, 2)
    """
    if isinstance(source, Decisions):
        return source
    expected = f"{' and '.join([', '.join(graph.query_columns), 'verdict'])} in every line"
    table = open_table(source, what="decisions", expected=expected, is_header=lambda rows: True)
    places = {name: _place(table, name) for name in (*graph.query_columns, "verdict")}
    verdicts = pc.utf8_lower(pc.utf8_trim_whitespace(table.columns[places["verdict"]].cast(pa.string()))).to_pylist()
    for row, verdict in enumerate(verdicts):
        if verdict not in VERDICTS:
            raise table.refuse(row, f"the verdict {verdict or ''!r} is none of {', '.join(VERDICTS)}; correct it.")
    verdict_of = np.array([VERDICTS.index(verdict) for verdict in verdicts], dtype=np.int64)
    rows = np.flatnonzero(verdict_of != VERDICTS.index(LATER))
    num_later = len(verdicts) - len(rows)
    queries = _queries(table, places, graph, rows)
    is_accepted = verdict_of[rows] == VERDICTS.index(ACCEPTED)
    first = _first_places(table, graph, queries, is_accepted, rows)
    queries, is_accepted, rows = queries[first], is_accepted[first], rows[first]
    is_fact = graph.contains(queries)
    if len(wrong := np.flatnonzero(is_fact & ~is_accepted)):
        one = f"a {FACT_WORD[graph.task]}"
        raise table.refuse(
            int(rows[wrong[0]]),
            f"{_named(graph, queries[wrong[0]])} is {REJECTED} here, and is {one} of {graph.name}; remove this line, "
            f"or that {FACT_WORD[graph.task]} from the graph.",
        )
    return Decisions(
        queries[is_accepted & ~is_fact],
        queries[~is_accepted],
        num_known=int(np.count_nonzero(is_fact)),
        num_later=num_later,
    )


def _place(table: NamedTable, name: str) -> int:
    keys = [column_key(found) for found in table.names]
    for wanted in _NAMES[name]:
        if wanted in keys:
            return keys.index(wanted)
    raise InputError(
        f"there is no column `{name}` among {', '.join(f'`{found}`' for found in table.names)}; name the columns "
        "in the first line.",
        path=table.path,
    )


def _queries(table: NamedTable, places: dict[str, int], graph: Observed, rows: IntArray) -> Queries:
    """The queries of some rows, by index."""
    found = [_find(table, places[name], name, ids, rows) for name, ids in graph.query_columns.items()]
    queries = np.stack(found, axis=1).astype(np.int32)
    if not isinstance(graph, Graph):
        return queries
    if not graph.is_directed:
        queries = np.sort(queries, axis=1)
    first, second = queries.T
    if len(loops := np.flatnonzero(first == second)):
        name = graph.ids[int(first[loops[0]])]
        raise table.refuse(int(rows[loops[0]]), f"{name!r} is both ends; a node has no link with itself.")
    if graph.part is not None and len(same := np.flatnonzero(graph.part[first] == graph.part[second])):
        named = _named(graph, queries[same[0]])
        raise table.refuse(int(rows[same[0]]), f"the nodes of {named} are on one side; a link has one of each side.")
    return queries


def _find(table: NamedTable, place: int, name: str, ids: NodeIds, rows: IntArray) -> IntArray:
    """The indices of the names in a column, also of names that were quoted for spreadsheets."""
    read = relation_column if name == "relation" else id_column
    column = read(table.columns[place].take(pa.array(rows)), table.names[place], table.path)
    found = np.array(ids.find(column))
    if len(missing := np.flatnonzero(found < 0)) and pa.types.is_string(column.type):
        found[missing] = ids.find(pc.replace_substring_regex(column.take(pa.array(missing)), _QUOTED, r"\1"))
    if found.min(initial=0) < 0:
        row = int(np.argmax(found < 0))
        kind, text = "relation" if name == "relation" else "node", str(column[row].as_py())
        raise table.refuse(int(rows[row]), UnknownNameError(kind, text, ids.around(text)).problem)
    return found


def _first_places(
    table: NamedTable, graph: Observed, queries: Queries, is_accepted: BoolArray, rows: IntArray
) -> IntArray:
    """The first place of every query, in the order of the table.

    Raises:
        InputError: If a query is accepted in one row and rejected in another.
    """
    _, first, place = np.unique(queries, axis=0, return_index=True, return_inverse=True)
    earlier = first[place.reshape(-1)]
    if len(again := np.flatnonzero(is_accepted != is_accepted[earlier])):
        row = int(again[0])
        words = [ACCEPTED if is_accepted[k] else REJECTED for k in (row, earlier[row])]
        before = int(rows[earlier[row]])
        where = f"line {table.lines[before]}" if table.lines else f"row {before + 1}"
        raise table.refuse(
            int(rows[row]), f"{_named(graph, queries[row])} is {words[0]} here and {words[1]} in {where}; keep one."
        )
    return np.sort(first)


def _named(graph: Observed, query: Queries) -> str:
    """A query by the names of its parts."""
    names = [ids[int(index)] for ids, index in zip(graph.query_columns.values(), query, strict=True)]
    return f"({', '.join(map(repr, names))})"
