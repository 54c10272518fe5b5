"""The audit: does a split leak? Every check counts its offenders and names the first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from linkwl.graph import Graph
from linkwl.splits.split import Split
from linkwl.typing import BoolArray, IntArray, Pairs


@dataclass(frozen=True)
class Check:
    """One thing that must hold, and what breaks it."""

    name: str
    offenders: int
    example: tuple[str, str] | None
    """The first offending pair, by node names."""

    @property
    def passed(self) -> bool:
        """Whether nothing breaks it."""
        return self.offenders == 0


@dataclass(frozen=True)
class Audit:
    """What an audit found."""

    checks: tuple[Check, ...]
    counts: dict[str, dict[str, int]]
    """Per fold: observed edges, positives, negatives."""
    left_out: int
    """Edges of the graph that are in no fold: no leak, but worth knowing."""

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    def to_json(self) -> dict[str, Any]:
        """The audit as plain values."""
        checks = [asdict(check) | {"passed": check.passed} for check in self.checks]
        return {"passed": self.passed, "checks": checks, "counts": self.counts, "left_out": self.left_out}


def audit_split(split: Split, graph: Graph) -> Audit:
    """Looks for every way in which a split of ``graph`` could leak; pairs count the same either way round.

    Args:
        split: Folds drawn by us, or read from somebody's files with all their copies and reversals.
        graph: The whole graph they are folds of.
    """
    graph = graph.to_undirected()
    counts = {
        name: {
            "observed": fold.observed.num_edges,
            "positives": len(fold.positives),
            "negatives": len(fold.negatives),
        }
        for name, fold in split.folds.items()
    }
    in_folds = np.unique(np.concatenate([_keys(fold.positives) for fold in split.folds.values()]))
    left_out = len(np.setdiff1d(_keys(graph.edges), in_folds))
    return Audit(tuple(_checks(split, graph)), counts, left_out)


def _checks(split: Split, graph: Graph) -> Iterator[Check]:
    def check(name: str, offenders: IntArray) -> Check:
        example = None
        if len(offenders):
            ends = graph.ids.take(_pairs(offenders[:1])[0]).to_pylist()
            example = (str(ends[0]), str(ends[1]))
        return Check(name, len(offenders), example)

    folds = split.folds
    edges = _keys(graph.edges)
    observed = {name: _keys(fold.observed.edges) for name, fold in folds.items()}
    positives = {name: _keys(fold.positives) for name, fold in folds.items()}
    negatives = {name: _keys(fold.negatives) for name, fold in folds.items()}
    distinct = {name: np.unique(keys) for name, keys in positives.items()}
    distinct_negatives = {name: np.unique(keys) for name, keys in negatives.items()}
    known = np.union1d(edges, np.concatenate(list(distinct.values())))

    for name in folds:
        targets = np.concatenate([positives[name], negatives[name]])
        yield check(f"{name}: no target joins a node to itself", targets[_is_loop(targets)])
        yield check(f"{name}: every target is listed once", _repeated(targets))
        yield check(f"{name}: every positive is an edge of the graph", np.setdiff1d(distinct[name], edges))
        yield check(f"{name}: no negative is an edge", np.intersect1d(distinct_negatives[name], known))
        yield check(f"{name}: every observed edge is an edge of the graph", np.setdiff1d(observed[name], edges))
    for one, other in combinations(folds, 2):
        yield check(f"{one} and {other} share no positive", np.intersect1d(distinct[one], distinct[other]))
        shared = np.intersect1d(distinct_negatives[one], distinct_negatives[other])
        yield check(f"{one} and {other} share no negative", shared)
    for name, hidden in (("train", ("valid", "test")), ("valid", ("valid", "test")), ("test", ("test",))):
        held_out = np.unique(np.concatenate([distinct[fold] for fold in hidden]))
        yield check(f"{name}: no held-out edge is observed", np.intersect1d(observed[name], held_out))


def _keys(pairs: Pairs) -> IntArray:
    """One number per pair, the same for both directions."""
    low, high = np.sort(np.asarray(pairs, dtype=np.int64).reshape(-1, 2), axis=1).T
    return low << 32 | high


def _pairs(keys: IntArray) -> Pairs:
    return np.stack([keys >> 32, keys & 0xFFFFFFFF], axis=1)


def _is_loop(keys: IntArray) -> BoolArray:
    return (keys >> 32) == (keys & 0xFFFFFFFF)


def _repeated(keys: IntArray) -> IntArray:
    """The second and further copies."""
    ordered = np.sort(keys)
    return ordered[1:][ordered[1:] == ordered[:-1]]
