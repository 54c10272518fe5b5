"""Queries by the names of nodes and relations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from linkwl.errors import InputError, UnknownNameError
from linkwl.graph import Graph, Observed
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.sided_ids import SidedIds
from linkwl.typing import IntArray, Queries


def find_queries(observed: Observed, queries: Any) -> Queries:
    """Queries by name as queries by index.

    Args:
        observed: The graph.
        queries: Two names each, or three for a knowledge graph.

    Raises:
        InputError: If they have another shape, or a name is unknown.
    """
    columns = observed.query_columns
    names = np.asarray(queries)
    if names.dtype.kind in "uf":  # beyond what fits in 64 bits names are texts, and among such numbers others too
        names = np.asarray(queries, dtype=object)
    if names.size == 0:
        return np.empty((0, len(columns)), dtype=np.int32)
    if names.ndim != 2 or names.shape[1] != len(columns):
        raise InputError(f"{observed.task} must have shape (num_{observed.task}, {len(columns)}), got {names.shape}.")
    if isinstance(observed.ids, SidedIds):
        names = _left_first(observed.ids, names)
    found = [_find(ids, names[:, j], kind) for j, (kind, ids) in enumerate(columns.items())]
    return np.stack(found, axis=1).astype(np.int32)


def source_first(observed: Observed, queries: Queries) -> Queries:
    """Queries as they are shown: the first side of a bipartite graph is the source."""
    if isinstance(observed, Graph) and observed.part is not None:
        return np.where(observed.part[queries[:, :1]] == 0, queries, queries[:, ::-1])
    return queries


def _left_first(ids: SidedIds, names: Any) -> Any:
    """Pairs across two sides with the left name first and without marks, if it is clear which is which.

    Raises:
        InputError: If both names are on one side.
        UnknownNameError: If a name is on neither.
    """
    left, right = (side.find(_texts(names[:, j])) for j, side in enumerate((ids.left, ids.right)))
    turned = np.flatnonzero((left < 0) | (right < 0))
    names = names.astype(object) if len(turned) else names
    for row in turned.tolist():
        (first, of_first), (second, of_second) = (_on_sides(ids, str(name)) for name in names[row])
        if (of_first, of_second) == (["right"], ["left"]):
            first, second = second, first
        elif of_first == of_second and len(of_first) == 1:
            raise InputError(f"{first!r} and {second!r} are both on the {of_first[0]}; a pair has one of each side.")
        names[row] = first, second
    return names


def _on_sides(ids: SidedIds, name: str) -> tuple[str, list[str]]:
    """A name without the mark of its side, and the sides that have it."""
    sides = {"left": ids.left, "right": ids.right}
    plain = [side for side, its in sides.items() if its.find(pa.array([name]))[0] >= 0]
    if plain:
        return name, plain
    side, _, rest = name.partition(":")
    if side in sides and sides[side].find(pa.array([rest]))[0] >= 0:
        return rest, [side]
    raise UnknownNameError("node", name, ids.around(name))


def _texts(names: Any) -> pa.Array:
    if names.dtype.kind == "i":
        return pa.array(names.astype(np.int64))
    return pa.array([str(name) for name in names], type=pa.string())


def _find(ids: NodeIds, names: Any, kind: str) -> IntArray:
    found = ids.find(_texts(names))
    if found.min() < 0:
        name = str(names[int(np.argmin(found))])
        raise UnknownNameError("relation" if kind == "relation" else "node", name, ids.around(name))
    return found
