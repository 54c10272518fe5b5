"""Node tables from objects in memory: data frames, Arrow tables, dictionaries, arrays.

Neither pandas nor torch is imported: an object is recognised by its attributes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.graph.column_words import NODE_NAMES, column_key
from linkwl.graph.convert_rows import as_records
from linkwl.graph.convert_tables import as_frame
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.name_maps import name_column
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.node_table import NodeTable, TableOptions, column_table, matrix_table
from linkwl.graph.readers.features import read_features
from linkwl.graph.readers.named_columns import id_column
from linkwl.graph.readers.node_rows import node_column
from linkwl.graph.readers.object_columns import object_column
from linkwl.graph.unused import ignored_note

_PLAIN = TableOptions()


def add_features(graph: Graph | KnowledgeGraph, source: Any, options: TableOptions = _PLAIN) -> Graph | KnowledgeGraph:
    """The same graph with the features and attributes of a file or an object; see :func:`node_table`."""
    table = node_table(source, graph.ids, options)
    if isinstance(graph, Graph):
        return replace(graph.noted(*table.notes), features=table.features, attributes=table.attributes)
    if table.features is None:
        raise InputError("models of facts do not read coordinates; give numbers or categories, or omit the features.")
    return replace(graph.noted(*table.notes), features=table.features)


def node_table(source: Any, ids: NodeIds, options: TableOptions = _PLAIN) -> NodeTable:
    """The node table of a file or an object, in the order of the nodes ``ids``.

    Args:
        source: A path; a data frame with a column of nodes (``node``, ``id``, ``name``) or with the nodes as index; an
            Arrow table or a list of dictionaries; a series with the nodes as index; a dictionary from each node to a
            dictionary, a list of numbers or a value; a list, a NumPy array, a SciPy matrix or a tensor, dense or
            sparse, whose row i belongs to the node with id i.
        ids: The nodes of the graph.
        options: How to read it.

    Raises:
        InputError: If it cannot be read, a value is invalid, or its nodes are not the graph's.
    """
    source = as_frame(source)
    if isinstance(source, str | Path):
        return read_features(Path(source), ids, options)
    if isinstance(source, Mapping):
        return _from_mapping(source, ids, options)
    if isinstance(source, pa.Table):
        names = list(source.column_names)
        return _from_columns(names, [source[k] for k in range(len(names))], node_column(names), ids, options)
    if (records := as_records(source)) is not None:
        names = list(records)
        return _from_columns(names, [object_column(records, name) for name in names], node_column(names), ids, options)
    if hasattr(source, "to_frame") and hasattr(source, "index"):  # a series of pandas
        source = source.to_frame("value" if source.name is None else source.name)
    if hasattr(source, "columns") and hasattr(source, "__getitem__"):
        return _from_frame(source, ids, options)
    return _from_matrix(source, ids, options)


def own_features(source: Any) -> dict[Any, dict[str, Any]]:
    """The attributes of the nodes of a networkx graph.

    Raises:
        InputError: If it is no such graph, or its nodes have no attributes.
    """
    if not _has_nodes(source):
        raise InputError("`features=True` reads the node attributes of a networkx graph; give a file or a table.")
    found = {node: _flat(values) for node, values in source.nodes(data=True)}
    if not any(found.values()):
        raise InputError("`features=True`: the nodes of the graph have no attributes; omit it.")
    return found


def unread_note(source: Any) -> list[str]:
    """The note on the attributes of the nodes of a networkx graph, if there are any, that nobody has asked for."""
    if not _has_nodes(source):
        return []
    names = dict.fromkeys(str(name) for _, values in source.nodes(data=True) for name in values)
    notes = ignored_note([f"`{name}`" for name in names], what="node attribute")
    return [f"{note} (to use: features=True)" for note in notes]


def _has_nodes(source: Any) -> bool:
    return hasattr(source, "is_directed") and callable(getattr(source, "nodes", None))


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of a node; a pair of numbers called ``pos``, as networkx draws by, becomes ``x`` and ``y``."""
    place = values.get("pos")
    if place is None or np.shape(place) != (2,):
        return dict(values)
    others = {name: value for name, value in values.items() if name != "pos"}
    return others | {"x": float(place[0]), "y": float(place[1])}


def _from_columns(
    names: list[str], columns: list[pa.ChunkedArray], node: int, ids: NodeIds, options: TableOptions
) -> NodeTable:
    if len(names) < 2:
        raise InputError(f"a table of features has a column of nodes and others, got {len(names)} columns.")
    nodes = id_column(columns.pop(node), names.pop(node), None)
    return column_table(names, columns, nodes, ids, options)


def _from_frame(frame: Any, ids: NodeIds, options: TableOptions) -> NodeTable:
    """A data frame with a column of nodes, or with an index of nodes (pandas)."""
    names = [str(name) for name in frame.columns]
    columns = [object_column(frame, name) for name in frame.columns]
    has_nodes = any(column_key(name) in NODE_NAMES for name in names)
    if has_nodes or not hasattr(frame, "index"):
        return _from_columns(names, columns, node_column(names), ids, options)
    return column_table(names, columns, name_column(np.asarray(frame.index).tolist(), None), ids, options)


def _from_mapping(source: Mapping[Any, Any], ids: NodeIds, options: TableOptions) -> NodeTable:
    if not source:
        raise InputError("the dictionary of features is empty; give an entry for each node.")
    nodes, values = name_column(list(source), None), list(source.values())
    if all(isinstance(value, Mapping) for value in values):
        names = list(dict.fromkeys(str(key) for value in values for key in value))
        rows = [{str(key): item for key, item in value.items()} for value in values]
        columns = {name: np.fromiter((row.get(name) for row in rows), dtype=object) for name in names}
        return column_table(names, [object_column(columns, name) for name in names], nodes, ids, options)
    try:
        matrix = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        matrix = np.empty(0)
    if matrix.ndim == 2:
        return matrix_table(matrix, nodes, ids, options)
    column = object_column({"value": np.fromiter(values, dtype=object)}, "value")
    return column_table(["value"], [column], nodes, ids, options)


def _from_matrix(source: Any, ids: NodeIds, options: TableOptions) -> NodeTable:
    matrix = _as_matrix(source)
    if len(matrix.shape) != 2:
        raise InputError(f"features must be a matrix with one row per node, got shape {matrix.shape}.")
    if not ids.are_numbers:
        raise InputError(
            f"rows of an array are matched by whole-number ids, but this graph's nodes have names (as {ids[0]!r}); "
            "give a dictionary or a data frame by name."
        )
    return matrix_table(matrix, pa.array(np.arange(matrix.shape[0])), ids, options)


def _as_matrix(source: Any) -> Any:
    """The numbers of an array, a sparse matrix or a tensor; a single column if there is one dimension.

    Raises:
        InputError: If it is none of these.
    """
    if hasattr(source, "detach"):
        source = _from_tensor(source.detach().cpu())
    if sp.issparse(source):
        return source
    if isinstance(source, np.ma.MaskedArray):
        source = np.ma.filled(source.astype(np.float64), np.nan)
    try:
        array = np.asarray(source)
    except ValueError:  # rows of different lengths
        array = np.empty(0, dtype=object)
    if array.ndim == 0 or (array.dtype == object and array.ndim == 1):
        raise InputError(
            f"features of type {type(source).__name__} cannot be read; give a file, a data frame, a dictionary by "
            "node, or a matrix with one row per node."
        )
    return array[:, None] if array.ndim == 1 else array


def _from_tensor(tensor: Any) -> Any:
    """A tensor of torch on the processor as an array, or as a sparse matrix if it is sparse."""
    if tensor.is_floating_point():
        tensor = tensor.float() if tensor.element_size() < 4 else tensor
    if "sparse" not in str(tensor.layout) or tensor.dim() != 2:
        return tensor.to_dense().numpy()
    entries = tensor.to_sparse_coo().coalesce()
    return sp.csr_matrix((entries.values().numpy(), entries.indices().numpy()), shape=tuple(tensor.shape))
