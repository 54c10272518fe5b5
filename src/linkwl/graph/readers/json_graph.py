"""Graphs as JSON: nodes and links as networkx and d3 write them, lists of neighbours, or a list of edges."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from linkwl.errors import InputError
from linkwl.graph.convert_rows import as_records
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.pair_columns import Declared
from linkwl.graph.readers.bad_line import skipped_note
from linkwl.graph.readers.listing import Listing
from linkwl.graph.readers.object_columns import records_table
from linkwl.graph.readers.text_source import numbered_lines, read_text
from linkwl.graph.reading import AS_DECLARED, Reading

_EXPECTED = (
    'expected {"nodes": [...], "links": [...]} as networkx and d3 write it, {"a": ["b", "c"]}, or a list of edges such '
    'as {"source": "a", "target": "b"}'
)


def read_json(path: Path, *, name: str, reading: Reading = AS_DECLARED) -> Graph | KnowledgeGraph:
    """The graph of a JSON file."""
    content = _parse(read_text(path, reading.encoding).to_pybytes(), path)
    if isinstance(content, list):
        return _from_rows(content, path, name, reading, "JSON")
    if isinstance(content, Mapping):
        links = next((content[key] for key in ("links", "edges") if isinstance(content.get(key), list)), None)
        if links is not None:
            return _from_links(content, links, path, name, reading)
        if content and all(isinstance(others, list) for others in content.values()):
            return _from_neighbours(content, path, name, reading)
    raise InputError(f"{_EXPECTED}.", path=path)


def read_jsonl(path: Path, *, name: str, reading: Reading = AS_DECLARED) -> Graph | KnowledgeGraph:
    """The graph of a file with a JSON object per line, each an edge."""
    rows, skipped, first = [], 0, ""
    for number, _, line in numbered_lines(read_text(path, reading.encoding)):
        if not line.strip():
            continue
        try:
            row = _parse(line, path, number)
            if not isinstance(row, dict | list):
                raise InputError("expected an object or a list in every line.", path=path, line=number)
            rows.append(row)
        except InputError as error:
            if not reading.skip_bad:
                raise
            skipped += 1
            first = first or f"line {number}: {error.problem}"
    graph = _from_rows(rows, path, name, replace(reading, skip_bad=False), "JSON lines")
    return graph.noted(*skipped_note(skipped, first))


def _parse(content: bytes, path: Path, line: int | None = None) -> Any:
    try:
        return json.loads(content)
    except UnicodeDecodeError as error:
        problem = "the text is not UTF-8; name its encoding with --encoding, as in latin-1."
        raise InputError(problem, path=path, line=line) from error
    except json.JSONDecodeError as error:
        problem = f"not valid JSON ({error.msg.lower()}); write it again."
        raise InputError(problem, path=path, line=error.lineno if line is None else line) from error
    except (RecursionError, ValueError) as error:  # nested too deeply, or numbers of thousands of digits
        raise InputError("the JSON is nested too deeply, or has a number that is too long.", path=path) from error


def _from_rows(rows: list[Any], path: Path, name: str, reading: Reading, form: str) -> Graph | KnowledgeGraph:
    """Edges or triples, each an object, or a list of two or three names."""
    if not rows:
        raise InputError(f"it lists nothing; {_EXPECTED}.", path=path)
    if isinstance(rows[0], list):
        width = len(rows[0])
        for number, row in enumerate(rows, start=1):
            if not isinstance(row, list) or len(row) != width or width not in (2, 3):
                raise InputError(f"edge {number} is not a list of {'two' if width < 3 else 'three'} names.", path=path)
        keys = ("source", "target", "weight") if width < 3 or _is_number(rows[0][2]) else ("head", "relation", "tail")
        rows = [dict(zip(keys, row, strict=False)) for row in rows]
    try:
        records = as_records(rows)
    except InputError as error:
        raise InputError(error.problem, path=path) from None
    if records is None:
        raise InputError(f"{_EXPECTED}.", path=path)
    return records_table(records, form, path).to_graph(name=name, reading=replace(reading, encoding=None))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def _from_links(
    content: Mapping[str, Any], links: list[Any], path: Path, name: str, reading: Reading
) -> Graph | KnowledgeGraph:
    """Nodes and links; the ends of links are ids of nodes, or their positions from 0 in older files of d3."""
    nodes = content.get("nodes", [])
    if not isinstance(nodes, list) or not all(isinstance(item, Mapping) for item in [*nodes, *links]):
        raise InputError(f"{_EXPECTED}.", path=path)
    listing = Listing("JSON", path, reading, is_closed=bool(nodes))
    keys = [next((key for key in _NAMES if key in node), "") for node in nodes]
    names = [node[key] if key else place for place, (node, key) in enumerate(zip(nodes, keys, strict=True))]
    for node, key, own in zip(nodes, keys, names, strict=True):
        listing.add_node(_name(own, path), attributes=_attributes(node, key))
    known = set(map(str, names))
    ends = [(_end(link, "source", "from"), _end(link, "target", "to")) for link in links]
    are_places = bool(nodes) and all(
        isinstance(end, int) and 0 <= end < len(nodes) and str(end) not in known for pair in ends for end in pair
    )
    for link, pair in zip(links, ends, strict=True):
        if None in pair:
            raise InputError("a link has no `source` or no `target`; write the file again.", path=path)
        source, target = (_name(names[end] if are_places else end, path) for end in pair)
        listing.add_edge(source, target, {key: link[key] for key in link if key not in _ENDS})
    declared = content.get("directed")
    return listing.to_graph(name=name, declared=Declared(declared if isinstance(declared, bool) else None))


def _attributes(node: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The attributes of a node; a list of two numbers called ``pos``, as networkx draws by, becomes two of them."""
    found = {key: value for key, value in node.items() if key != name}
    place = found.get("pos")
    if isinstance(place, list) and len(place) == 2:
        found |= {"pos.x": place[0], "pos.y": place[1]}
        del found["pos"]
    return found


_NAMES = ("id", "name", "key")
"""What holds the name of a node, the first that there is."""
_ENDS = ("source", "target", "from", "to")


def _end(link: Mapping[str, Any], *keys: str) -> Any:
    end = next((link[key] for key in keys if key in link), None)
    return end.get("id", end.get("name")) if isinstance(end, Mapping) else end


def _name(value: Any, path: Path) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InputError(f"{value!r} is no name of a node; expected a text or a whole number.", path=path)
    return str(value)


def _from_neighbours(
    content: Mapping[str, list[Any]], path: Path, name: str, reading: Reading
) -> Graph | KnowledgeGraph:
    listing = Listing("JSON", path, reading, is_closed=False)
    for node in content:
        listing.add_node(node)
    for node, others in content.items():
        for other in others:
            listing.add_edge(node, _name(other, path), {})
    return listing.to_graph(name=name)
