"""The audit: does a split leak? Every check counts its violations and names the first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from linkwl.graph import Observed
from linkwl.splits.fold import Split
from linkwl.typing import BoolArray, IntArray, Queries


@dataclass(frozen=True)
class Check:
    """A condition, and the queries that violate it."""

    name: str
    offenders: int
    example: tuple[str, ...] | None
    """The first offending query, by names."""

    @property
    def passed(self) -> bool:
        """Whether no query violates it."""
        return self.offenders == 0


@dataclass(frozen=True)
class Audit:
    """The result of an audit."""

    checks: tuple[Check, ...]
    counts: dict[str, dict[str, int]]
    """For each fold: observed edges, positives, negatives."""
    left_out: int
    """Number of edges of the graph in no fold; not a leak, but good to know."""

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    def to_json(self) -> dict[str, Any]:
        """The audit as plain values."""
        checks = [asdict(check) | {"passed": check.passed} for check in self.checks]
        return {"passed": self.passed, "checks": checks, "counts": self.counts, "left_out": self.left_out}


def audit_split(split: Split, graph: Observed) -> Audit:
    """Checks a split of ``graph`` for every kind of leak.

    Pairs are compared without regard to their order unless the observed graphs are directed.

    Args:
        split: A split drawn by linkwl, or read from files with all their duplicates and reversals.
        graph: The whole graph.
    """
    if graph.is_directed and not split.train.observed.is_directed:
        graph = graph.links
    counts = {
        name: {
            "observed": fold.observed.num_facts,
            "positives": len(fold.positives),
            "negatives": len(fold.negatives),
        }
        for name, fold in split.folds.items()
    }
    keys = _Keys(graph)
    in_folds = np.unique(np.concatenate([keys.encode(fold.positives) for fold in split.folds.values()]))
    left_out = len(np.setdiff1d(keys.encode(graph.facts), in_folds))
    return Audit(tuple(_checks(split, graph, keys)), counts, left_out)


def _checks(split: Split, graph: Observed, keys: _Keys) -> Iterator[Check]:
    def check(name: str, offenders: IntArray) -> Check:
        return Check(name, len(offenders), keys.names(offenders[:1]) if len(offenders) else None)

    folds = split.folds
    edges = keys.encode(graph.facts)
    observed = {name: keys.encode(fold.observed.facts) for name, fold in folds.items()}
    positives = {name: keys.encode(fold.positives) for name, fold in folds.items()}
    negatives = {name: keys.encode(fold.negatives) for name, fold in folds.items()}
    distinct = {name: np.unique(found) for name, found in positives.items()}
    distinct_negatives = {name: np.unique(found) for name, found in negatives.items()}
    known = np.union1d(edges, np.concatenate(list(distinct.values())))

    for name, fold in folds.items():
        targets = np.concatenate([positives[name], negatives[name]])
        if graph.task == "pairs":
            yield check(f"{name}: no target joins a node to itself", targets[keys.is_loop(targets)])
        if fold.targets.candidates is None:
            repeated = _repeated(targets)
        else:
            in_lists = _repeated_in_lists(negatives[name], fold.targets.candidates)
            repeated = np.concatenate([_repeated(positives[name]), in_lists])
        yield check(f"{name}: every target is listed once", repeated)
        yield check(f"{name}: every positive is an edge of the graph", np.setdiff1d(distinct[name], edges))
        yield check(f"{name}: no negative is an edge", np.intersect1d(distinct_negatives[name], known))
        yield check(f"{name}: every observed edge is an edge of the graph", np.setdiff1d(observed[name], edges))
    for one, other in combinations(folds, 2):
        yield check(f"{one} and {other} share no positive", np.intersect1d(distinct[one], distinct[other]))
        if folds[one].targets.candidates is None:  # lists of hard negatives may share pairs
            shared = np.intersect1d(distinct_negatives[one], distinct_negatives[other])
            yield check(f"{one} and {other} share no negative", shared)
    for name, hidden in (("train", ("valid", "test")), ("valid", ("valid", "test")), ("test", ("test",))):
        held_out = np.unique(np.concatenate([distinct[fold] for fold in hidden]))
        yield check(f"{name}: no held-out edge is observed", np.intersect1d(observed[name], held_out))


class _Keys:
    """One integer per query of a graph; undirected pairs have the same integer in both orders."""

    def __init__(self, graph: Observed) -> None:
        self._columns = list(graph.query_columns.values())
        self._is_unordered = graph.task == "pairs" and not graph.is_directed

    def encode(self, queries: Queries) -> IntArray:
        rows = np.asarray(queries, dtype=np.int64).reshape(-1, len(self._columns))
        if self._is_unordered:
            rows = np.sort(rows, axis=1)
        key = rows[:, 0]
        for column, names in zip(rows.T[1:], self._columns[1:], strict=True):
            key = key * len(names) + column
        return key

    def decode(self, keys: IntArray) -> Queries:
        columns = []
        for names in self._columns[:0:-1]:
            keys, column = np.divmod(keys, len(names))
            columns.append(column)
        return np.stack([keys, *columns[::-1]], axis=1)

    def is_loop(self, keys: IntArray) -> BoolArray:
        rows = self.decode(keys)
        return rows[:, 0] == rows[:, -1]

    def names(self, keys: IntArray) -> tuple[str, ...]:
        """The names in the first query."""
        return tuple(str(names[int(i)]) for names, i in zip(self._columns, self.decode(keys)[0], strict=True))


def _repeated(keys: IntArray) -> IntArray:
    """The second and further occurrences."""
    ordered = np.sort(keys)
    return ordered[1:][ordered[1:] == ordered[:-1]]


def _repeated_in_lists(keys: IntArray, offsets: IntArray) -> IntArray:
    """The second and further occurrences of a query in the same list."""
    owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    order = np.lexsort((keys, owner))
    is_copy = (keys[order][1:] == keys[order][:-1]) & (owner[order][1:] == owner[order][:-1])
    return keys[order][1:][is_copy]
