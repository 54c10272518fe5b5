"""GML files: ``graph [ node [ id 1 label "a" ] edge [ source 1 target 2 ] ]``."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

from linkwl.errors import InputError
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.pair_columns import Declared
from linkwl.graph.readers.listing import Listing
from linkwl.graph.readers.text_source import read_text
from linkwl.graph.reading import AS_DECLARED, Reading

_TOKEN = re.compile(
    r"""\s*(?:(?P<comment>\#[^\n]*)|(?P<key>[A-Za-z]\w*)|(?P<number>[+-]?[\d.][\w.+-]*|[+-](?:inf|nan)\b)"""
    r"""|"(?P<text>[^"]*)"|(?P<open>\[)|(?P<close>\]))"""
)
_DRAWING = "graphics"
_NOT_ATTRIBUTES = ("id", "label", "source", "target")

Record = dict[str, Any]


def read_gml(path: Path, *, name: str, reading: Reading = AS_DECLARED) -> Graph | KnowledgeGraph:
    """The graph of a GML file; nodes are named by their labels if these are different, else by their ids.

    The graph is directed if it says ``directed 1``. Attributes that are lists are not used; only those of
    ``graphics``, where a program has drawn a node, can be asked for (``graphics.x``).
    """
    try:
        text = read_text(path, reading.encoding).to_pybytes().decode()
    except UnicodeDecodeError as error:
        raise InputError(
            "the text is not UTF-8; name its encoding with --encoding, as in latin-1.", path=path
        ) from error
    graph = _graph_record(text, path)
    listing = Listing("GML", path, reading)
    for node in graph["node"]:
        _require(node, ("id",), "node", path)
        label = node.get("label")
        listing.add_node(node["id"], label, {key: node[key] for key in node if key not in _NOT_ATTRIBUTES})
    for edge in graph["edge"]:
        _require(edge, ("source", "target"), "edge", path)
        attributes = {key: value for key, value in edge.items() if key not in ("source", "target")}
        listing.add_edge(edge["source"], edge["target"], attributes)
    return listing.to_graph(name=name, declared=Declared(graph["directed"] == "1"))


def _graph_record(text: str, path: Path) -> Record:
    """The nodes, edges and direction of the first graph: flat records, whose lists are marked as such."""
    graph: Record = {"node": [], "edge": [], "directed": "0"}
    levels: list[tuple[str, Record]] = [("", {})]
    key: str | None = None
    place, num_graphs = 0, 0
    while (token := _TOKEN.match(text, place)) is not None:
        place = token.end()
        kind = token.lastgroup
        if kind == "comment":
            continue
        if kind == "key":
            if key is not None:
                raise _bad(text, token.start("key"), path, f"the key `{key}` has no value")
            key = token["key"]
        elif kind == "close":
            if len(levels) == 1 or key is not None:
                raise _bad(text, token.start("close"), path, "a bracket closes nothing")
            name, record = levels.pop()
            if name in ("node", "edge") and len(levels) == 2:
                graph[name].append(record)
            elif name == _DRAWING and len(levels) == 3:
                levels[-1][1].pop(_DRAWING, None)
                levels[-1][1].update({f"{_DRAWING}.{axis}": value for axis, value in record.items()})
            elif name == "graph" and len(levels) == 1:
                num_graphs += 1
                graph["directed"] = record.get("directed", "0")
        elif key is None:
            raise _bad(text, token.start(kind or 0), path, "a value has no key")
        elif kind == "open":
            if not (len(levels) == 2 and key in ("node", "edge")):
                levels[-1][1].setdefault(key, "")
            levels.append((key, {}))
            key = None
        else:
            value = token["number"] if kind == "number" else html.unescape(token["text"])
            levels[-1][1].setdefault(key, value)
            key = None
    if rest := text[place:].lstrip():
        raise _bad(text, len(text) - len(rest), path, "this is not GML")
    if len(levels) > 1 or key is not None:
        raise InputError("the file ends within a list; fetch or write it again.", path=path)
    if num_graphs != 1:
        raise InputError(f"found {num_graphs} graphs, expected one as in `graph [ node [ id 1 ] ]`.", path=path)
    return graph


def _require(record: Record, keys: tuple[str, ...], what: str, path: Path) -> None:
    for key in keys:
        if not record.get(key):
            raise InputError(f"a {what} has no `{key}`; write the file again.", path=path)


def _bad(text: str, place: int, path: Path, problem: str) -> InputError:
    return InputError(f"{problem}; write the file again.", path=path, line=text.count("\n", 0, place) + 1)
