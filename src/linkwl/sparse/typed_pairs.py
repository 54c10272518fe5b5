"""Pairs of nodes and the relations between them, from triples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwl.sparse.rows import starts
from linkwl.typing import IntArray, Pairs, Queries


@dataclass(frozen=True, eq=False)
class TypedPairs:
    """Distinct pairs of nodes and, in compressed rows, the relations between them.

    With R relations there are 2R columns: column r of the pair (p, q) is the fact (p, r, q), and column R + r the fact
    (q, r, p). So the reversed pair has the two halves swapped. A pair (p, p) has a fact in both halves.

    Example:
        >>> pairs = unordered_pairs(np.array([(0, 0, 1), (1, 2, 0), (2, 1, 0)]), num_nodes=3, num_relations=3)
        >>> pairs.pairs.tolist(), pairs.rowptr.tolist(), pairs.col.tolist()
        ([[0, 1], [0, 2]], [0, 2, 3], [0, 5, 4])
    """

    pairs: Pairs
    """The pairs in ascending order; int64, shape ``(num_pairs, 2)``."""
    rowptr: IntArray
    """The columns of pair i are ``col[rowptr[i] : rowptr[i + 1]]``, ascending."""
    col: IntArray
    num_nodes: int
    num_relations: int

    @property
    def num_columns(self) -> int:
        """Twice the number of relations."""
        return 2 * self.num_relations

    @cached_property
    def _keys(self) -> IntArray:
        """An ascending number for every pair."""
        return self.pairs[:, 0] * self.num_nodes + self.pairs[:, 1]

    def find(self, pairs: Pairs) -> IntArray:
        """The position of each pair, -1 if it is not among them; int64."""
        own, wanted = self._keys, np.asarray(pairs, dtype=np.int64) @ np.array([self.num_nodes, 1])
        if len(own) == 0:
            return np.full(len(wanted), -1)
        place = np.minimum(np.searchsorted(own, wanted), len(own) - 1)
        return np.where(own[place] == wanted, place, -1)


def unordered_pairs(
    triples: Queries, num_nodes: int, num_relations: int, *, also: Pairs | None = None, loops: bool = False
) -> TypedPairs:
    """The pairs that some triple joins, each once, with the smaller node first.

    Args:
        triples: Facts, shape ``(num_triples, 3)``.
        num_nodes: Number of nodes.
        num_relations: Number of relations.
        also: Further pairs, with or without facts.
        loops: Whether to add the pair (p, p) of every node.
    """
    head, relation, tail = np.asarray(triples, dtype=np.int64).reshape(-1, 3).T
    is_ahead, is_back = head <= tail, tail <= head  # both for a triple (p, r, p)
    keys = [(head * num_nodes + tail)[is_ahead], (tail * num_nodes + head)[is_back]]
    columns = [relation[is_ahead], num_relations + relation[is_back]]
    more = None if also is None else np.sort(np.asarray(also, dtype=np.int64), axis=1)
    return _collect(keys, columns, more, loops, num_nodes, num_relations)


def ordered_pairs(
    triples: Queries, num_nodes: int, num_relations: int, *, also: Pairs | None = None, loops: bool = False
) -> TypedPairs:
    """The pairs that some triple joins, each in both orders; the arguments are those of :func:`unordered_pairs`."""
    head, relation, tail = np.asarray(triples, dtype=np.int64).reshape(-1, 3).T
    keys = [head * num_nodes + tail, tail * num_nodes + head]
    more = None if also is None else np.concatenate([also, np.asarray(also)[:, ::-1]]).astype(np.int64)
    return _collect(keys, [relation, num_relations + relation], more, loops, num_nodes, num_relations)


def _collect(
    keys: Sequence[IntArray],
    columns: Sequence[IntArray],
    more: Pairs | None,
    loops: bool,
    num_nodes: int,
    num_relations: int,
) -> TypedPairs:
    """The distinct pairs, and the distinct columns of each."""
    found = np.concatenate(keys)
    others = [] if more is None else [more[:, 0] * num_nodes + more[:, 1]]
    if loops:
        others.append(np.arange(num_nodes, dtype=np.int64) * (num_nodes + 1))
    distinct = np.unique(np.concatenate([found, *others]))
    entries = np.unique(np.searchsorted(distinct, found) * 2 * num_relations + np.concatenate(columns))
    row, col = np.divmod(entries, max(2 * num_relations, 1))
    rowptr = starts(np.bincount(row, minlength=len(distinct)))
    pairs = np.stack(np.divmod(distinct, max(num_nodes, 1)), axis=1)
    return TypedPairs(pairs, rowptr, col.astype(np.int32), num_nodes, num_relations)
