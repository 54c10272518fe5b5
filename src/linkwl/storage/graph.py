"""A graph as a file of tensors: edges or triples, features, attributes and types; node names are stored elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
import torch
from torch import Tensor

from linkwl.errors import InputError
from linkwl.files import parse_json
from linkwl.graph import EntityTypes, Graph, KnowledgeGraph
from linkwl.graph.attributes import Attributes
from linkwl.graph.features import Features, checked_features
from linkwl.graph.node_ids import NodeId, NodeIds
from linkwl.graph.sided_ids import SidedIds
from linkwl.storage.tensors import TensorFile, open_tensors, write_tensors

_EDGES, _TRIPLES, _DENSE = "edges", "triples", "features"
_SPARSE = ("features.indptr", "features.indices", "features.data")
_WEIGHT, _TIME, _PART = "edge_weight", "edge_time", "part"
_TYPES = ("types.ptr", "types.col")
_ATTRIBUTES = "attributes."
_ATTRIBUTE_KINDS = {
    "numbers": (2, torch.float64),
    "categories": (2, torch.int32),
    "positions": (2, torch.float64),
    "pairs": (2, torch.int32),
    "pair_numbers": (2, torch.float64),
}
_GRAPH, _KNOWLEDGE_GRAPH = "graph", "knowledge graph"
"""The kinds of graph; files of graphs of edges have no kind."""


def write_graph(path: Path, graph: Graph | KnowledgeGraph) -> None:
    """Writes a graph without the names of its nodes."""
    note: dict[str, Any]
    if isinstance(graph, Graph):
        columns = {_EDGES: graph.edges, _WEIGHT: graph.edge_weight, _TIME: graph.edge_time, _PART: graph.part}
        note = {"name": graph.name, "directed": graph.is_directed, "width": graph.num_features}
        if isinstance(graph.ids, SidedIds):
            note["sides"] = {"left": graph.ids.num_left, "marked": graph.ids.is_marked}
        if graph.attributes is not None:
            note["attributes"] = graph.attributes.signature
            columns |= {_ATTRIBUTES + name: values for name, values in graph.attributes.arrays.items()}
    else:
        columns = {_TRIPLES: graph.triples}
        note = {"kind": _KNOWLEDGE_GRAPH, "name": graph.name, "width": graph.num_features}
        note["relations"] = _names_note(graph.relations)
        if graph.types is not None:
            columns |= dict(zip(_TYPES, (graph.types.ptr, graph.types.col), strict=True))
            note["types"] = _names_note(graph.types.names)
    arrays = {name: values for name, values in columns.items() if values is not None}
    features = graph.features
    if isinstance(features, np.ndarray):
        arrays[_DENSE] = features
    elif features is not None:
        parts = (features.indptr.astype(np.int64), features.indices.astype(np.int64), features.data)
        arrays |= dict(zip(_SPARSE, parts, strict=True))
    tensors = {name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}
    write_tensors(path, tensors, json.dumps(note))


def read_graph_file(path: Path, ids: NodeIds, digest: str) -> Graph | KnowledgeGraph:
    """The graph of a file written by :func:`write_graph`.

    Args:
        path: The file.
        ids: The names of its nodes.
        digest: The expected digest of the graph.

    Raises:
        InputError: If the file is damaged, or belongs to another graph.
    """
    with open_tensors(path) as file:
        try:
            note = parse_json(file.note)
            graph = _READERS[note.get("kind", _GRAPH)](file, note, ids)
        except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise _damaged(path) from error
    if graph.digest != digest:
        raise _damaged(path)
    return graph


def _read_graph(file: TensorFile, note: dict[str, Any], ids: NodeIds) -> Graph:
    name, is_directed, width = str(note["name"]), bool(note["directed"]), int(note["width"])
    if (sides := note.get("sides")) is not None:
        ids = SidedIds.split(ids, int(sides["left"]), bool(sides["marked"]))
    return Graph.from_pairs(
        _read(file, _EDGES, 2, torch.int32),
        len(ids),
        ids=ids,
        is_directed=is_directed,
        features=_read_features(file, len(ids), width),
        name=name,
        weight=_read_if_there(file, _WEIGHT, torch.float32, torch.float64),
        time=_read_if_there(file, _TIME, torch.int64, torch.float64),
        merge="last",
        part=_read_if_there(file, _PART, torch.int8),
        attributes=_read_attributes(file, note["attributes"]) if "attributes" in note else None,
    )


def _read_knowledge_graph(file: TensorFile, note: dict[str, Any], ids: NodeIds) -> KnowledgeGraph:
    relations = _named("relation", note["relations"])
    return KnowledgeGraph.from_triples(
        _read(file, _TRIPLES, 2, torch.int32),
        len(ids),
        len(relations),
        ids=ids,
        relations=relations,
        features=_read_features(file, len(ids), int(note["width"])),
        types=_read_types(file, note["types"]) if "types" in note else None,
        name=str(note["name"]),
    )


_READERS: dict[str, Callable[[TensorFile, dict[str, Any], NodeIds], Graph | KnowledgeGraph]] = {
    _GRAPH: _read_graph,
    _KNOWLEDGE_GRAPH: _read_knowledge_graph,
}


def _names_note(names: NodeIds) -> int | list[NodeId]:
    """The names of relations or types for the note: a number r for the names 0 .. r-1, or a list."""
    return len(names) if names.is_range else list(names)


def _named(kind: str, names: Any) -> NodeIds:
    """The names of relations or types from the note."""
    if isinstance(names, int):
        return NodeIds(names, kind=kind)
    is_text = all(isinstance(name, str) for name in names)
    array = pa.array(names, pa.string() if is_text else pa.int64())
    if array.null_count:
        raise ValueError(f"a {kind} has no name.")
    return NodeIds(array, kind=kind)


def _read_types(file: TensorFile, names: Any) -> EntityTypes:
    ptr, col = (_read(file, name, 1, dtype) for name, dtype in zip(_TYPES, (torch.int64, torch.int32), strict=True))
    return EntityTypes(_named("type", names), ptr, col)


def _read_features(file: TensorFile, num_nodes: int, width: int) -> Features | None:
    if _DENSE in file.names:
        return checked_features(_read(file, _DENSE, 2, torch.float32))
    if not file.names.intersection(_SPARSE):
        return None
    dtypes = (torch.int64, torch.int64, torch.float32)
    indptr, indices, data = (_read(file, name, 1, dtype) for name, dtype in zip(_SPARSE, dtypes, strict=True))
    matrix = sp.csr_array((data, indices, indptr), shape=(num_nodes, width))
    matrix.check_format(full_check=True)
    return checked_features(matrix)


def _read_attributes(file: TensorFile, signature: dict[str, Any]) -> Attributes:
    arrays = {
        name: _read(file, _ATTRIBUTES + name, *kind)
        for name, kind in _ATTRIBUTE_KINDS.items()
        if _ATTRIBUTES + name in file.names
    }
    return Attributes.from_arrays(signature, arrays)


def _read_if_there(file: TensorFile, name: str, *dtypes: torch.dtype) -> np.ndarray | None:
    return _read(file, name, 1, *dtypes) if name in file.names else None


def _read(file: TensorFile, name: str, dims: int, *dtypes: torch.dtype) -> np.ndarray:
    tensor: Tensor = file.read(name)
    if tensor.dtype not in dtypes or tensor.dim() != dims:
        raise ValueError(f"tensor {name!r} must have {dims} dimensions and one of the types {dtypes}.")
    return tensor.numpy()


def _damaged(path: Path) -> InputError:
    return InputError("this is not the graph of the model beside it; the file is damaged or of another.", path=path)
