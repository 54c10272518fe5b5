"""Builds graphs from columns of names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.edge_columns import Merge, Times
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.name_maps import map_nodes, map_relations
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.sided_ids import SidedIds, numbers_if_all
from linkwl.typing import FloatArray, IntArray


def build_graph(
    source: pa.ChunkedArray,
    target: pa.ChunkedArray,
    *,
    nodes: pa.Array | None = None,
    is_directed: bool = False,
    name: str = "graph",
    form: str = "columns",
    notes: tuple[str, ...] = (),
    path: Path | None = None,
    weight: FloatArray | None = None,
    time: Times | None = None,
    merge: Merge = "sum",
    has_sides: bool = False,
) -> Graph:
    """A graph whose edges are the rows of two columns of node names.

    Names are integers if both columns hold integers, strings otherwise.

    Args:
        source: Names of the first ends (int64 or string).
        target: Names of the second ends.
        nodes: Names of further nodes, which may have no edge.
        is_directed: Whether a row and its reverse are two edges.
        name: The graph's name.
        form: The kind of source, for the intake.
        notes: Decisions of the reader, for the intake.
        path: The file, for error messages.
        weight: One weight per row.
        time: One time per row.
        merge: How the weights of duplicates are merged.
        has_sides: Whether the columns are the two sides of a bipartite graph, with names of their own.

    Raises:
        InputError: If names are negative or fractional numbers.
    """
    ids: NodeIds
    part = None
    if has_sides:
        (first, left), (second, right) = (_map_side(column, path) for column in (source, target))
        ids, second = SidedIds(left, right), second + len(left)
        part = np.repeat(np.array([0, 1], dtype=np.int8), [len(left), len(right)])
    else:
        (first, second, *_), ids = map_nodes([source, target] if nodes is None else [source, target, nodes], path)
    return Graph.from_columns(
        first,
        second,
        len(ids),
        ids=ids,
        is_directed=is_directed,
        name=name,
        form=form,
        notes=notes,
        weight=weight,
        time=time,
        merge=merge,
        part=part,
    )


def _map_side(column: pa.ChunkedArray, path: Path | None) -> tuple[IntArray, NodeIds]:
    (index,), ids = map_nodes([numbers_if_all(column)], path)
    return index, ids


def build_knowledge_graph(
    head: pa.ChunkedArray,
    relation: pa.ChunkedArray,
    tail: pa.ChunkedArray,
    *,
    nodes: pa.Array | None = None,
    relations: pa.Array | None = None,
    name: str = "graph",
    form: str = "columns",
    notes: tuple[str, ...] = (),
    path: Path | None = None,
) -> KnowledgeGraph:
    """A knowledge graph whose facts are the rows of three columns of names.

    The names of nodes are integers if head and tail hold integers, and those of relations if all are integers from 0;
    strings otherwise.

    Args:
        head: Names of the heads (int64 or string).
        relation: Names of the relations (int64 or string).
        tail: Names of the tails.
        nodes: Names of further nodes, which may have no fact.
        relations: Names of further relations, which may have no fact.
        name: The graph's name.
        form: The kind of source, for the intake.
        notes: Decisions of the reader, for the intake.
        path: The file, for error messages.

    Raises:
        InputError: If a name is empty, nodes are negative or fractional numbers, or there are too many names.
    """
    every = [head, tail] if nodes is None else [head, tail, nodes]
    (heads, tails, *_), ids = map_nodes(every, path, needs="three names: head, relation and tail")
    (roles, *_), names = map_relations([relation] if relations is None else [relation, relations], path)
    try:
        return KnowledgeGraph.from_triples(
            np.stack([heads, roles, tails], axis=1),
            len(ids),
            len(names),
            ids=ids,
            relations=names,
            name=name,
            form=form,
            notes=notes,
        )
    except ValueError as error:  # too many possible triples
        raise InputError(str(error), path=path) from None
