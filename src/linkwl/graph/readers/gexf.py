"""GEXF files, the format of Gephi."""

from __future__ import annotations

from pathlib import Path

from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.pair_columns import Declared
from linkwl.graph.readers.listing import Listing
from linkwl.graph.readers.xml_elements import parse_xml
from linkwl.graph.reading import AS_DECLARED, Reading

_NOT_ATTRIBUTES = ("id", "label", "source", "target", "type")
_LOOKS = ("color", "size", "shape", "thickness")
"""Elements that say how Gephi draws a node or an edge."""


def read_gexf(path: Path, *, name: str, reading: Reading = AS_DECLARED) -> Graph | KnowledgeGraph:
    """The graph of a GEXF file; nodes are named by their labels if these are different, else by their ids.

    The graph is directed as ``defaultedgetype`` declares; undirected edges in a directed graph go both ways. Where
    Gephi has drawn a node is its attributes ``viz.x`` and ``viz.y``.
    """
    file = _File(path, reading)
    parse_xml(path, file.start, file.end, reading.encoding)
    return file.listing.to_graph(name=name, declared=Declared(file.is_directed))


class _File:
    """The state of reading a file: the open node or edge, and what was found."""

    def __init__(self, path: Path, reading: Reading) -> None:
        self.listing = Listing("GEXF", path, reading)
        self.is_directed = False
        self._titles: dict[tuple[str, str], str] = {}  # of attributes, by class and id
        self._class, self._node = "", ""
        self._data: dict[str, str] = {}
        self._edges: list[tuple[dict[str, str], dict[str, str]]] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Remembers what an element says at its start; nodes may be nested, edges come after the nodes they join."""
        if tag == "graph":
            self.is_directed = attributes.get("defaultedgetype", "undirected") == "directed"
        elif tag == "attributes":
            self._class = attributes.get("class", "")
        elif tag == "attribute":
            self._titles[self._class, attributes["id"]] = attributes.get("title", attributes["id"])
        elif tag == "node":
            others = {key: value for key, value in attributes.items() if key not in _NOT_ATTRIBUTES}
            self._node = attributes["id"]
            self.listing.add_node(self._node, attributes.get("label"), others)
            self._class = "node"
        elif tag == "edge":
            self._data = {key: value for key, value in attributes.items() if key not in _NOT_ATTRIBUTES}
            self._edges.append((attributes, self._data))
            self._class = "edge"
        elif tag == "attvalue":
            key = attributes.get("for", attributes.get("id", ""))
            title = self._titles.get((self._class, key), key)
            if self._class == "edge":
                self._data[title] = attributes.get("value", "")
            else:
                self.listing.add_attributes(self._node, {title: attributes.get("value", "")})
        elif tag == "position" and self._class == "node":
            self.listing.add_attributes(self._node, {f"viz.{axis}": place for axis, place in attributes.items()})
        elif tag in _LOOKS and self._class == "node":
            self.listing.note_node_attributes([tag])

    def end(self, tag: str, text: str) -> None:
        """Adds the edges when all nodes are known."""
        if tag != "graph":
            return
        for attributes, data in self._edges:
            kind = attributes.get("type", "directed" if self.is_directed else "undirected")
            is_both_ways = self.is_directed and kind in ("undirected", "mutual")
            self.listing.add_edge(attributes["source"], attributes["target"], data, is_both_ways=is_both_ways)
        self._edges = []
