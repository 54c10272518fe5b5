"""Queries by index: checks of the rows of node pairs or triples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwl.typing import IntArray, Pairs, Queries


def checked_pairs(pairs: Pairs | Sequence[Sequence[int]]) -> Pairs:
    """Pairs of integers, as an array of shape ``(num_pairs, 2)``.

    Raises:
        ValueError: If they have another shape, or are not integers.
    """
    return _checked(pairs, 2, "pairs", "an edge index of shape (2, num_edges) can be passed as `edge_index.T`")


def checked_triples(triples: Queries | Sequence[Sequence[int]]) -> Queries:
    """Triples of integers (head, relation, tail), as an array of shape ``(num_triples, 3)``.

    Raises:
        ValueError: If they have another shape, or are not integers.
    """
    return _checked(triples, 3, "triples", "each row is a head, a relation and a tail")


def check_nodes(pairs: Pairs, num_nodes: int) -> Pairs:
    """Checks that the pairs are nodes 0 .. num_nodes - 1; returns them as int32.

    Raises:
        ValueError: If one of the nodes does not exist.
    """
    if len(pairs) and not 0 <= pairs.min() <= pairs.max() < num_nodes:
        raise ValueError(
            f"`pairs` must name nodes 0 .. {num_nodes - 1} of the graph, got {pairs.min()} .. {pairs.max()}."
        )
    return np.ascontiguousarray(pairs, dtype=np.int32)


def native(array: IntArray) -> IntArray:
    """The array in this machine's byte order, as the kernels require."""
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _checked(rows: IntArray | Sequence[Sequence[int]], width: int, name: str, remedy: str) -> IntArray:
    array = np.asarray(rows)
    if array.size == 0:
        return np.empty((0, width), dtype=np.int32)
    if array.ndim != 2 or array.shape[1] != width:
        raise ValueError(f"`{name}` must have shape (num_{name}, {width}), got {array.shape}; {remedy}.")
    if array.dtype.kind not in "iu":
        raise ValueError(
            f"`{name}` must hold whole numbers, got {array.dtype}; find nodes by name with `graph.ids.indices(names)`."
        )
    return native(array)
