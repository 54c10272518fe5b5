"""GraphML files, plain or compressed."""

from __future__ import annotations

from pathlib import Path

from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.pair_columns import Declared
from linkwl.graph.readers.listing import Listing
from linkwl.graph.readers.xml_elements import parse_xml
from linkwl.graph.reading import AS_DECLARED, Reading

_WITH_DATA = ("graph", "node", "edge")


def read_graphml(path: Path, *, name: str, reading: Reading = AS_DECLARED) -> Graph | KnowledgeGraph:
    """The graph of a GraphML file: its ``node`` and ``edge`` elements; nodes without edges are kept.

    The graph is directed as ``edgedefault`` declares. Attributes of edges can be weights, times or types.
    """
    file = _File(path, reading)
    parse_xml(path, file.start, file.end, reading.encoding)
    return file.listing.to_graph(name=name, declared=Declared(file.is_directed))


class _File:
    """The state of reading a file: the open elements, and what was found."""

    def __init__(self, path: Path, reading: Reading) -> None:
        self.listing = Listing("GraphML", path, reading, is_closed=False)
        self.is_directed = False
        self._names: dict[str, str] = {}  # of attributes, by key
        self._open: list[tuple[dict[str, str], dict[str, str]]] = []  # attributes and data of the open elements
        self._key = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Remembers what an element says at its start."""
        if tag == "key":
            self._names[attributes.get("id", "")] = attributes.get("attr.name", attributes.get("id", ""))
        elif tag == "data":
            self._key = attributes.get("key", "")
        elif tag == "graph" and not self._open and not len(self.listing):  # neither nested in a node nor another one
            self.is_directed = attributes.get("edgedefault") == "directed"
        if tag in _WITH_DATA:
            self._open.append((attributes, {}))

    def end(self, tag: str, text: str) -> None:
        """Adds what has been read completely."""
        if tag == "data" and self._open:
            self._open[-1][1][self._names.get(self._key, self._key)] = text
        if tag not in _WITH_DATA:
            return
        attributes, data = self._open.pop()
        if tag == "node":
            self.listing.add_node(attributes["id"], attributes=data)
        elif tag == "edge":
            is_both_ways = self.is_directed and attributes.get("directed") == "false"
            self.listing.add_edge(attributes["source"], attributes["target"], data, is_both_ways=is_both_ways)
