"""The front door: a graph from a file or from another library's object."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from linkwl.errors import InputError
from linkwl.graph.convert import from_object
from linkwl.graph.graph import Graph
from linkwl.graph.readers import read_graph
from linkwl.graph.readers.features import read_features


def load_graph(
    source: Any,
    *,
    features: Path | str | None = None,
    directed: bool | None = None,
    name: str | None = None,
    allow_edgeless: bool = False,
) -> Graph:
    """A graph from almost anything that holds one.

    Args:
        source: A path (CSV, TSV or other text, also gzipped; Parquet, GraphML, ``.mat``, ``.npz``, ``.npy``), a
            networkx graph, a PyG ``Data``, a SciPy or NumPy matrix, or an array of node pairs.
        features: A file of node features by node id (CSV, Parquet, ``.npy``, ``.npz``).
        directed: Whether to keep directions; by default as the source itself says, and undirected if it does not.
        name: The graph's name; by default the file's.
        allow_edgeless: Whether a graph may have nodes alone; by default that is taken for a mistake.

    Raises:
        InputError: If the source cannot be read; the sentence names file, line and remedy.

    Example:
        >>> load_graph([("ann", "bob"), ("bob", "cid")])
        Graph('graph', 3 nodes, 2 edges)
    """
    path = Path(source) if isinstance(source, str | Path) else None
    if path is not None:
        graph = read_graph(path, name=name, directed=directed)
    else:
        graph = from_object(source, name=name or "graph", directed=directed)
    if graph.num_edges == 0 and not (allow_edgeless and graph.num_nodes):
        raise InputError("no edge between two different nodes was found; a graph needs at least one.", path=path)
    return graph if features is None else graph.with_features(read_features(Path(features), graph.ids))
