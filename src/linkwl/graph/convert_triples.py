"""Knowledge graphs from objects of other libraries: PyKEEN, PyG, tables, and lists of triples.

None of these libraries is imported: an object is recognised by its attributes.
"""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.build import build_knowledge_graph
from linkwl.graph.entity_types import EntityTypes
from linkwl.graph.features import Features, checked_features
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.name_maps import name_column
from linkwl.graph.node_ids import NodeIds
from linkwl.typing import IntArray


def is_triples_factory(source: Any) -> bool:
    """Whether the object is a ``TriplesFactory`` of PyKEEN."""
    return hasattr(source, "mapped_triples")


def from_triples_factory(source: Any, name: str) -> KnowledgeGraph:
    """The knowledge graph of a ``TriplesFactory``: its entities, its relations and its triples, without inverses."""
    triples = np.asarray(source.mapped_triples)
    if triples.ndim != 2 or triples.shape[1] != 3 or triples.dtype.kind not in "iu":
        raise InputError(f"`mapped_triples` must hold integers of shape (n, 3), got {triples.dtype} {triples.shape}.")
    entities = _labels(source, "entity_to_id", "num_entities")
    relations = _labels(source, "relation_to_id", "real_num_relations")
    for column, what, names in ((0, "entities", entities), (1, "relations", relations), (2, "entities", entities)):
        if len(triples) and not 0 <= triples[:, column].min() <= triples[:, column].max() < len(names):
            raise InputError(f"`mapped_triples` names {what} beyond the {len(names)} of the factory; build it anew.")
    head, tail = (entities.take(pa.array(triples[:, column])) for column in (0, 2))
    return build_knowledge_graph(
        head,
        relations.take(pa.array(triples[:, 1])),
        tail,
        nodes=entities,
        relations=relations,
        name=name,
        form="PyKEEN triples",
        notes=("triples without inverses",) if getattr(source, "create_inverse_triples", False) else (),
    )


def _labels(source: Any, attribute: str, count: str) -> pa.Array:
    """The names of entities or relations in order of their ids; 0, 1, ... if the factory has none."""
    ids = getattr(source, attribute, None)
    if ids is None:
        return pa.array(np.arange(int(getattr(source, count))))
    if sorted(ids.values()) != list(range(len(ids))):
        raise InputError(f"`{attribute}` must number its names 0 .. {len(ids) - 1}; build the factory anew.")
    return name_column(sorted(ids, key=ids.__getitem__))


def is_hetero_data(source: Any) -> bool:
    """Whether the object is a ``HeteroData`` of PyG."""
    return hasattr(source, "edge_types") and hasattr(source, "node_types")


def from_hetero_data(data: Any, name: str) -> KnowledgeGraph:
    """The knowledge graph of a ``HeteroData``: relations are its edge types, entity types its node types.

    Nodes are called ``type:index``, or by their index if there is only one type.
    """
    edges = {edge_type: _edge_index(data, edge_type) for edge_type in data.edge_types}
    if not any(edge_index.size for edge_index in edges.values()):
        raise InputError("the PyG data has no edges; a graph needs at least one.")
    counts, notes = _node_counts(data, edges)
    repeated = {relation for relation, times in Counter(relation for _, relation, _ in edges).items() if times > 1}
    heads, relations, tails = [], [], []
    for (source, relation, target), edge_index in edges.items():
        heads.append(_node_names(source, edge_index[0], counts))
        tails.append(_node_names(target, edge_index[1], counts))
        text = f"{source} {relation} {target}" if relation in repeated else relation
        relations.append(pa.array([text] * edge_index.shape[1], pa.string()))
    nodes = pa.concat_arrays([_node_names(kind, np.arange(count), counts) for kind, count in counts.items()])
    columns = (pa.chunked_array(column) for column in (heads, relations, tails))
    graph = build_knowledge_graph(*columns, nodes=nodes, name=name, form="PyG heterogeneous data")
    place = graph.ids.find(nodes)  # the index of each node, in the order of the types
    features = _hetero_features(data, list(counts), place, notes)
    ignored = {str(key) for store in data.stores for key in store} - {"edge_index", "x", "num_nodes"}
    notes += [f"ignored {', '.join(sorted(ignored))}"] if ignored else []
    assert graph.intake is not None
    intake = replace(graph.intake, notes=tuple(notes))
    return replace(graph, features=features, types=_node_types(counts, place), intake=intake)


def _edge_index(data: Any, edge_type: tuple[str, str, str]) -> IntArray:
    tensor = getattr(data[edge_type], "edge_index", None)
    shape = tuple(getattr(tensor, "shape", ()))
    if tensor is None or len(shape) != 2 or shape[0] != 2:
        raise InputError(f"the edge type {edge_type} has no `edge_index` of shape (2, num_edges); add it.")
    return tensor.cpu().numpy()


def _node_counts(data: Any, edges: dict[tuple[str, str, str], IntArray]) -> tuple[dict[str, int], list[str]]:
    """The number of nodes of each type, and notes on those that only the edges say."""
    seen: dict[str, int] = dict.fromkeys(data.node_types, 0)
    for (source, _, target), edge_index in edges.items():
        for kind, nodes in ((source, edge_index[0]), (target, edge_index[1])):
            if nodes.min(initial=0) < 0:
                raise InputError(f"an edge names the node {nodes.min()} of type {kind!r}; nodes count from 0.")
            seen[kind] = max(seen.get(kind, 0), int(nodes.max(initial=-1)) + 1)
    counts, notes = {}, []
    for kind, count in seen.items():
        known = None
        if kind in data.node_types:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that the number cannot be inferred
                known = data[kind].num_nodes
        if known is None:
            notes.append(f"number of nodes of type {kind!r} taken from the edges: {count:,}")
        elif count > known:
            raise InputError(
                f"an edge names the node {count - 1} of type {kind!r}, which has {known}; fix `num_nodes`."
            )
        counts[kind] = count if known is None else int(known)
    return counts, notes


def _node_types(counts: dict[str, int], place: IntArray) -> EntityTypes | None:
    """The node types as types of the entities; None if there is only one."""
    if len(counts) == 1:
        return None
    kinds = sorted(counts)
    types = np.repeat([kinds.index(kind) for kind in counts], list(counts.values()))
    return EntityTypes.from_pairs(place, types, len(place), NodeIds(pa.array(kinds, pa.string()), kind="type"))


def _node_names(kind: str, nodes: IntArray, counts: dict[str, int]) -> pa.Array:
    if len(counts) == 1:
        return pa.array(nodes.astype(np.int64))
    return pa.array([f"{kind}:{node}" for node in nodes.tolist()], pa.string())


def _hetero_features(data: Any, kinds: list[str], place: IntArray, notes: list[str]) -> Features | None:
    """The features of all nodes in their order, if all types have features of one width."""
    found: list[Any] = [getattr(data[kind], "x", None) if kind in data.node_types else None for kind in kinds]
    widths = {None if x is None else tuple(x.shape[1:]) for x in found}
    if widths == {None}:
        return None
    if len(widths) > 1:
        notes.append("features not used, because the node types have different ones")
        return None
    parts = [checked_features(x.detach().cpu().float().numpy()) for x in found]
    features = np.empty((len(place), parts[0].shape[1]), dtype=np.float32)
    features[place] = np.concatenate(parts)
    return features


def are_named_triples(array: np.ndarray) -> bool:
    """Whether an array holds triples by name: three columns, of which the second holds texts."""
    if array.ndim != 2 or array.shape[1] != 3 or len(array) == 0 or array.dtype.kind not in "UO":
        return False
    is_text = all(isinstance(name, str) for name in array[:, 1].tolist())
    return is_text and all(isinstance(name, str | int) for column in (0, 2) for name in array[:, column].tolist())


def from_named_triples(array: np.ndarray, name: str) -> KnowledgeGraph:
    """The knowledge graph of an array of triples by name, shape ``(num_triples, 3)``."""
    head, relation, tail = (name_column(array[:, column].tolist()) for column in range(3))
    return build_knowledge_graph(head, relation, tail, name=name, form="list of triples")
