"""The texts of ``networkx.write_edgelist``, with a dictionary of data per edge, and of ``networkx.write_adjlist``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.readers.listing import Listing
from linkwl.graph.readers.text_source import numbered_lines, read_text
from linkwl.graph.reading import AS_DECLARED, Reading

_EDGE = re.compile(r"(?P<source>[^\s,;]+)[\s,;]+(?P<target>[^\s,;{]+)[\s,;]+(?P<data>\{.*\})\s*")
_MOST_DATA = 10_000
"""Characters of the data of an edge."""


def has_edge_data(content: pa.Buffer) -> bool:
    """Whether the first line that is no comment ends with a dictionary, as in ``1 2 {'weight': 3}``."""
    for _, _, line in numbered_lines(content):
        if line.strip() and not line.startswith(b"#"):
            return len(line) < _MOST_DATA and _EDGE.fullmatch(line.decode(errors="replace")) is not None
    return False


def read_edge_data(content: pa.Buffer, path: Path, *, name: str, reading: Reading) -> Graph | KnowledgeGraph:
    """The graph of a text with two names and a dictionary per line."""
    listing = Listing("networkx edge list", path, reading, is_closed=False)
    for number, text in _lines(content, path):
        found = _EDGE.fullmatch(text) if len(text) <= 2 * _MOST_DATA else None
        if found is None:
            problem = "expected two names and a dictionary, as in `1 2 {'weight': 3}`; fix this line."
            raise InputError(problem, path=path, line=number)
        listing.add_edge(found["source"], found["target"], _data(found["data"], path, number))
    return listing.to_graph(name=name)


def read_adjacency_list(path: Path, *, name: str, reading: Reading = AS_DECLARED) -> Graph | KnowledgeGraph:
    """The graph of a text in which each line has a node and then its neighbours, separated by spaces."""
    listing = Listing("adjacency list", path, reading, is_closed=False)
    for _, text in _lines(read_text(path, reading.encoding), path):
        node, *others = text.split()
        listing.touch_node(node)
        for other in others:
            listing.add_edge(node, other, {})
    return listing.to_graph(name=name)


def _lines(content: pa.Buffer, path: Path) -> Iterator[tuple[int, str]]:
    for number, _, line in numbered_lines(content):
        try:
            text = "" if line.startswith(b"#") else line.decode()
        except UnicodeDecodeError as error:
            problem = "this line is not UTF-8 text; name the encoding with --encoding, as in latin-1."
            raise InputError(problem, path=path, line=number) from error
        if text.strip():
            yield number, text


def _data(text: str, path: Path, line: int) -> dict[str, Any]:
    if text == "{}":
        return {}
    try:
        data = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise InputError("the data of this edge is no dictionary of plain values; fix it.", path=path, line=line)
    return {str(key): value for key, value in data.items()}
