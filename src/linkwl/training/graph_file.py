"""A graph as a file of tensors: edges and features; names of nodes are kept elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.graph.features import Features, checked_features
from linkwl.graph.node_ids import NodeIds
from linkwl.training.tensor_file import TensorFile, open_tensors, write_tensors

_EDGES, _DENSE = "edges", "features"
_SPARSE = ("features.indptr", "features.indices", "features.data")


def write_graph(path: Path, graph: Graph) -> None:
    """Writes edges and features."""
    arrays: dict[str, np.ndarray] = {_EDGES: graph.edges}
    features = graph.features
    if isinstance(features, np.ndarray):
        arrays[_DENSE] = features
    elif features is not None:
        parts = (features.indptr.astype(np.int64), features.indices.astype(np.int64), features.data)
        arrays |= dict(zip(_SPARSE, parts, strict=True))
    note = {"name": graph.name, "directed": graph.is_directed, "width": graph.num_features}
    tensors = {name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}
    write_tensors(path, tensors, json.dumps(note))


def read_graph_file(path: Path, ids: NodeIds, digest: str) -> Graph:
    """The graph of a file by :func:`write_graph`, on nodes of those names.

    Args:
        path: The file.
        ids: The names of its nodes.
        digest: What :attr:`linkwl.Graph.digest` must be.

    Raises:
        InputError: If the file is damaged, or not of that graph.
    """
    with open_tensors(path) as file:
        try:
            note = json.loads(file.note)
            name, is_directed, width = str(note["name"]), bool(note["directed"]), int(note["width"])
            edges = _read(file, _EDGES, torch.int32, 2)
            features = _read_features(file, len(ids), width)
            graph = Graph.from_pairs(edges, len(ids), ids=ids, is_directed=is_directed, features=features, name=name)
        except (KeyError, TypeError, ValueError) as error:
            raise _damaged(path) from error
    if graph.digest != digest:
        raise _damaged(path)
    return graph


def _read_features(file: TensorFile, num_nodes: int, width: int) -> Features | None:
    if _DENSE in file.names:
        return checked_features(_read(file, _DENSE, torch.float32, 2))
    if not file.names.intersection(_SPARSE):
        return None
    dtypes = (torch.int64, torch.int64, torch.float32)
    indptr, indices, data = (_read(file, name, dtype, 1) for name, dtype in zip(_SPARSE, dtypes, strict=True))
    matrix = sp.csr_array((data, indices, indptr), shape=(num_nodes, width))
    matrix.check_format(full_check=True)
    return checked_features(matrix)


def _read(file: TensorFile, name: str, dtype: torch.dtype, dims: int) -> np.ndarray:
    tensor: Tensor = file.read(name)
    if tensor.dtype != dtype or tensor.dim() != dims:
        raise ValueError(f"tensor {name!r} must be {dtype} with {dims} dimensions.")
    return tensor.numpy()


def _damaged(path: Path) -> InputError:
    return InputError("this is not the graph of the model beside it; the file is damaged or of another.", path=path)
