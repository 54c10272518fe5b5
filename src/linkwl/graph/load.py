"""Loads a graph from a file or from another library's object."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from linkwl.errors import InputError
from linkwl.graph.convert import from_object
from linkwl.graph.edge_columns import Merge
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.readers import read_graph
from linkwl.graph.readers.benchmark_folder import read_benchmark_folder
from linkwl.graph.readers.features import read_features
from linkwl.graph.value_columns import Column, ValueColumns


def load_graph(
    source: Any,
    *,
    features: Path | str | None = None,
    directed: bool | None = None,
    name: str | None = None,
    allow_edgeless: bool = False,
    weight: Column = None,
    time: Column = None,
    merge: Merge = "sum",
) -> Graph | KnowledgeGraph:
    """Loads a graph from a file or an object.

    Args:
        source: A path (CSV, TSV or other text, also gzipped; Parquet, GraphML, ``.mat``, ``.npz``, ``.npy``; the folder
            of a benchmark of triples), a networkx graph, a PyG ``Data``, a SciPy or NumPy matrix, or an array of node
            pairs.
        features: A file of node features by node id (CSV, Parquet, ``.npy``, ``.npz``).
        directed: Whether to keep directions; by default as the source declares, and undirected if it does not.
        name: The graph's name; by default the file's.
        allow_edgeless: Whether a graph may have no edges; by default that is an error.
        weight: The column of weights in a table, by name or by position from 1; or the name of an edge attribute of a
            networkx graph or a PyG ``Data``. True means the usual name, or the values of a matrix. By default no
            weights are read.
        time: The column or attribute of times, given in the same way; numbers, or dates in a table.
        merge: How the weights of duplicates of an edge are merged: ``"sum"`` or ``"last"``.

    Raises:
        InputError: If the source cannot be read; the sentence names file, line and remedy.

    Example:
        >>> load_graph([("ann", "bob"), ("bob", "cid")])
        Graph('graph', 3 nodes, 2 edges)
    """
    values = ValueColumns(weight, time, merge)
    path = Path(source) if isinstance(source, str | Path) else None
    if path is not None and os.path.isdir(path):  # noqa: PTH112 - returns False for a name that is too long
        values.refuse("the folder of a benchmark", "omit it", path)
        if features is not None:
            raise InputError("features cannot be added to the folder of a benchmark; omit them.", path=path)
        return read_benchmark_folder(path, name=name)
    if path is not None:
        graph = read_graph(path, name=name, directed=directed, values=values)
    else:
        graph = from_object(source, name=name or "graph", directed=directed, values=values)
    if graph.num_edges == 0 and not (allow_edgeless and graph.num_nodes):
        raise InputError("no edge between two different nodes was found; a graph needs at least one.", path=path)
    return graph if features is None else graph.with_features(read_features(Path(features), graph.ids))
