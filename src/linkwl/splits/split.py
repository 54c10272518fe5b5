"""A split: three folds, each with the edges a model may see and the targets it must judge."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwl.graph import Graph
from linkwl.typing import Pairs

FOLDS = ("train", "valid", "test")


@dataclass(frozen=True, eq=False)
class Fold:
    """What belongs together in training, validation or test."""

    observed: Graph
    """Edges that may carry messages. In the train fold they contain its positives: a batch takes its own out."""
    positives: Pairs
    """Targets that are links, shape ``(num_positives, 2)``."""
    negatives: Pairs
    """Targets that are not, shape ``(num_negatives, 2)``."""


@dataclass(frozen=True, eq=False)
class Split:
    """Three folds of one graph under a named protocol."""

    train: Fold
    valid: Fold
    test: Fold
    protocol: str
    seed: int | None = None
    """What the split was drawn with; none if it was read from files."""

    @property
    def folds(self) -> dict[str, Fold]:
        """The folds by name, in order."""
        return {name: getattr(self, name) for name in FOLDS}

    @cached_property
    def reserved(self) -> Graph:
        """Every pair that a training negative must avoid, without its label.

        These are the train edges and all validation and test targets, positives and negatives alike: nothing about the
        label of a held-out pair can be read off what is not drawn.
        """
        held_out = [pairs for fold in (self.valid, self.test) for pairs in (fold.positives, fold.negatives)]
        observed = self.train.observed
        return Graph.from_pairs(
            np.concatenate([observed.edges, self.train.positives, *held_out]),
            observed.num_nodes,
            is_directed=observed.is_directed,
            name=observed.name,
        )

    @cached_property
    def digest(self) -> str:
        """SHA-256 of every fold's observed edges and targets."""
        digest = hashlib.sha256(f"linkwl split 1 {self.protocol} ".encode())
        for fold in self.folds.values():
            digest.update(fold.observed.digest.encode())
            for pairs in (fold.positives, fold.negatives):
                digest.update(str(len(pairs)).encode())
                digest.update(np.ascontiguousarray(pairs, dtype=np.int32).data)
        return digest.hexdigest()
