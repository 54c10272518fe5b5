"""Graphs from the objects of other libraries: networkx, PyG, SciPy, NumPy.

None of those libraries is imported: an object is recognised by what it offers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.graph.build import build_graph, fractional_id_problem
from linkwl.graph.csr import MAX_NODES
from linkwl.graph.features import checked_features
from linkwl.graph.graph import Graph


def from_object(source: Any, *, name: str = "graph", directed: bool | None = None) -> Graph:
    """A graph from a networkx graph, a PyG ``Data``, a SciPy or NumPy matrix, or an array of node pairs.

    Args:
        source: The object.
        name: The graph's name.
        directed: Whether to keep directions; by default a networkx ``DiGraph`` does and everything else does not.
    """
    if isinstance(source, Graph):
        if directed and not source.is_directed:
            raise InputError("an undirected graph has no directions to keep; build it anew from directed edges.")
        return source.to_undirected() if directed is False else source
    if sp.issparse(source):
        return from_matrix(source, name=name, directed=directed)
    if hasattr(source, "edge_index"):
        return _from_pyg(source, name, directed)
    if hasattr(source, "is_directed") and hasattr(source, "nodes"):
        return _from_networkx(source, name, directed)
    try:
        array = np.asarray(source)
        if array.dtype.kind == "f" and not hasattr(source, "dtype"):
            array = np.asarray(source, dtype=object)  # whole numbers beyond 64 bits are not to be rounded
    except (TypeError, ValueError, NotImplementedError):
        array = np.empty(())
    if array.ndim == 0:
        raise InputError(
            f"an object of type {type(source).__name__} cannot be read as a graph; expected a networkx graph, a PyG "
            "`Data`, a SciPy or NumPy matrix, or a list of node pairs."
        )
    return from_array(array, name=name, directed=directed)


def from_array(
    array: np.ndarray, *, name: str, directed: bool | None = None, form: str = "array", path: Path | None = None
) -> Graph:
    """A graph from node pairs by id, shape ``(num_edges, 2)``, or from a square 0/1 adjacency matrix."""
    is_square = array.ndim == 2 and array.shape[0] == array.shape[1] and array.shape[0] > 2
    if is_square and array.dtype.kind in "biuf":
        return from_matrix(array, name=name, directed=directed, form=form, path=path)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(
            f"expected node pairs of shape (num_edges, 2) or a square matrix of numbers, got shape {array.shape}; "
            "an edge index of shape (2, num_edges) can be passed as its transpose.",
            path=path,
        )
    if array.dtype.kind == "i":
        source, target = pa.array(array[:, 0].astype(np.int64)), pa.array(array[:, 1].astype(np.int64))
    elif array.dtype.kind in "ufUO":
        source, target = (_name_column(array[:, k].tolist(), path) for k in (0, 1))
    else:
        raise InputError(f"node ids must be whole numbers or text, got {array.dtype}; convert them.", path=path)
    return build_graph(source, target, is_directed=bool(directed), name=name, form=form, path=path)


def from_matrix(
    matrix: Any, *, name: str, directed: bool | None = None, form: str = "sparse matrix", path: Path | None = None
) -> Graph:
    """A graph from an adjacency matrix; nodes are its rows, every stored value but zero is an edge."""
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        shape = " x ".join(str(size) for size in matrix.shape)
        problem = f"an adjacency matrix must be square, this one is {shape}; give it a row and a column per node."
        raise InputError(problem, path=path)
    if matrix.dtype.kind not in "biuf":
        raise InputError(f"an adjacency matrix must hold numbers, this one holds {matrix.dtype}.", path=path)
    if matrix.shape[0] > MAX_NODES:
        raise InputError(f"the matrix has {matrix.shape[0]} rows, at most {MAX_NODES} nodes are possible.", path=path)
    entries = sp.coo_array(matrix)
    if not np.isfinite(entries.data).all():
        problem = "the matrix holds NaN or infinite values; put 0 where there is no edge."
        raise InputError(problem, path=path)
    kept = entries.data != 0
    return Graph.from_columns(
        entries.row[kept], entries.col[kept], matrix.shape[0], is_directed=bool(directed), name=name, form=form
    )


def _from_networkx(source: Any, name: str, directed: bool | None) -> Graph:
    is_directed = bool(source.is_directed()) if directed is None else directed
    edges = [edge[:2] for edge in source.edges()]
    nodes = _name_column(list(source.nodes), None)
    ends = [_name_column([edge[k] for edge in edges], None).cast(nodes.type) for k in (0, 1)]
    graph = build_graph(*ends, nodes=nodes, is_directed=is_directed, name=name, form="networkx graph")
    if graph.num_nodes < len(nodes):
        raise InputError(
            "two nodes have the same name as text, such as 1 and '1', or 'a' and ' a'; rename one of them "
            "(`networkx.convert_node_labels_to_integers` numbers them all)."
        )
    return graph


def _from_pyg(data: Any, name: str, directed: bool | None) -> Graph:
    if data.edge_index is None:
        raise InputError("the PyG data has no `edge_index`; a graph needs at least one edge.")
    edge_index = data.edge_index.cpu().numpy()
    if edge_index.ndim != 2 or len(edge_index) != 2:
        raise InputError(f"`edge_index` must have shape (2, num_edges), got {edge_index.shape}; transpose it.")
    features = getattr(data, "x", None)
    if features is not None:
        features = checked_features(_to_matrix(features.detach().cpu()))
    return Graph.from_columns(
        edge_index[0],
        edge_index[1],
        int(data.num_nodes),
        is_directed=bool(directed),
        name=name,
        form="PyG data",
        features=features,
    )


def _to_matrix(tensor: Any) -> Any:
    """A torch tensor as a NumPy array, or as a SciPy matrix if it is sparse."""
    if tensor.is_floating_point():
        tensor = tensor.float()  # NumPy knows no bfloat16
    if str(tensor.layout) == "torch.strided":
        return tensor.numpy()
    entries = tensor.to_sparse_coo().coalesce()
    return sp.csr_array((entries.values().numpy(), entries.indices().numpy()), shape=tuple(tensor.shape))


def _name_column(names: list[Any], path: Path | None) -> pa.Array:
    """Python names as one Arrow column: whole numbers stay numbers, anything else becomes text."""
    for name in names:
        if isinstance(name, float | np.floating):
            raise InputError(fractional_id_problem(str(name)), path=path)
        if name is None:
            raise InputError("a node id is missing (None); every edge needs two.", path=path)
    if all(isinstance(name, int | np.integer) and abs(int(name)) < 2**63 for name in names):
        return pa.array([int(name) for name in names], type=pa.int64())
    return pa.array([str(name) for name in names], type=pa.string())
