"""Folds: the graph that a model may see, and the targets it must score."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from linkwl.graph import Graph, Observed
from linkwl.graph.among import among_nodes
from linkwl.ranges import range_entries
from linkwl.typing import IntArray, Queries

FOLDS = ("train", "valid", "test")


@dataclass(frozen=True, eq=False)
class OtherRelations:
    """For each positive, triples that differ from it in the relation alone and are not known to hold."""

    queries: Queries
    offsets: IntArray
    """Row offsets: those of positive i are ``queries[offsets[i] : offsets[i + 1]]``; a positive may have none."""

    def take(self, positives: IntArray) -> OtherRelations:
        """Those of some of the positives."""
        return OtherRelations(*_lists(self.queries, self.offsets, positives))


@dataclass(frozen=True, eq=False)
class Targets:
    """Queries whose answers are held out; pairs or triples.

    Example:
        >>> import numpy as np
        >>> targets = Targets(positives=np.array([[0, 1]]), negatives=np.array([[0, 2], [1, 3]]))
        >>> targets.queries.tolist()  # the order in which models score them
        [[0, 1], [0, 2], [1, 3]]
    """

    positives: Queries
    """Targets that hold, shape ``(num_positives, 2)`` or ``(num_positives, 3)``."""
    negatives: Queries
    """Targets that do not hold."""
    candidates: IntArray | None = None
    """Row offsets into the negatives, if each positive has its own list; None for one pool."""
    pools: IntArray | None = None
    """Row offsets into the negatives, if they are several pools: each is compared with all positives, and metrics are
    averaged over the pools."""
    relations: OtherRelations | None = None
    """The other relations that the relation of each positive is ranked among; only for triples."""

    def __post_init__(self) -> None:
        offsets = self.candidates
        if offsets is not None and (len(offsets) != len(self.positives) + 1 or offsets[-1] != len(self.negatives)):
            raise ValueError(
                f"`candidates` must divide the {len(self.negatives)} negatives into {len(self.positives)} lists."
            )
        pools = self.pools
        if pools is not None and (offsets is not None or not _are_offsets(pools, len(self.negatives))):
            raise ValueError(
                f"`pools` must divide the {len(self.negatives)} negatives, which have no lists, into parts."
            )
        others = self.relations
        if others is not None and (
            len(others.offsets) != len(self.positives) + 1 or others.offsets[-1] != len(others.queries)
        ):
            raise ValueError(
                f"`relations` must divide its {len(others.queries)} queries into {len(self.positives)} lists."
            )

    @property
    def has_lists(self) -> bool:
        """Whether each positive is ranked in a list of its own corruptions."""
        return self.candidates is not None or self.relations is not None

    @property
    def queries(self) -> Queries:
        """Positives, then negatives, then the queries with other relations."""
        others = () if self.relations is None else (self.relations.queries,)
        return np.concatenate([self.positives, self.negatives, *others])

    def sample(self, most: int, generator: np.random.Generator) -> Targets:
        """About ``most`` of the queries, sampled by positives and, in pools, by negatives; all if they are fewer."""
        num_others = 0 if self.relations is None else len(self.relations.queries)
        share = most / max(len(self.positives) + len(self.negatives) + num_others, 1)
        if share >= 1:
            return self
        chosen = _some(len(self.positives), share, generator)
        relations = None if self.relations is None else self.relations.take(chosen)
        if self.candidates is not None:
            negatives, candidates = _lists(self.negatives, self.candidates, chosen)
            return Targets(self.positives[chosen], negatives, candidates, relations=relations)
        if self.pools is None:
            rows = _some(len(self.negatives), share, generator)
            return Targets(self.positives[chosen], self.negatives[rows], relations=relations)
        sizes = np.diff(self.pools)
        parts = [start + _some(size, share, generator) for start, size in zip(self.pools[:-1], sizes, strict=True)]
        pools = np.concatenate([[0], np.cumsum([len(part) for part in parts])])
        return Targets(self.positives[chosen], self.negatives[np.concatenate(parts)], None, pools, relations)

    def update_digest(self, digest: Any) -> None:
        """Adds the targets to a running SHA-256."""
        for queries in (self.positives, self.negatives):
            digest.update(str(len(queries)).encode())
            digest.update(np.ascontiguousarray(queries, dtype=np.int32).data)
        others = self.relations
        for name, offsets in (
            ("lists", self.candidates),
            ("pools", self.pools),
            ("relations", None if others is None else others.offsets),
        ):
            if offsets is not None:
                digest.update(name.encode())
                digest.update(np.ascontiguousarray(offsets, dtype=np.int64).data)
        if others is not None:
            digest.update(np.ascontiguousarray(others.queries, dtype=np.int32).data)


@dataclass(frozen=True, eq=False)
class Fold:
    """The observed graph and the targets of training, validation or test.

    Example:
        >>> import linkwl
        >>> graph = linkwl.load_dataset("airports")
        >>> test = linkwl.RandomSplit().apply(graph, seed=0).test
        >>> test.observed.num_edges, len(test.positives), len(test.negatives)
        (2716, 301, 301)
        >>> bool(test.observed.contains(test.positives).any())  # no target is observed
        False
    """

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
    """Three folds of one graph under a named protocol.

    Example:
        >>> import linkwl
        >>> split = linkwl.PROTOCOLS["paper"].apply(linkwl.load_dataset("airports"), seed=0)
        >>> {name: len(fold.positives) for name, fold in split.folds.items()}
        {'train': 2566, 'valid': 150, 'test': 301}
    """

    train: Fold
    valid: Fold
    test: Fold
    protocol: str
    seed: int | None = None
    """The seed of the split; None if it was read from files."""
    is_inductive: bool = False
    """Whether the test fold is about other nodes: its indices are those of its own observed graph."""
    is_in_time: bool = False
    """Whether the observed graphs are those of earlier times, so that some nodes have not appeared yet."""
    rejected: Queries | None = None
    """Train negatives that a user has rejected; see :func:`linkwl.splits.decided.decided`."""

    @property
    def folds(self) -> dict[str, Fold]:
        """The folds by name, in order."""
        return {name: getattr(self, name) for name in FOLDS}

    @cached_property
    def reserved(self) -> Observed:
        """Every query that a training negative must avoid, without its label.

        These are the train edges and all validation and test targets, both positives and negatives: the negatives that
        are not drawn reveal nothing about the label of a held-out query. Targets in lists do not count, because the
        corruptions of a positive surround it and would give it away; a held-out positive may then be drawn as a
        negative, as a missing link may be in practice. If the test is about other nodes, its targets do not count
        either, and those of validation do: they decide about selection only. If the folds follow each other in time,
        only pairs of nodes that have train edges are left to draw.
        """
        folds = (self.valid,) if self.is_inductive else (self.valid, self.test)
        held_out = [fold.targets.queries for fold in folds if self.is_inductive or not fold.targets.has_lists]
        observed = self.train.observed
        reserved = observed.reserve(np.concatenate([self.train.positives, *held_out]))
        if not self.is_in_time:
            return reserved
        assert isinstance(reserved, Graph)
        return among_nodes(reserved, np.unique(observed.facts))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of every fold's observed graph and targets."""
        digest = hashlib.sha256(f"linkwl split 1 {self.protocol} ".encode())
        for fold in self.folds.values():
            digest.update(fold.observed.digest.encode())
            fold.targets.update_digest(digest)
        if self.rejected is not None:
            digest.update(b"rejected")
            digest.update(np.ascontiguousarray(self.rejected, dtype=np.int32).data)
        return digest.hexdigest()


def _some(count: int, share: float, generator: np.random.Generator) -> IntArray:
    """A random share of the numbers below ``count``, at least one, ascending."""
    return np.sort(generator.permutation(count)[: max(1, int(share * count))])


def _lists(queries: Queries, offsets: IntArray, chosen: IntArray) -> tuple[Queries, IntArray]:
    """The rows of some of the lists, and their row offsets."""
    starts, stops = offsets[chosen], offsets[chosen + 1]
    _, rows = range_entries(starts, stops)
    return queries[rows], np.concatenate([[0], np.cumsum(stops - starts)])


def _are_offsets(offsets: IntArray, total: int) -> bool:
    """Whether they divide ``total`` rows into parts, none of them empty."""
    return len(offsets) > 1 and offsets[0] == 0 and offsets[-1] == total and bool((np.diff(offsets) > 0).all())
