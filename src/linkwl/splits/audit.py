"""The audit: does a split leak? Every check counts its violations and names the first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from linkwl.graph import KnowledgeGraph, Observed
from linkwl.splits.fold import Fold, Split
from linkwl.splits.inverse_relations import (
    DuplicateRelations,
    InverseRelations,
    duplicated_facts,
    find_duplicates,
    find_inverses,
    reversed_facts,
)
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
    inverses: tuple[InverseRelations, ...] = ()
    """Relations of the graph that are another one turned round, or symmetric; the split is not at fault."""
    duplicates: tuple[DuplicateRelations, ...] = ()
    """Relations of the graph that hold for mostly the same pairs as another one."""
    findings: dict[str, int] = field(default_factory=dict)
    """Further numbers that are no leaks, but good to know, by what they count."""

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    def to_json(self) -> dict[str, Any]:
        """The audit as plain values."""
        checks = [asdict(check) | {"passed": check.passed} for check in self.checks]
        return {
            "passed": self.passed,
            "checks": checks,
            "counts": self.counts,
            "left_out": self.left_out,
            "inverses": [asdict(pair) | {"is_symmetric": pair.is_symmetric} for pair in self.inverses],
            "duplicates": [asdict(pair) for pair in self.duplicates],
            "findings": self.findings,
        }


def audit_split(split: Split, graph: Observed) -> Audit:
    """Checks a split of ``graph`` for every kind of leak.

    Pairs are compared without regard to their order unless the observed graphs are directed. If the test is about other
    nodes, its targets are checked against its own graph, and compared with training by name.

    Args:
        split: A split drawn by linkwl, or read from files with all their duplicates and reversals.
        graph: The whole graph.

    Example:
        >>> import linkwl
        >>> graph = linkwl.load_dataset("airports")
        >>> linkwl.audit_split(linkwl.RandomSplit().apply(graph, seed=0), graph).passed
        True
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
    if split.is_inductive:
        assert isinstance(graph, KnowledgeGraph)
        seen, test = (_Side(_facts_about(graph, fold.observed), fold.observed) for fold in (split.train, split.test))
    else:
        seen = test = _Side(graph.facts, graph)
    checks = tuple(_checks(split, seen, test))
    left_out = _left_out(split, graph, seen, test)
    if not isinstance(graph, KnowledgeGraph):
        return Audit(checks, counts, left_out)
    inverses, turned = find_inverses(graph)
    duplicates, same = find_duplicates(graph)
    return Audit(checks, counts, left_out, tuple(inverses), tuple(duplicates), _findings(split, turned, same))


def _checks(split: Split, seen: _Side, test: _Side) -> Iterator[Check]:
    folds = split.folds
    sides = {"train": seen, "valid": seen, "test": test}
    observed = {name: sides[name].encode(fold.observed.facts) for name, fold in folds.items()}
    positives = {name: sides[name].encode(fold.positives) for name, fold in folds.items()}
    negatives = {name: sides[name].encode(fold.negatives) for name, fold in folds.items()}
    distinct = {name: _distinct(found) for name, found in positives.items()}
    for name, fold in folds.items():
        side, targets = sides[name], np.concatenate([positives[name], negatives[name]])
        if fold.observed.task == "pairs":
            yield side.check(f"{name}: no target joins a node to itself", targets[side.is_loop(targets)])
        yield side.check(f"{name}: every target is listed once", _repeated_targets(fold, side))
        yield side.check(f"{name}: every positive is an edge of the graph", _outside(distinct[name], side.facts))
        known = [side.facts, *(distinct[other] for other in folds if sides[other] is side)]
        wrong = _distinct(np.concatenate([_among(negatives[name], facts) for facts in known]))
        yield side.check(f"{name}: no negative is an edge", wrong)
        invented = _outside(observed[name], side.facts)
        yield side.check(f"{name}: every observed edge is an edge of the graph", invented)
        if fold.targets.relations is not None:
            others = side.encode(fold.targets.relations.queries)
            wrong = _among(others, _distinct(np.concatenate([observed[name], distinct[name]])))
            yield side.check(f"{name}: no relation that a positive is ranked against is a fact", wrong)
    # A test about other nodes is compared with training by name.
    by_name = distinct if test is seen else distinct | {"test": seen.encode(_renamed(split.test, split.train.observed))}
    for one, other in combinations(folds, 2):
        yield seen.check(f"{one} and {other} share no positive", _among(by_name[one], by_name[other]))
        if folds[one].targets.candidates is None and sides[other] is seen:  # lists of hard negatives may share pairs
            shared = _among(negatives[other], _distinct(negatives[one]))
            yield seen.check(f"{one} and {other} share no negative", shared)
    held_out = _distinct(np.concatenate([by_name["valid"], by_name["test"]]))
    for name in ("train", "valid"):
        yield seen.check(f"{name}: no held-out edge is observed", _among(observed[name], held_out))
    yield test.check("test: no held-out edge is observed", _among(observed["test"], distinct["test"]))


def _repeated_targets(fold: Fold, side: _Side) -> IntArray:
    """Targets that are listed too often: in a list or a pool, among positives, or both as positive and negative.

    Entity ranking lists each fact twice, once for its tail and once for its head. Published pools of triples repeat
    some negatives.
    """
    targets = fold.targets
    positives, negatives = side.encode(targets.positives), side.encode(targets.negatives)
    if targets.pools is not None:
        return _repeated(np.concatenate([positives, np.unique(negatives)]))
    if targets.candidates is None:
        return _repeated(np.concatenate([positives, negatives]))
    often = _repeated(positives)
    if fold.observed.task == "triples":
        often = _repeated(often)
    return np.concatenate([often, _repeated_in_lists(negatives, targets.candidates)])


def _left_out(split: Split, graph: Observed, seen: _Side, test: _Side) -> int:
    """Number of facts in no fold."""
    if not split.is_inductive:
        in_folds = _distinct(np.concatenate([seen.encode(fold.positives) for fold in split.folds.values()]))
        return len(_outside(seen.facts, in_folds))
    in_training = np.concatenate([split.train.positives, split.valid.positives])
    at_test = np.concatenate([split.test.observed.facts, split.test.positives])
    total = graph.num_facts + (len(test.facts) if _is_divided(graph, split.test.observed) else 0)
    used = (_among(side.encode(facts), side.facts) for side, facts in ((seen, in_training), (test, at_test)))
    return total - sum(map(len, used))


def _findings(split: Split, inverses: IntArray, duplicates: IntArray) -> dict[str, int]:
    """Further numbers about a split of triples."""
    observed, test = split.test.observed, split.test.targets
    assert isinstance(observed, KnowledgeGraph)
    facts = np.unique(test.positives, axis=0)
    found = {
        "test facts whose reverse is observed, with any relation": reversed_facts(facts, observed).sum(),
        "test facts whose reverse is observed, with an inverse relation": reversed_facts(
            facts, observed, inverses
        ).sum(),
        "test facts whose pair is observed, with a near-duplicate relation": duplicated_facts(
            facts, observed, duplicates
        ).sum(),
    }
    if test.pools is not None:
        found["test negatives that are listed again in their pool"] = sum(
            len(pool) - len(np.unique(pool, axis=0)) for pool in np.split(test.negatives, test.pools[1:-1])
        )
    if split.is_inductive:
        found["test entities with the name of an entity in training"] = (
            split.train.observed.ids.find(observed.ids.to_arrow()) >= 0
        ).sum()
    return {what: int(number) for what, number in found.items()}


def _is_divided(graph: Observed, observed: Observed) -> bool:
    """Whether the observed graph is the one of other entities in the division of a benchmark."""
    division = graph.division if isinstance(graph, KnowledgeGraph) else None
    unseen = None if division is None else division.unseen
    return unseen is not None and unseen.ids.to_arrow().equals(observed.ids.to_arrow())


def _facts_about(graph: KnowledgeGraph, observed: Observed) -> Queries:
    """All facts about the nodes of an observed graph, in its indices."""
    division = graph.division
    if division is not None and division.unseen is not None and _is_divided(graph, observed):
        return np.concatenate([division.unseen.facts, division.unseen_valid, division.unseen_test])
    return _renumbered(graph.facts, graph, observed)


def _renamed(fold: Fold, observed: Observed) -> Queries:
    """The positives of a fold in the indices of another graph, those with the names of its nodes."""
    return np.unique(_renumbered(fold.positives, fold.observed, observed), axis=0)


def _renumbered(facts: Queries, graph: Observed, other: Observed) -> Queries:
    """The facts whose nodes have names in another graph, in its indices; the relations are the same."""
    number = other.ids.find(graph.ids.to_arrow())
    rows = np.stack([number[facts[:, 0]], facts[:, 1], number[facts[:, 2]]], axis=1)
    return rows[(rows[:, 0] >= 0) & (rows[:, 2] >= 0)]


class _Side:
    """Facts about the nodes of some folds, as integers; undirected pairs have the same integer in both orders.

    Args:
        facts: All facts about these nodes.
        graph: A graph of these nodes.
    """

    def __init__(self, facts: Queries, graph: Observed) -> None:
        self._columns = list(graph.query_columns.values())
        self._is_unordered = graph.task == "pairs" and not graph.is_directed
        self.facts = _distinct(self.encode(facts))

    def check(self, name: str, offenders: IntArray) -> Check:
        """The check that these queries violate."""
        return Check(name, len(offenders), self.names(offenders[:1]) if len(offenders) else None)

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


def _distinct(keys: IntArray) -> IntArray:
    """Every key once, ascending; those of a graph are already so, and many times faster to check than to sort."""
    if (keys[1:] > keys[:-1]).all():
        return keys
    ordered = np.sort(keys)
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])]


def _among(keys: IntArray, known: IntArray) -> IntArray:
    """The distinct keys that are known; the known ones ascend."""
    keys = _distinct(keys)
    return keys[_is_among(keys, known)]


def _outside(keys: IntArray, known: IntArray) -> IntArray:
    """The distinct keys that are not known; the known ones ascend."""
    keys = _distinct(keys)
    return keys[~_is_among(keys, known)]


def _is_among(keys: IntArray, known: IntArray) -> BoolArray:
    if len(known) == 0:
        return np.zeros(len(keys), dtype=np.bool_)
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return known[place] == keys


def _repeated(keys: IntArray) -> IntArray:
    """The second and further occurrences."""
    ordered = np.sort(keys)
    return ordered[1:][ordered[1:] == ordered[:-1]]


def _repeated_in_lists(keys: IntArray, offsets: IntArray) -> IntArray:
    """The second and further occurrences of a query in the same list."""
    owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    if ((keys[1:] > keys[:-1]) | (owner[1:] != owner[:-1])).all():
        return keys[:0]  # no list has to be sorted
    order = np.lexsort((keys, owner))
    is_copy = (keys[order][1:] == keys[order][:-1]) & (owner[order][1:] == owner[order][:-1])
    return keys[order][1:][is_copy]
