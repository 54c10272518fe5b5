"""Readers: from a file to a graph, chosen by the file's suffix."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from linkwl.errors import InputError
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.readers.gexf import read_gexf
from linkwl.graph.readers.gml import read_gml
from linkwl.graph.readers.graphml import read_graphml
from linkwl.graph.readers.json_graph import read_json, read_jsonl
from linkwl.graph.readers.matlab import read_matlab
from linkwl.graph.readers.matrix_market import read_matrix_market
from linkwl.graph.readers.networkx_text import read_adjacency_list
from linkwl.graph.readers.ntriples import read_ntriples
from linkwl.graph.readers.numpy_file import read_npy, read_npz
from linkwl.graph.readers.pajek import read_pajek
from linkwl.graph.readers.parquet import read_parquet
from linkwl.graph.readers.text_graph import read_text_graph
from linkwl.graph.readers.text_source import check_file
from linkwl.graph.readers.turtle import read_turtle
from linkwl.graph.reading import AS_DECLARED, MATRIX, Reading

__all__ = ["FORMATS", "READERS", "Reader", "read_graph"]


class Reader(Protocol):
    """The signature of a reader."""

    def __call__(self, path: Path, *, name: str, reading: Reading = AS_DECLARED) -> Graph | KnowledgeGraph:
        """The graph in the file at ``path``."""
        ...


READERS: dict[str, Reader] = {
    ".adjlist": read_adjacency_list,
    ".gexf": read_gexf,
    ".gml": read_gml,
    ".graphml": read_graphml,
    ".json": read_json,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".mtx": read_matrix_market,
    ".net": read_pajek,
    ".parquet": read_parquet,
    ".pq": read_parquet,
}
"""Readers by the file's suffix; files with other suffixes are read as text."""

_MATRIX_READERS = {".mat": read_matlab, ".npy": read_npy, ".npz": read_npz}
_RDF_READERS = {".nt": read_ntriples, ".ttl": read_turtle}
_RDF_NOT_READ = (".jsonld", ".n3", ".nq", ".owl", ".rdf", ".trig")
_NOT_READ = {".graph6": "graph6", ".sparse6": "sparse6"}
_PACKED = (".gz", ".bz2", ".xz", ".zst")
_TEXT = ("csv", "tsv", "txt", "edgelist", "edges")

FORMATS = (*_TEXT, *(ending[1:] for ending in (*READERS, *_MATRIX_READERS, *_RDF_READERS)))
"""The formats that can be named where a file's suffix does not."""


def read_graph(path: Path | str, *, name: str | None = None, reading: Reading = AS_DECLARED) -> Graph | KnowledgeGraph:
    """The graph in a file; a file with a suffix that no reader is for is read as text."""
    path = Path(path)
    check_file(path)
    name = name or path.name.lstrip(".").split(".")[0]
    ending = _ending(path, reading.format)
    if ending in _NOT_READ:
        raise InputError(
            f"{ending} files are not read; convert it to GraphML or CSV, or pass the result of "
            f"`networkx.read_{_NOT_READ[ending]}` to `linkwl.load_graph`.",
            path=path,
        )
    if ending in _RDF_NOT_READ:
        raise InputError(f"{ending} files are not read; convert it to Turtle (.ttl) or N-Triples (.nt).", path=path)
    if ending in _RDF_READERS:
        reading.triples.refuse(f"a {ending} file", path)
        reading.values.refuse("statements of RDF", "numbers are read as attributes of entities", path)
        reading.allow({"format", "directed"}, f"a {ending} file", path)
        return _RDF_READERS[ending](path, name=name)
    if ending in _MATRIX_READERS:
        reading.triples.refuse(f"a {ending} file", path)
        reading.allow(MATRIX | {"time"}, f"a {ending} file", path)
        directed = None if reading.directed == "auto" else reading.directed
        return _MATRIX_READERS[ending](
            path, name=name, directed=directed, values=reading.values, bipartite=reading.bipartite
        )
    return READERS.get(ending, read_text_graph)(path, name=name, reading=reading)


def _ending(path: Path, kind: str | None) -> str:
    """The suffix that says how a file is read."""
    if kind is None:
        endings = [ending.lower() for ending in path.suffixes if ending.lower() not in _PACKED]
        return endings[-1] if endings else ""
    if kind.lower().lstrip(".") not in FORMATS:
        raise InputError(f"unknown format {kind!r}; known are {', '.join(FORMATS)}.")
    return "." + kind.lower().lstrip(".")
