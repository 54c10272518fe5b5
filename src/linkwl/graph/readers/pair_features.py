"""Reads numbers that are known about pairs of nodes, from a file or a table in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from linkwl.errors import InputError, UnknownNameError
from linkwl.graph.attribute_columns import as_numbers, as_texts, parse_numbers
from linkwl.graph.attributes import Attributes
from linkwl.graph.column_words import find_ends
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.pair_numbers import PairNumbers
from linkwl.graph.readers.dialect import Rows, is_number
from linkwl.graph.readers.named_columns import id_column
from linkwl.graph.readers.named_table import NamedTable, open_table
from linkwl.typing import FloatArray, Pairs


def add_pair_features(graph: Graph | KnowledgeGraph, source: Any) -> Graph:
    """The same graph with the numbers of pairs in a table; pairs that are not listed have none.

    Args:
        graph: The graph.
        source: A text or Parquet file, an Arrow table, a data frame or a list of dictionaries: two columns of nodes,
            ``source`` and ``target`` or similar, else the first two, and numbers.

    Raises:
        InputError: If it cannot be read, names an unknown node, lists a pair twice or has no numbers.
    """
    if isinstance(graph, KnowledgeGraph):
        raise InputError("models of facts do not read numbers of pairs; omit them.")
    table = open_table(source, what="numbers of pairs", expected="two nodes and numbers per line", is_header=_is_header)
    if len(table.names) < 3:
        problem = f"found {len(table.names)} columns, expected two of nodes and numbers about their pairs."
        raise InputError(problem, path=table.path)
    ends = find_ends(table.names) or (0, 1)
    known_ids = zip(ends, graph.query_columns.values(), strict=True)
    pairs = np.stack([_nodes(ids, table, end) for end, ids in known_ids], axis=1)
    others = [k for k in range(len(table.names)) if k not in ends]
    values = np.stack([_numbers(table, k) for k in others], axis=1)
    key = pairs if graph.is_directed else np.sort(pairs, axis=1)
    order = np.lexsort((key[:, 1], key[:, 0]))
    is_again = (np.diff(key[order], axis=0) == 0).all(axis=1)
    if is_again.any():
        row = int(order[1:][is_again].min())
        p, q = (graph.ids[int(node)] for node in pairs[row])
        raise table.refuse(row, f"the pair of {p!r} and {q!r} is listed twice; keep one.")
    known = PairNumbers(tuple(table.names[k] for k in others), key[order].astype(np.int32), values[order])
    return replace(graph, attributes=replace(graph.attributes or Attributes(), pairs=known))


def _nodes(ids: NodeIds, table: NamedTable, end: int) -> Pairs:
    column = id_column(table.columns[end], table.names[end], table.path)
    found = ids.find(column)
    if found.min(initial=0) < 0:
        row = int(np.argmax(found < 0))
        name = str(column[row].as_py())
        raise table.refuse(row, UnknownNameError("node", name, ids.around(name)).problem)
    return found


def _numbers(table: NamedTable, place: int) -> FloatArray:
    name, column = table.names[place], table.columns[place]
    texts = as_texts(column)
    values = as_numbers(column) if texts is None else parse_numbers(name, texts, table.refuse)
    if values is None:
        raise InputError(f"column `{name}` holds no numbers; drop it, or encode it as numbers.", path=table.path)
    if len(bad := np.flatnonzero(~np.isfinite(values))):
        raise table.refuse(int(bad[0]), f"`{name}` is not a finite number; correct it, or leave the pair out.")
    return values


def _is_header(rows: Rows) -> bool:
    """Whether the first row has no number after its first two fields."""
    return not any(is_number(field) for field in rows[0][2:])
