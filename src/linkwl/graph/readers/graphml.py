"""GraphML files, plain or gzipped."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.build import build_graph
from linkwl.graph.graph import Graph
from linkwl.graph.node_ids import whole_numbers
from linkwl.graph.readers.text_source import read_text
from linkwl.graph.value_columns import NOTHING, ValueColumns


def read_graphml(path: Path, *, name: str, directed: bool | None = None, values: ValueColumns = NOTHING) -> Graph:
    """The graph of a GraphML file: its ``node`` and ``edge`` elements; nodes without edges are kept.

    The graph is directed as ``edgedefault`` declares, unless ``directed`` is given.
    """
    values.refuse("GraphML", "pass the result of `networkx.read_graphml` to `linkwl.load_graph`", path)
    nodes: list[str] = []
    ends: list[tuple[str, str]] = []
    is_directed = False
    events = ElementTree.iterparse(io.BytesIO(read_text(path)), events=("start", "end"))
    try:
        for event, element in events:
            tag = element.tag.rpartition("}")[2]
            if event == "start":
                if tag == "graph" and not nodes:  # skip graphs nested in a node
                    is_directed = element.get("edgedefault") == "directed"
                elif tag == "node":
                    nodes.append(element.attrib["id"])
                elif tag == "edge":
                    ends.append((element.attrib["source"], element.attrib["target"]))
            elif tag in ("node", "edge"):
                element.clear()  # frees its content
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
    columns = _columns([end[0] for end in ends], [end[1] for end in ends], nodes)
    return build_graph(
        columns[0],
        columns[1],
        nodes=columns[2],
        is_directed=is_directed if directed is None else directed,
        name=name,
        form="GraphML",
        path=path,
    )


def _columns(*lists: list[str]) -> list[pa.Array]:
    """The ids as integers if all are plain integers, as in most generated files, else as strings."""
    texts = [pa.array(column, type=pa.string()) for column in lists]
    numbers = [whole_numbers(column) for column in texts]
    return texts if any(column.null_count for column in numbers) else numbers
