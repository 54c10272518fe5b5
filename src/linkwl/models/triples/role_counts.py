"""Roles of entities: how often each is head and tail of each relation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwl.ranges import range_entries
from linkwl.sparse.rows import starts
from linkwl.typing import BoolArray, FloatArray, IntArray, Pairs, Queries

NUM_FEATURES = 8


@dataclass(frozen=True, eq=False)
class RoleCounts:
    """Counts in compressed rows of 2R columns: column r of entity v for the facts (v, r, .), R + r for (., r, v)."""

    rowptr: IntArray
    col: IntArray
    count: IntArray
    num_relations: int

    @classmethod
    def of(cls, triples: Queries, num_nodes: int, num_relations: int) -> RoleCounts:
        """The roles in some facts."""
        head, relation, tail = np.asarray(triples, dtype=np.int64).reshape(-1, 3).T
        width = 2 * num_relations
        keys, count = np.unique(
            np.concatenate([head * width + relation, tail * width + num_relations + relation]), return_counts=True
        )
        row, col = np.divmod(keys, max(width, 1))
        return cls(starts(np.bincount(row, minlength=num_nodes)), col.astype(np.int32), count, num_relations)

    @cached_property
    def _keys(self) -> IntArray:
        """An ascending number for every entry."""
        entity = np.repeat(np.arange(len(self.rowptr) - 1), np.diff(self.rowptr))
        return entity * 2 * self.num_relations + self.col

    def at(self, entities: IntArray, columns: IntArray) -> IntArray:
        """The counts of entities in given columns."""
        width = 2 * self.num_relations
        keys = self._keys
        wanted = entities.astype(np.int64) * width + columns
        if len(keys) == 0:
            return np.zeros(len(wanted), dtype=np.int64)
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[place] == wanted, self.count[place], 0)

    def dense(self, entities: IntArray) -> IntArray:
        """All counts of some entities, shape ``(num_entities, 2R)``."""
        row, entry = range_entries(self.rowptr[entities], self.rowptr[entities + 1])
        out = np.zeros((len(entities), 2 * self.num_relations), dtype=np.int64)
        out[row, self.col[entry]] = self.count[entry]
        return out

    def features(self, queries: Queries) -> FloatArray:
        """What can be said of a triple without naming its relation: the roles of its two ends in that relation.

        Counts on a logarithmic scale and whether they are positive, of the head as head and the tail as tail; counts of
        the head as tail and the tail as head; both roles at once; whether both ends are one entity.

        Shape:
            - output: ``(num_queries, NUM_FEATURES)``
        """
        head, relation, tail = queries.astype(np.int64).T
        back = self.num_relations + relation
        pairs = ((head, relation), (tail, back), (head, back), (tail, relation))
        return _features(*(self.at(entity, column) for entity, column in pairs), is_loop=head == tail)

    def relation_features(self, pairs: Pairs) -> FloatArray:
        """The same for every relation of pairs, shape ``(num_pairs, R, NUM_FEATURES)``."""
        head, tail = (self.dense(pairs[:, k]) for k in (0, 1))
        r = self.num_relations
        is_loop = np.broadcast_to((pairs[:, 0] == pairs[:, 1])[:, None], (len(pairs), r))
        return _features(head[:, :r], tail[:, r:], head[:, r:], tail[:, :r], is_loop=is_loop)


def _features(
    head: IntArray, tail: IntArray, head_back: IntArray, tail_back: IntArray, *, is_loop: BoolArray
) -> FloatArray:
    has_head, has_tail = head > 0, tail > 0
    columns = (
        np.log1p(head),
        np.log1p(tail),
        has_head,
        has_tail,
        np.log1p(head_back),
        np.log1p(tail_back),
        has_head & has_tail,
        is_loop,
    )
    return np.stack(columns, axis=-1).astype(np.float32)
