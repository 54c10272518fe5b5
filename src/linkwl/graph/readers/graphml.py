"""GraphML files, plain or gzipped."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.build import build_graph
from linkwl.graph.graph import Graph
from linkwl.graph.node_ids import whole_numbers
from linkwl.graph.readers.text_source import read_text
from linkwl.graph.value_columns import NOTHING, ValueColumns

_BLOCK_BYTES = 1 << 26


@dataclass
class _Elements:
    """Collects the nodes and edges while a file is parsed; nothing else is kept."""

    nodes: list[str] = field(default_factory=list)
    ends: list[tuple[str, str]] = field(default_factory=list)
    is_directed: bool = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Called at the start of every element."""
        kind = tag.rpartition("}")[2]
        if kind == "graph" and not self.nodes:  # skip graphs nested in a node
            self.is_directed = attributes.get("edgedefault") == "directed"
        elif kind == "node":
            self.nodes.append(attributes["id"])
        elif kind == "edge":
            self.ends.append((attributes["source"], attributes["target"]))


def read_graphml(path: Path, *, name: str, directed: bool | None = None, values: ValueColumns = NOTHING) -> Graph:
    """The graph of a GraphML file: its ``node`` and ``edge`` elements; nodes without edges are kept.

    The graph is directed as ``edgedefault`` declares, unless ``directed`` is given.
    """
    values.refuse("GraphML", "pass the result of `networkx.read_graphml` to `linkwl.load_graph`", path)
    content = read_text(path)
    found = _Elements()
    parser = ElementTree.XMLParser(target=found)
    try:
        # In large blocks: the parser starts again at a tag or attribute that does not end in its block.
        for start in range(0, content.size, _BLOCK_BYTES):
            parser.feed(content.slice(start, min(_BLOCK_BYTES, content.size - start)))
        parser.close()
    except ElementTree.ParseError as error:
        raise InputError(
            f"not well-formed XML ({error.msg.split(':')[0]}); write the file again.", path=path, line=error.position[0]
        ) from error
    except KeyError as error:
        raise InputError(
            f"a node or edge element has no {error} attribute; write the file again.", path=path
        ) from error
    except (LookupError, ValueError) as error:
        raise InputError("the encoding that it names cannot be read; save it as UTF-8.", path=path) from error
    columns = _columns([end[0] for end in found.ends], [end[1] for end in found.ends], found.nodes)
    return build_graph(
        columns[0],
        columns[1],
        nodes=columns[2],
        is_directed=found.is_directed if directed is None else directed,
        name=name,
        form="GraphML",
        path=path,
    )


def _columns(*lists: list[str]) -> list[pa.Array]:
    """The ids as integers if all are plain integers, as in most generated files, else as strings."""
    texts = [pa.array(column, type=pa.string()) for column in lists]
    numbers = [whole_numbers(column) for column in texts]
    return texts if any(column.null_count for column in numbers) else numbers
