"""Reads the types of entities from a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from linkwl.errors import InputError
from linkwl.graph.entity_types import EntityTypes
from linkwl.graph.name_maps import map_relations
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.node_texts import read_node_texts


def read_types(path: Path, ids: NodeIds) -> EntityTypes:
    """The types of the entities ``ids``.

    A text or Parquet table has a column of entities (``entity``, ``node``, ``id``, else the first) and one of types
    (``type``, else the only other one). An entity may have several rows, each with one of its types, or none.

    Raises:
        InputError: If the file cannot be read, a type is empty, or an entity is not in the graph.
    """
    nodes, texts, lines = read_node_texts(path, ids, "type")
    entity = ids.find(nodes)
    if entity.min() < 0:
        unknown = np.flatnonzero(entity < 0)
        row = int(unknown[0])
        raise InputError(
            f"{len(unknown)} of {len(entity)} rows are of entities that are not in the graph, the first of "
            f"{nodes[row].as_py()!r}; remove them.",
            path=path,
            line=lines[row] if lines else None,
        )
    (types,), names = map_relations([texts], path)
    return EntityTypes.from_pairs(entity, types, len(ids), NodeIds(names.to_arrow(), kind="type"))
