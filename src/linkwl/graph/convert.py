"""Graphs from objects of other libraries: networkx, PyG, PyKEEN, SciPy, NumPy.

None of these libraries is imported: an object is recognised by its attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.graph.attributes import Attributes
from linkwl.graph.build import build_graph
from linkwl.graph.convert_matrix import from_matrix
from linkwl.graph.convert_rows import check_rows
from linkwl.graph.convert_triples import (
    are_named_triples,
    from_hetero_data,
    from_named_triples,
    from_triples_factory,
    is_hetero_data,
    is_triples_factory,
)
from linkwl.graph.direction import build_directed
from linkwl.graph.edge_columns import Merge
from linkwl.graph.features import checked_features
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.name_maps import name_column
from linkwl.graph.pair_columns import PairColumns
from linkwl.graph.positions import Positions
from linkwl.graph.reading import AS_DECLARED, MATRIX, VALUES, Reading
from linkwl.graph.sides import with_sides
from linkwl.graph.unused import ignored_note
from linkwl.graph.value_columns import NOTHING, ValueColumns


def from_object(source: Any, *, name: str = "graph", reading: Reading = AS_DECLARED) -> Graph | KnowledgeGraph:
    """A graph from a networkx graph, a PyG ``Data``, a SciPy or NumPy matrix, or an array of node pairs.

    A PyG ``HeteroData``, a PyKEEN ``TriplesFactory`` and an array of triples by name become knowledge graphs.

    Args:
        source: The object.
        name: The graph's name.
        reading: How to read it; by default a networkx ``DiGraph`` and a matrix that is not symmetric have directions,
            and everything else has none.
    """
    values, directed = reading.values, None if reading.directed == "auto" else reading.directed
    convert = _triples_converter(source)
    if convert is not None:
        values.refuse("triples", "leave it out")
        reading.allow({"directed", "bipartite"}, "triples")
        return convert(source, name)
    if isinstance(source, Graph):
        values.refuse("a `Graph`", "it has those that it was made with")
        reading.allow({"directed"}, "a `Graph`")
        if directed and not source.is_directed:
            raise InputError("an undirected graph has no directions to keep; build it anew from directed edges.")
        return source.to_undirected() if directed is False else source
    if sp.issparse(source):
        reading.allow(MATRIX | {"time"}, "a matrix")
        return from_matrix(source, name=name, directed=directed, values=values, bipartite=reading.bipartite)
    if hasattr(source, "edge_index"):
        reading.allow(VALUES, "PyG data")
        return _from_pyg(source, name, reading)
    if hasattr(source, "is_directed") and hasattr(source, "nodes"):
        reading.allow(VALUES, "a networkx graph")
        return _from_networkx(source, name, reading)
    check_rows(source)
    try:
        array = np.asarray(source)
        if array.dtype.kind == "f" and not hasattr(source, "dtype"):
            array = np.asarray(source, dtype=object)  # integers beyond 64 bits must not be rounded
    except (TypeError, ValueError, NotImplementedError):
        array = np.empty(())
    if array.ndim == 0:
        raise InputError(
            f"an object of type {type(source).__name__} cannot be read as a graph; expected a networkx graph, a PyG "
            "`Data`, a SciPy or NumPy matrix, a list of node pairs or triples, or a table."
        )
    is_list = array.dtype.kind == "U" and not hasattr(source, "dtype")
    named = np.asarray(source, dtype=object) if is_list else array  # numbers among texts stay numbers
    if are_named_triples(named):
        values.refuse("triples", "leave it out")
        return from_named_triples(named, name)
    reading.allow(VALUES | MATRIX, "an array")
    return from_array(array, name=name, directed=directed, values=values, reading=reading)


def _triples_converter(source: Any) -> Callable[[Any, str], KnowledgeGraph] | None:
    """How to convert an object that holds triples."""
    if isinstance(source, KnowledgeGraph):
        return lambda graph, _: graph
    if is_triples_factory(source):
        return from_triples_factory
    return from_hetero_data if is_hetero_data(source) else None


def from_array(
    array: np.ndarray,
    *,
    name: str,
    directed: bool | None = None,
    values: ValueColumns = NOTHING,
    form: str = "array",
    path: Path | None = None,
    reading: Reading = AS_DECLARED,
) -> Graph:
    """A graph from node pairs by id, shape ``(num_edges, 2)``, or from an adjacency matrix of numbers.

    The matrix is square, or of any shape with more than two columns if its rows and columns are two sides.
    """
    is_square = array.ndim == 2 and array.shape[0] == array.shape[1] and array.shape[0] > 2
    has_sides = array.ndim == 2 and array.shape[1] > 2 and reading.bipartite in (True, "auto")
    if (is_square or has_sides) and array.dtype.kind in "biuf":
        sides = reading.bipartite
        return from_matrix(array, name=name, directed=directed, values=values, form=form, path=path, bipartite=sides)
    values.refuse("node pairs", "use `Graph.from_pairs`, or a table", path)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(
            f"expected node pairs of shape (num_edges, 2) or a square matrix of numbers, got shape {array.shape}; "
            "an edge index of shape (2, num_edges) can be passed as its transpose, triples of indices to "
            "`KnowledgeGraph.from_triples`.",
            path=path,
        )
    if array.dtype.kind == "i":
        source, target = pa.array(array[:, 0].astype(np.int64)), pa.array(array[:, 1].astype(np.int64))
    elif array.dtype.kind in "ufUO":
        source, target = (name_column(array[:, k].tolist(), path) for k in (0, 1))
    else:
        raise InputError(f"node ids must be whole numbers or text, got {array.dtype}; convert them.", path=path)
    reading = replace(reading, directed=reading.directed if directed is None else directed)
    columns = PairColumns(pa.chunked_array([source]), pa.chunked_array([target]), form, ())
    return columns.to_graph(path, name=name, reading=reading)


def _halved(weight: Any, source: Any, target: Any, num_nodes: int, directed: bool | None, merge: Merge) -> Any:
    """The weights of the rows, halved if every edge is listed in both directions with the same weight."""
    weight = weight.astype(np.result_type(weight.dtype, np.float32), copy=False)
    if directed or merge != "sum":
        return weight
    matrix = sp.csr_array((weight, (source, target)), shape=(num_nodes, num_nodes))
    return weight / 2 if (matrix != matrix.T).nnz == 0 else weight


def _from_networkx(source: Any, name: str, reading: Reading) -> Graph:
    edges = [edge[:2] for edge in source.edges()]
    names = reading.values.names()
    columns: dict[str, Any] = {kind: _edge_attribute(source, kind, attribute) for kind, attribute in names.items()}
    nodes = name_column(list(source.nodes), None)
    ends = [name_column([edge[k] for edge in edges], None).cast(nodes.type) for k in (0, 1)]
    notes = [f"{kind} from attribute `{attribute}`" for kind, attribute in names.items()]

    def build(is_directed: bool) -> Graph:
        return build_graph(
            *ends,
            nodes=nodes,
            is_directed=is_directed,
            name=name,
            form="networkx graph",
            notes=(*notes, *_unused_note(source, names)),
            **columns,
            merge=reading.merge,
        )

    graph = build_directed(build, reading.directed, declared=bool(source.is_directed()))
    if graph.num_nodes < len(nodes):
        raise InputError(
            "two nodes have the same name as text, such as 1 and '1', or 'a' and ' a'; rename one of them "
            "(`networkx.convert_node_labels_to_integers` numbers them all)."
        )
    if reading.bipartite in (True, "auto"):
        return with_sides(graph.to_undirected(), reading.bipartite, graph.ids.find(ends[0]))
    return graph


def _unused_note(source: Any, used: Mapping[str, str | int]) -> list[str]:
    """The note on attributes of edges that are not used."""
    names = dict.fromkeys(str(key) for *_, data in source.edges(data=True) for key in data)
    unused = [key for key in names if key not in used.values()]
    return ignored_note([f"`{key}`" for key in unused], unused, given=used, what="edge attribute")


def _edge_attribute(source: Any, kind: str, attribute: str | int) -> np.ndarray:
    """An attribute of every edge of a networkx graph, in the order of its edges."""
    found = []
    for u, v, value in source.edges(data=attribute):
        if not isinstance(value, int | float | np.integer | np.floating) or not -(2**63) <= value < 2**63:
            raise InputError(
                f"the edge {u!r}, {v!r} has {value!r} as attribute `{attribute}`, expected the {kind} as a number."
            )
        found.append(value)
    return np.array(found, dtype=None if found else np.float64)


def _from_pyg(data: Any, name: str, reading: Reading) -> Graph:
    if data.edge_index is None:
        raise InputError("the PyG data has no `edge_index`; a graph needs at least one edge.")
    edge_index = data.edge_index.cpu().numpy()
    if edge_index.ndim != 2 or len(edge_index) != 2:
        raise InputError(f"`edge_index` must have shape (2, num_edges), got {edge_index.shape}; transpose it.")
    features = getattr(data, "x", None)
    if features is not None:
        features = checked_features(_to_matrix(features.detach().cpu()))
    positions = getattr(data, "pos", None)
    attributes = None if positions is None else Attributes(positions=Positions.of(_to_matrix(positions.detach().cpu())))
    names = reading.values.names(weight="edge_weight", time="edge_time")
    columns: dict[str, Any] = {kind: _pyg_column(data, kind, attribute) for kind, attribute in names.items()}

    def build(is_directed: bool) -> Graph:
        own = dict(columns)
        if "weight" in own:
            source, target = edge_index
            own["weight"] = _halved(own["weight"], source, target, data.num_nodes, is_directed, reading.merge)
        return Graph.from_columns(
            edge_index[0],
            edge_index[1],
            int(data.num_nodes),
            is_directed=is_directed,
            name=name,
            form="PyG data",
            notes=tuple(f"{kind} from attribute `{attribute}`" for kind, attribute in names.items()),
            features=features,
            attributes=attributes,
            **own,
            merge=reading.merge,
        )

    graph = build_directed(build, reading.directed)
    if reading.bipartite in (True, "auto"):
        return with_sides(graph.to_undirected(), reading.bipartite, edge_index[0])
    return graph


def _pyg_column(data: Any, kind: str, attribute: str | int) -> np.ndarray:
    """An attribute of PyG data with one number per edge."""
    tensor: Any = getattr(data, str(attribute), None)
    shape = tuple(getattr(tensor, "shape", ()))
    num_edges = data.edge_index.shape[1]
    if shape not in ((num_edges,), (num_edges, 1)):
        raise InputError(
            f"the PyG data has no attribute `{attribute}` with the {kind} of each of its {num_edges} edges."
        )
    found = _to_matrix(tensor.detach().cpu()).reshape(-1)
    if not np.isfinite(found).all():
        raise InputError(f"the attribute `{attribute}` of the PyG data holds NaN or infinite values; fix them.")
    return found


def _to_matrix(tensor: Any) -> Any:
    """A torch tensor as a NumPy array, or as a SciPy matrix if it is sparse."""
    if tensor.is_floating_point():
        tensor = tensor.float()  # NumPy has no bfloat16
    if str(tensor.layout) == "torch.strided":
        return tensor.numpy()
    entries = tensor.to_sparse_coo().coalesce()
    return sp.csr_array((entries.values().numpy(), entries.indices().numpy()), shape=tuple(tensor.shape))
