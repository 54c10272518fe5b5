"""Loads a graph from a file or from another library's object."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from linkwl.errors import InputError
from linkwl.graph.convert import from_object
from linkwl.graph.convert_features import add_features, own_features
from linkwl.graph.convert_rows import as_list
from linkwl.graph.convert_tables import as_named_columns
from linkwl.graph.coordinate_columns import AUTO
from linkwl.graph.edge_columns import Merge
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.node_table import Missing, TableOptions
from linkwl.graph.readers import read_graph
from linkwl.graph.readers.benchmark_folder import read_benchmark_folder
from linkwl.graph.readers.entity_types import read_types
from linkwl.graph.triple_columns import TripleColumns
from linkwl.graph.value_columns import Column, ValueColumns


def load_graph(
    source: Any,
    *,
    features: Any = None,
    missing_features: Missing = "error",
    coordinates: str = AUTO,
    directed: bool | None = None,
    name: str | None = None,
    allow_edgeless: bool = False,
    weight: Column = None,
    time: Column = None,
    merge: Merge = "sum",
    head: Column = None,
    relation: Column = None,
    tail: Column = None,
    types: Path | str | None = None,
) -> Graph | KnowledgeGraph:
    """Loads a graph from a file or an object; a knowledge graph if the source holds triples.

    A table holds triples if its header says so (``head``, ``relation``, ``tail``, or similar names), if ``head``,
    ``relation`` or ``tail`` is given, or if it is a text of three columns without a header whose second one repeats.

    Args:
        source: A path (CSV, TSV or other text, also gzipped; Parquet, GraphML, ``.mat``, ``.npz``, ``.npy``,
            N-Triples, Turtle; the folder of a benchmark of triples), a networkx graph, a PyG ``Data`` or
            ``HeteroData``, a PyKEEN ``TriplesFactory``, a SciPy or NumPy matrix, an array, list, set or generator of
            node pairs or of triples by name, an Arrow table, a data frame or a list of dictionaries.
        features: A file of node features by node id (CSV, Parquet, ``.npy``, ``.npz``), or an object; see
            :func:`linkwl.graph.convert_features.node_table`. True reads the node attributes of a networkx graph.
        missing_features: ``"error"`` to refuse features without a row for every node, ``"fill"`` to read what there is.
        coordinates: The columns of coordinates among the features: ``"auto"`` by their names, such as ``lat`` and
            ``lon`` or ``x`` and ``y``; ``"none"``; or as in ``"map:breite,laenge"`` and ``"plane:east,north"``.
        directed: Whether to keep directions; by default as the source declares, and undirected if it does not.
        name: The graph's name; by default the file's.
        allow_edgeless: Whether a graph may have no edges; by default that is an error.
        weight: The column of weights in a table, by name or by position from 1; or the name of an edge attribute of a
            networkx graph or a PyG ``Data``. True means the usual name, or the values of a matrix. By default no
            weights are read.
        time: The column or attribute of times, given in the same way; numbers, or dates in a table.
        merge: How the weights of duplicates of an edge are merged: ``"sum"`` or ``"last"``.
        head: The column of heads in a table of triples, by name or by position from 1; by default that with a usual
            name or in the usual place.
        relation: The column of relations, given in the same way. False reads edges even if the table looks like
            triples; then ``head`` and ``tail`` are the columns of their ends.
        tail: The column of tails, given in the same way.
        types: A file with the types of the entities of a knowledge graph: an entity and a type per row (CSV, Parquet).

    Raises:
        InputError: If the source cannot be read; the sentence names file, line and remedy.

    Example:
        >>> load_graph([("ann", "bob"), ("bob", "cid")])
        Graph('graph', 3 nodes, 2 edges)
        >>> load_graph([("ann", "knows", "bob"), ("bob", "likes", "cid")])
        KnowledgeGraph('graph', 3 nodes, 2 relations, 2 triples)
    """
    values = ValueColumns(weight, time, merge)
    triples = TripleColumns(head, relation, tail)
    path = Path(source) if isinstance(source, str | Path) else None
    source = as_list(source)
    if path is not None and os.path.isdir(path):  # noqa: PTH112 - returns False for a name that is too long
        values.refuse("the folder of a benchmark", "omit it", path)
        if features is not None:
            raise InputError("features cannot be added to the folder of a benchmark; omit them.", path=path)
        return read_benchmark_folder(path, name=name)
    graph: Graph | KnowledgeGraph
    if path is not None:
        graph = read_graph(path, name=name, directed=directed, values=values, triples=triples)
    elif (table := as_named_columns(source, values, triples)) is not None:
        graph = table.to_graph(name=name or "graph", directed=directed, values=values, triples=triples)
    else:
        triples.refuse(f"an object of type {type(source).__name__}")
        graph = from_object(source, name=name or "graph", directed=directed, values=values)
    if isinstance(graph, KnowledgeGraph):
        if directed is False:
            problem = "triples have a direction; the undirected graph of a knowledge graph is its `links`."
            raise InputError(problem, path=path)
        graph = graph if types is None else graph.with_types(read_types(Path(types), graph.ids))
    elif types is not None:
        raise InputError("only the entities of triples have types; this is a graph of edges.", path=path)
    elif graph.num_edges == 0 and not (allow_edgeless and graph.num_nodes):
        raise InputError("no edge between two different nodes was found; a graph needs at least one.", path=path)
    features = own_features(source) if features is True else features
    return graph if features is None else add_features(graph, features, TableOptions(missing_features, coordinates))
