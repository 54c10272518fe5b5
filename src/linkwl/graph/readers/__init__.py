"""Readers: from a file to a graph, chosen by the file's suffix."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from linkwl.errors import InputError
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.readers.graphml import read_graphml
from linkwl.graph.readers.matlab import read_matlab
from linkwl.graph.readers.ntriples import read_ntriples
from linkwl.graph.readers.numpy_file import read_npy, read_npz
from linkwl.graph.readers.parquet import read_parquet
from linkwl.graph.readers.text_graph import read_text_graph
from linkwl.graph.readers.text_source import check_file
from linkwl.graph.readers.turtle import read_turtle
from linkwl.graph.triple_columns import ANY_COLUMNS, TripleColumns
from linkwl.graph.value_columns import NOTHING, ValueColumns

__all__ = ["READERS", "Reader", "read_graph"]


class Reader(Protocol):
    """The signature of a reader of edges."""

    def __call__(self, path: Path, *, name: str, directed: bool | None = None, values: ValueColumns = NOTHING) -> Graph:
        """The graph in the file at ``path``; directed as declared in the file unless ``directed`` is given."""
        ...


READERS: dict[str, Reader] = {
    ".graphml": read_graphml,
    ".mat": read_matlab,
    ".npy": read_npy,
    ".npz": read_npz,
}
"""Readers of edges, by the file's suffix."""


_RDF_READERS = {".nt": read_ntriples, ".ttl": read_turtle}
_RDF_NOT_READ = (".jsonld", ".n3", ".nq", ".owl", ".rdf", ".trig")
_NOT_READ = {".gml": "gml", ".gexf": "gexf", ".net": "pajek", ".adjlist": "adjlist", ".graph6": "graph6"}


def read_graph(
    path: Path | str,
    *,
    name: str | None = None,
    directed: bool | None = None,
    values: ValueColumns = NOTHING,
    triples: TripleColumns = ANY_COLUMNS,
) -> Graph | KnowledgeGraph:
    """The graph in a file; a file with a suffix that no reader is for is read as text."""
    path = Path(path)
    check_file(path)
    name = name or path.name.lstrip(".").split(".")[0]
    endings = [ending.lower() for ending in path.suffixes if ending.lower() != ".gz"]
    ending = endings[-1] if endings else ""
    if ending in _NOT_READ:
        raise InputError(
            f"{ending} files are not read; convert it to GraphML or CSV, or pass the result of "
            f"`networkx.read_{_NOT_READ[ending]}` to `linkwl.load_graph`.",
            path=path,
        )
    if ending in _RDF_NOT_READ:
        raise InputError(f"{ending} files are not read; convert it to Turtle (.ttl) or N-Triples (.nt).", path=path)
    if ending in _RDF_READERS:
        triples.refuse(f"a {ending} file", path)
        values.refuse("statements of RDF", "numbers are read as attributes of entities", path)
        return _RDF_READERS[ending](path, name=name)
    if ending in READERS:
        triples.refuse(f"a {ending} file", path)
        return READERS[ending](path, name=name, directed=directed, values=values)
    read_table = read_parquet if ending in (".parquet", ".pq") else read_text_graph
    return read_table(path, name=name, directed=directed, values=values, triples=triples)
