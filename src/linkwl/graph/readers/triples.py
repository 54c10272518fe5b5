"""Reads triples of a known knowledge graph from a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import InputError, UnknownNameError
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.readers.parquet import parquet_columns
from linkwl.graph.readers.table_text import EXPECTED_TRIPLES, open_table_text
from linkwl.graph.readers.triple_list import triple_table
from linkwl.graph.readers.triple_places import find_triple
from linkwl.graph.readers.triple_table import TripleTable
from linkwl.graph.triple_columns import TripleColumns
from linkwl.graph.value_columns import NOTHING
from linkwl.typing import Queries

_TRIPLES = TripleColumns(relation=True)


def read_triples(path: Path, graph: KnowledgeGraph, columns: TripleColumns = _TRIPLES) -> Queries:
    """The triples of a text file or Parquet table, in its order, including duplicates; shape ``(num_rows, 3)``.

    Columns are found by their usual names; without a header they are head, relation and tail, in this order.

    Raises:
        InputError: If the file cannot be read, or names a node or relation that is not in the graph.
    """
    is_parquet = path.suffix.lower() in (".parquet", ".pq")
    table = _parquet_table(path, columns) if is_parquet else _text_table(path, columns)
    names = [_as_ids(column) for column in (table.head, table.relation, table.tail)]
    kinds = ("node", "relation", "node")
    known = (graph.ids, graph.relations, graph.ids)
    found = np.stack([ids.find(column) for ids, column in zip(known, names, strict=True)], axis=1)
    if found.min(initial=0) < 0:
        row, place = divmod(int(np.argmax(found.reshape(-1) < 0)), 3)
        name, kind = str(names[place][row].as_py()), kinds[place]
        problem = UnknownNameError(kind, name, known[place].around(name)).problem
        if row == 0 and (found[0] < 0).all() and len(found) > 1 and not is_parquet:
            problem += " If this line is a heading, name its columns `head`, `relation` and `tail`."
        where = f"row {row + 1}: " if is_parquet else ""
        raise InputError(where + problem, path=path, line=table.line_of(kind, name))
    return found.astype(np.int32)


def _text_table(path: Path, columns: TripleColumns) -> TripleTable:
    text = open_table_text(path, requested=columns.names.values(), expected=EXPECTED_TRIPLES)
    places = find_triple(columns, NOTHING, text.dialect.header, text.dialect.num_columns, path)
    assert places is not None
    return triple_table(text, places)


def _parquet_table(path: Path, columns: TripleColumns) -> TripleTable:
    table = parquet_columns(path)
    places = find_triple(columns, NOTHING, table.names, len(table.names), path)
    assert places is not None
    return table.triple_table(places)


def _as_ids(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column if pa.types.is_integer(column.type) else pc.utf8_trim_whitespace(column.cast(pa.string()))
