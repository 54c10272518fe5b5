"""Queries by the names of nodes and relations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from linkwl.errors import InputError, UnknownNameError
from linkwl.graph import Graph, Observed
from linkwl.graph.node_ids import NodeIds
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
    found = [_find(ids, names[:, j], kind) for j, (kind, ids) in enumerate(columns.items())]
    return np.stack(found, axis=1).astype(np.int32)


def source_first(observed: Observed, queries: Queries) -> Queries:
    """Queries as they are shown: the first side of a bipartite graph is the source."""
    if isinstance(observed, Graph) and observed.part is not None:
        return np.where(observed.part[queries[:, :1]] == 0, queries, queries[:, ::-1])
    return queries


def _find(ids: NodeIds, names: Any, kind: str) -> IntArray:
    if names.dtype.kind == "i":
        found = ids.find(pa.array(names.astype(np.int64)))
    else:
        found = ids.find(pa.array([str(name) for name in names], type=pa.string()))
    if found.min() < 0:
        name = str(names[int(np.argmin(found))])
        raise UnknownNameError("relation" if kind == "relation" else "node", name, ids.around(name))
    return found
