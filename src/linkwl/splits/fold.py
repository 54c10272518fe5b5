"""Folds: the graph that a model may see, and the targets it must score."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from linkwl.graph import Observed
from linkwl.typing import IntArray, Queries

FOLDS = ("train", "valid", "test")


@dataclass(frozen=True, eq=False)
class Targets:
    """Queries whose answers are held out; pairs or triples."""

    positives: Queries
    """Targets that hold, shape ``(num_positives, 2)`` or ``(num_positives, 3)``."""
    negatives: Queries
    """Targets that do not hold."""
    candidates: IntArray | None = None
    """Row offsets into the negatives, if each positive has its own list; None for one pool."""

    def __post_init__(self) -> None:
        offsets = self.candidates
        if offsets is not None and (len(offsets) != len(self.positives) + 1 or offsets[-1] != len(self.negatives)):
            raise ValueError(
                f"`candidates` must divide the {len(self.negatives)} negatives into {len(self.positives)} lists."
            )

    @property
    def queries(self) -> Queries:
        """Positives, then negatives."""
        return np.concatenate([self.positives, self.negatives])

    def sample(self, most: int, generator: np.random.Generator) -> Targets:
        """About ``most`` of the queries, sampled by positives and, in one pool, by negatives; all if they are fewer."""
        share = most / max(len(self.positives) + len(self.negatives), 1)
        if share >= 1:
            return self
        chosen = _some(len(self.positives), share, generator)
        if self.candidates is None:
            return Targets(self.positives[chosen], self.negatives[_some(len(self.negatives), share, generator)])
        sizes = np.diff(self.candidates)[chosen]
        starts = self.candidates[chosen] - np.concatenate([[0], np.cumsum(sizes)[:-1]])
        rows = np.arange(sizes.sum()) + np.repeat(starts, sizes)
        return Targets(self.positives[chosen], self.negatives[rows], np.concatenate([[0], np.cumsum(sizes)]))

    def update_digest(self, digest: Any) -> None:
        """Adds the targets to a running SHA-256."""
        for queries in (self.positives, self.negatives):
            digest.update(str(len(queries)).encode())
            digest.update(np.ascontiguousarray(queries, dtype=np.int32).data)
        if self.candidates is not None:
            digest.update(b"lists")
            digest.update(np.ascontiguousarray(self.candidates, dtype=np.int64).data)


@dataclass(frozen=True, eq=False)
class Fold:
    """The observed graph and the targets of training, validation or test."""

    observed: Observed
    """The edges that may carry messages. In the train fold they include the positives: a batch removes its own."""
    targets: Targets

    @property
    def positives(self) -> Queries:
        """Targets that hold."""
        return self.targets.positives

    @property
    def negatives(self) -> Queries:
        """Targets that do not hold."""
        return self.targets.negatives

    @property
    def digest(self) -> str:
        """SHA-256 of the observed graph and the targets."""
        digest = hashlib.sha256(self.observed.digest.encode())
        self.targets.update_digest(digest)
        return digest.hexdigest()


@dataclass(frozen=True, eq=False)
class Split:
    """Three folds of one graph under a named protocol."""

    train: Fold
    valid: Fold
    test: Fold
    protocol: str
    seed: int | None = None
    """The seed of the split; None if it was read from files."""

    @property
    def folds(self) -> dict[str, Fold]:
        """The folds by name, in order."""
        return {name: getattr(self, name) for name in FOLDS}

    @cached_property
    def reserved(self) -> Observed:
        """Every query that a training negative must avoid, without its label.

        These are the train edges and all validation and test targets, both positives and negatives: the negatives that
        are not drawn reveal nothing about the label of a held-out query.
        """
        held_out = [fold.targets.queries for fold in (self.valid, self.test)]
        return self.train.observed.reserve(np.concatenate([self.train.positives, *held_out]))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of every fold's observed graph and targets."""
        digest = hashlib.sha256(f"linkwl split 1 {self.protocol} ".encode())
        for fold in self.folds.values():
            digest.update(fold.observed.digest.encode())
            fold.targets.update_digest(digest)
        return digest.hexdigest()


def _some(count: int, share: float, generator: np.random.Generator) -> IntArray:
    """A random share of the numbers below ``count``, at least one, ascending."""
    return np.sort(generator.permutation(count)[: max(1, int(share * count))])
