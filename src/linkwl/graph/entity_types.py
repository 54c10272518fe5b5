"""The types of entities: person, city, company, ..."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwl.graph.node_ids import NodeId, NodeIds
from linkwl.typing import IntArray


@dataclass(frozen=True, eq=False, repr=False)
class EntityTypes:
    """The types of every entity, in compressed rows; an entity may have none, one or several.

    Build one with :meth:`from_pairs`.

    Example:
        >>> types = EntityTypes.from_pairs([0, 2, 2, 0], [1, 0, 1, 1], 3, NodeIds(2))
        >>> types
        EntityTypes(2 types of 2 among 3 entities)
        >>> types.of(2)
        [0, 1]
    """

    names: NodeIds
    """The names of the types."""
    ptr: IntArray
    """The types of entity v are ``col[ptr[v] : ptr[v + 1]]``; int64, shape ``(num_nodes + 1,)``."""
    col: IntArray
    """Indices of types, ascending for each entity; int32."""

    def __post_init__(self) -> None:
        ptr, col = self.ptr, self.col
        if ptr.dtype != np.int64 or ptr.ndim != 1 or len(ptr) == 0 or ptr[0] != 0 or (np.diff(ptr) < 0).any():
            raise ValueError("`ptr` must be an int64 array that starts with 0 and does not descend.")
        if col.dtype != np.int32 or col.shape != (ptr[-1],):
            raise ValueError(f"`col` must be an int32 array of length {ptr[-1]}, got {col.dtype} {col.shape}.")
        if len(col) and not 0 <= col.min() <= col.max() < len(self.names):
            raise ValueError(f"`col` must hold types 0 .. {len(self.names) - 1}, got {col.min()} .. {col.max()}.")
        is_first = np.zeros(len(col) + 1, dtype=np.bool_)
        is_first[ptr] = True
        if not (is_first[1:-1] | (np.diff(col) > 0)).all():
            raise ValueError("`col` must ascend for each entity.")
        ptr.setflags(write=False)
        col.setflags(write=False)

    @classmethod
    def from_pairs(
        cls, entities: IntArray | Sequence[int], types: IntArray | Sequence[int], num_nodes: int, names: NodeIds
    ) -> EntityTypes:
        """Types from pairs of an entity and one of its types, by index; duplicates are merged.

        Args:
            entities: Indices of entities.
            types: The index of a type for each.
            num_nodes: Number of entities, including those without a type.
            names: The names of the types.

        Raises:
            ValueError: If there is no such entity or type.
        """
        rows, kinds = np.asarray(entities, dtype=np.int64), np.asarray(types, dtype=np.int64)
        for what, values, count in (("entities", rows, num_nodes), ("types", kinds, len(names))):
            if values.shape != rows.shape or (len(values) and not 0 <= values.min() <= values.max() < count):
                raise ValueError(f"`{what}` must hold as many indices as `entities`, each of 0 .. {count - 1}.")
        num_types = max(len(names), 1)
        row, col = np.divmod(np.unique(rows * num_types + kinds), num_types)
        ptr = np.zeros(num_nodes + 1, dtype=np.int64)
        np.cumsum(np.bincount(row, minlength=num_nodes), out=ptr[1:])
        return cls(names, ptr, col.astype(np.int32))

    def take(self, nodes: IntArray) -> EntityTypes:
        """The types of some entities, in their order."""
        counts = self.ptr[nodes + 1] - self.ptr[nodes]
        owner = np.repeat(np.arange(len(nodes)), counts)
        entries = np.concatenate([np.arange(self.ptr[v], self.ptr[v + 1]) for v in nodes]) if len(nodes) else owner
        return EntityTypes.from_pairs(owner, self.col[entries.astype(np.int64)], len(nodes), self.names)

    @property
    def num_nodes(self) -> int:
        """Number of entities, including those without a type."""
        return len(self.ptr) - 1

    @property
    def num_typed(self) -> int:
        """Number of entities with at least one type."""
        return int(np.count_nonzero(np.diff(self.ptr)))

    @property
    def counts(self) -> IntArray:
        """Number of entities of each type."""
        return np.bincount(self.col, minlength=len(self.names))

    def of(self, node: int) -> list[NodeId]:
        """The names of the types of one entity."""
        return [self.names[int(k)] for k in self.col[self.ptr[node] : self.ptr[node + 1]]]

    def update_digest(self, digest: hashlib._Hash) -> None:
        """Feeds names and rows, unambiguously, into a running digest."""
        digest.update(f"types {len(self.names)} {len(self.col)} ".encode())
        self.names.update_digest(digest)
        digest.update(self.ptr.data)
        digest.update(self.col.data)

    def __repr__(self) -> str:
        return f"EntityTypes({len(self.names)} types of {self.num_typed} among {self.num_nodes} entities)"
