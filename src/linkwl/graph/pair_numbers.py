"""Numbers that are known about some pairs of nodes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwl.typing import BoolArray, FloatArray, IntArray, Pairs


@dataclass(frozen=True, eq=False)
class PairNumbers:
    """Numbers of the listed pairs, in their order; (p, q) and (q, p) are two pairs."""

    names: tuple[str, ...]
    pairs: Pairs
    """Distinct pairs in ascending order; int32, shape ``(num_pairs, 2)``."""
    values: FloatArray
    """One row per pair; float64."""

    def __post_init__(self) -> None:
        for array in (self.pairs, self.values):
            array.setflags(write=False)

    @cached_property
    def _keys(self) -> IntArray:
        return _key(self.pairs)

    def at(self, pairs: Pairs) -> tuple[FloatArray, BoolArray]:
        """The numbers of pairs, 0 where a pair is not listed, and whether it is."""
        key = _key(pairs)
        place = np.minimum(np.searchsorted(self._keys, key), max(len(self._keys) - 1, 0))
        if len(self._keys) == 0:
            return np.zeros((len(pairs), len(self.names))), np.zeros(len(pairs), dtype=np.bool_)
        is_listed = self._keys[place] == key
        return np.where(is_listed[:, None], self.values[place], 0.0), is_listed

    def take(self, rows: IntArray) -> PairNumbers:
        """The numbers of the pairs of the nodes ``rows``, which are distinct or -1, by their new places."""
        known = np.flatnonzero(rows >= 0)
        place = np.full(max(int(self.pairs.max(initial=-1)), int(rows.max(initial=-1))) + 1, -1, dtype=np.int32)
        place[rows[known]] = known
        pairs = place[self.pairs]
        kept = np.flatnonzero((pairs >= 0).all(axis=1))
        order = kept[np.argsort(_key(pairs[kept]), kind="stable")]
        return PairNumbers(self.names, pairs[order], self.values[order])


def _key(pairs: Pairs) -> IntArray:
    """Pairs as integers in their ascending order."""
    return (pairs[:, 0].astype(np.int64) << 32) | pairs[:, 1].astype(np.int64)
