"""Loads a graph from a file or from another library's object."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from linkwl.errors import InputError
from linkwl.graph.convert import from_object
from linkwl.graph.convert_features import add_features, own_features, unread_note
from linkwl.graph.convert_matrix import from_matrix
from linkwl.graph.convert_rows import as_list
from linkwl.graph.convert_tables import as_frame, as_labelled_matrix, as_named_columns, as_side_matrix
from linkwl.graph.coordinate_columns import AUTO, NONE
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.mapped import is_mapped_graph, read_mapped_graph
from linkwl.graph.node_table import Missing, TableOptions
from linkwl.graph.readers import read_graph
from linkwl.graph.readers.benchmark_folder import read_benchmark_folder
from linkwl.graph.readers.entity_types import read_types
from linkwl.graph.readers.parquet_folder import parquet_parts, read_parquet_folder
from linkwl.graph.readers.stream import is_stream, saved_stream
from linkwl.graph.reading import MATRIX, Reading, ReadingOptions
from linkwl.memory import memory_refused

STANDARD_INPUT = "-"
"""The name of a graph that is read from standard input."""


def load_graph(
    graph: Any,
    /,
    *,
    features: Any = None,
    missing_features: Missing = "error",
    name: str | None = None,
    allow_edgeless: bool = False,
    types: Path | str | None = None,
    **options: Unpack[ReadingOptions],
) -> Graph | KnowledgeGraph:
    """Loads a graph from a file or an object; a knowledge graph if the source holds triples.

    A table holds triples if its header says so (``head``, ``relation``, ``tail``, or similar names), if ``type``,
    ``head``, ``relation`` or ``tail`` is given, or if it is a text of three columns without a header whose second one
    repeats. What was decided and what is not used is in ``intake.notes`` of the result.

    Args:
        graph: A path (CSV, TSV or other text, also a square matrix; Parquet, GraphML, GML, GEXF, Pajek, JSON, JSON
            lines, ``.mat``, ``.npz``, ``.npy``, ``.mtx``, N-Triples, Turtle; texts also compressed; the folder of a
            benchmark of triples, of Parquet files, or of a graph that ``linkwl convert`` wrote), ``"-"`` for standard
            input, an open file, a networkx graph, a PyG ``Data`` or ``HeteroData``, a PyKEEN ``TriplesFactory``, a
            SciPy or NumPy matrix, an array, list, set or generator of node pairs or of triples by name, an Arrow table,
            a data frame or a list of dictionaries.
        features: A file of node features by node id (CSV, Parquet, ``.npy``, ``.npz``), or an object; see
            :func:`linkwl.graph.convert_features.node_table`. True reads the node attributes of a networkx graph.
        missing_features: ``"error"`` to refuse features without a row for every node, ``"fill"`` to read what there is.
        name: The graph's name; by default the file's.
        allow_edgeless: Whether a graph may have no edges; by default that is an error.
        types: A file with the types of the entities of a knowledge graph: an entity and a type per row (CSV, Parquet).
        options: How to read it, the fields of :class:`~linkwl.graph.Reading`: ``source``, ``target``, ``type``,
            ``weight`` and ``time`` name columns, or attributes of edges, and ``merge`` says how the weights of
            duplicates are merged; ``head``, ``relation`` and ``tail`` name the columns of triples; ``directed`` and
            ``bipartite`` are True, False or ``"auto"``; ``header``, ``encoding``, ``skip_bad`` and ``format`` are about
            files, and ``threshold`` about the values of a matrix; ``node_attributes`` chooses among the attributes of
            nodes in a file, and ``coordinates`` says which columns of features, or attributes, are coordinates:
            ``"auto"`` by their names, ``"none"``, or as in ``"map:breite,laenge"`` and ``"plane:east,north"``.

    Raises:
        InputError: If the source cannot be read; the sentence names file, line and remedy.
        MemoryLimitError: If a file takes more memory than is free.

    Example:
        >>> load_graph([("ann", "bob"), ("bob", "cid")])
        Graph('graph', 3 nodes, 2 edges)
        >>> load_graph([("ann", "knows", "bob"), ("bob", "likes", "cid")])
        KnowledgeGraph('graph', 3 nodes, 2 relations, 2 triples)
        >>> load_graph([{"user_id": 1, "film_id": 1}, {"user_id": 2, "film_id": 1}])
        Graph('graph', 3 nodes, 2 edges, two sides)
    """
    reading = Reading(**options)
    source = sys.stdin.buffer if isinstance(graph, str) and graph == STANDARD_INPUT else graph
    if is_stream(source):
        with saved_stream(source, reading.format) as file:
            return load_graph(
                file,
                features=features,
                missing_features=missing_features,
                name=name or "graph",
                allow_edgeless=allow_edgeless,
                types=types,
                **options,
            )
    path = Path(source) if isinstance(source, str | Path) else None
    table = TableOptions(missing_features, reading.coordinates)
    if features is not None:
        if reading.node_attributes not in (AUTO, NONE):
            raise InputError("`node_attributes` and `features` are both about nodes; give one of them.", path=path)
        reading = replace(reading, coordinates=AUTO, node_attributes=AUTO if path is None else NONE)
    is_folder = path is not None and os.path.isdir(path)  # noqa: PTH112 - returns False for a name that is too long
    if path is not None and is_folder and is_mapped_graph(path):
        reading.allow({"directed"}, "a converted graph", path)
        found = read_mapped_graph(path)
        source, path = replace(found, name=name or found.name), None
    elif path is not None and is_folder and not parquet_parts(path):
        if features is not None:
            raise InputError("features cannot be added to the folder of a benchmark; omit them.", path=path)
        reading.values.refuse("the folder of a benchmark", "omit it", path)
        reading.allow({"directed", "head", "relation", "tail"}, "the folder of a benchmark", path)
        return read_benchmark_folder(path, name=name)
    loaded = _load(as_list(as_frame(source)), path, name, reading)
    if isinstance(loaded, KnowledgeGraph):
        if reading.directed is False:
            problem = "triples have a direction; the undirected graph of a knowledge graph is its `links`."
            raise InputError(problem, path=path)
        if reading.bipartite is True:
            raise InputError("entities of triples have types instead of sides; leave out --bipartite.", path=path)
        loaded = loaded if types is None else loaded.with_types(read_types(Path(types), loaded.ids))
    elif types is not None:
        raise InputError("only the entities of triples have types; this is a graph of edges.", path=path)
    elif loaded.num_edges == 0 and not (allow_edgeless and loaded.num_nodes):
        raise InputError("no edge between two different nodes was found; a graph needs at least one.", path=path)
    if features is True:
        features = own_features(source)
    elif notes := unread_note(source):
        loaded = loaded.noted(*notes)
    return loaded if features is None else add_features(loaded, features, table)


def _load(source: Any, path: Path | None, name: str | None, reading: Reading) -> Graph | KnowledgeGraph:
    """The graph of a file, a table or another object."""
    if path is not None:
        with memory_refused(f"{path}: its graph", "use a part of it"):
            if os.path.isdir(path):  # noqa: PTH112
                own = (path if path.name not in ("", "..") else path.resolve()).name
                return read_parquet_folder(path, name=name or own.split(".")[0], reading=reading)
            return read_graph(path, name=name, reading=reading)
    name = name or "graph"
    directed = None if reading.directed == "auto" else reading.directed
    labelled = as_labelled_matrix(source)
    if labelled is None and reading.bipartite is True and set(reading.given) <= MATRIX:
        labelled = as_side_matrix(source)
    if labelled is not None:
        reading.allow(MATRIX, "a matrix")
        return from_matrix(
            labelled.matrix,
            name=name,
            directed=directed,
            values=reading.values,
            form="labelled matrix",
            labels=labelled.labels,
            columns=labelled.columns,
            bipartite=reading.bipartite,
        )
    if (table := as_named_columns(source)) is not None:
        return table.to_graph(name=name, reading=reading)
    reading.triples.refuse(f"an object of type {type(source).__name__}")
    return from_object(source, name=name, reading=reading)
