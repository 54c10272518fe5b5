"""Knowledge graphs from objects of other libraries: PyKEEN, PyG, tables, and lists of triples.

None of these libraries is imported: an object is recognised by its attributes.
"""

from __future__ import annotations

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
    return hasattr(source, "mapped_triples") and hasattr(source, "num_entities")


def from_triples_factory(source: Any, name: str) -> KnowledgeGraph:
    """The knowledge graph of a ``TriplesFactory``: its entities, its relations and its triples, without inverses."""
    triples = np.asarray(source.mapped_triples)
    if triples.ndim != 2 or triples.shape[1] != 3 or triples.dtype.kind not in "iu":
        raise InputError(f"`mapped_triples` must hold integers of shape (n, 3), got {triples.dtype} {triples.shape}.")
    entities = _labels(source, "entity_to_id", int(source.num_entities))
    relations = _labels(source, "relation_to_id", int(getattr(source, "real_num_relations", source.num_relations)))
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


def _labels(source: Any, attribute: str, count: int) -> pa.Array:
    """The names of entities or relations in order of their ids; 0, 1, ... if the factory has none."""
    ids = getattr(source, attribute, None)
    if ids is None:
        return pa.array(np.arange(count))
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
    kinds = list(data.node_types)
    counts = {kind: int(data[kind].num_nodes or 0) for kind in kinds}
    ends: list[list[pa.Array]] = [[], []]
    relations: list[pa.Array] = []
    repeated = {relation for relation, count in Counter(edge[1] for edge in data.edge_types).items() if count > 1}
    for source, relation, target in data.edge_types:
        edge_index = _edge_index(data, (source, relation, target), counts)
        for end, kind, nodes in zip(ends, (source, target), edge_index, strict=True):
            end.append(_node_names(kind, nodes, kinds))
        text = f"{source} {relation} {target}" if relation in repeated else relation
        relations.append(pa.array([text] * edge_index.shape[1], pa.string()))
    if not any(map(len, relations)):
        raise InputError("the PyG data has no edges; a graph needs at least one.")
    head, tail = (pa.chunked_array(end) for end in ends)
    every = [_node_names(kind, np.arange(count), kinds) for kind, count in counts.items()]
    nodes = pa.concat_arrays(every)
    graph = build_knowledge_graph(
        head, pa.chunked_array(relations), tail, nodes=nodes, name=name, form="PyG heterogeneous data"
    )
    place = graph.ids.find(nodes)  # the index of each node in the order of the types
    features, notes = _hetero_features(data, kinds, place)
    types = EntityTypes.from_pairs(
        place,
        np.repeat(np.argsort(np.argsort(kinds)), list(counts.values())),
        len(nodes),
        NodeIds(pa.array(sorted(kinds), pa.string()), kind="type"),
    )
    used = {"edge_index", "x", "num_nodes"}
    stores = [data[kind] for kind in (*kinds, *data.edge_types)]
    ignored = sorted({str(key) for store in stores for key in store} - used)
    notes += [f"ignored {', '.join(ignored)}"] if ignored else []
    assert graph.intake is not None
    intake = replace(graph.intake, notes=tuple(notes))
    return replace(graph, features=features, types=types if len(kinds) > 1 else None, intake=intake)


def _edge_index(data: Any, edge_type: tuple[str, str, str], counts: dict[str, int]) -> IntArray:
    tensor = getattr(data[edge_type], "edge_index", None)
    shape = tuple(getattr(tensor, "shape", ()))
    if tensor is None or len(shape) != 2 or shape[0] != 2:
        raise InputError(f"the edge type {edge_type} has no `edge_index` of shape (2, num_edges); add it.")
    edge_index = tensor.cpu().numpy()
    for kind, nodes in zip((edge_type[0], edge_type[2]), edge_index, strict=True):
        if len(nodes) and not 0 <= nodes.min() <= nodes.max() < counts.get(kind, 0):
            problem = f"the edge type {edge_type} names nodes beyond the {counts.get(kind, 0)} of type {kind!r}"
            raise InputError(f"{problem}; set its `num_nodes`.")
    return edge_index


def _node_names(kind: str, nodes: IntArray, kinds: list[str]) -> pa.Array:
    if len(kinds) == 1:
        return pa.array(nodes.astype(np.int64))
    return pa.array([f"{kind}:{node}" for node in nodes.tolist()], pa.string())


def _hetero_features(data: Any, kinds: list[str], place: IntArray) -> tuple[Features | None, list[str]]:
    """The features of all nodes in their order, if all types have features of one width."""
    found: list[Any] = [getattr(data[kind], "x", None) for kind in kinds]
    widths = {None if x is None else tuple(x.shape[1:]) for x in found}
    if widths == {None}:
        return None, []
    if len(widths) > 1:
        return None, ["features not used, because the node types have different ones"]
    parts = [checked_features(x.detach().cpu().float().numpy()) for x in found]
    features = np.empty((len(place), parts[0].shape[1]), dtype=np.float32)
    features[place] = np.concatenate(parts)
    return features, []


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
