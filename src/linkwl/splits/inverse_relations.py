"""Relations whose facts give each other away: inverse, symmetric and near-duplicate ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwl.graph import KnowledgeGraph
from linkwl.ranges import equal_entries
from linkwl.typing import BoolArray, IntArray, Queries

_SHARE = 0.8
_FEWEST = 10


@dataclass(frozen=True)
class InverseRelations:
    """Two relations of which most facts hold the other way round in the other; one relation twice if symmetric."""

    relation: str
    inverse: str
    facts: int
    """Number of facts with the relation."""
    share: float
    """Share of these whose reverse is a fact with the inverse."""
    inverse_facts: int
    inverse_share: float
    """Share of the facts with the inverse whose reverse is a fact with the relation."""

    @property
    def is_symmetric(self) -> bool:
        """Whether it is one relation that holds both ways."""
        return self.relation == self.inverse


@dataclass(frozen=True)
class DuplicateRelations:
    """Two relations that hold for mostly the same pairs, in the same order."""

    relation: str
    duplicate: str
    facts: int
    """Number of facts with the relation."""
    share: float
    """Share of these whose pair is joined by the duplicate, too."""
    duplicate_facts: int
    duplicate_share: float
    """Share of the facts with the duplicate whose pair is joined by the relation, too."""


def find_inverses(graph: KnowledgeGraph) -> tuple[list[InverseRelations], IntArray]:
    """Pairs of relations that are each other's inverse, the most common first, and their indices, two per row.

    At least 80 % of the facts (h, r, t) have a reverse (t, s, h), and the other way round; each relation has at least
    ten facts. Facts of an entity about itself do not count.
    """
    rows, pairs = _find_related(graph, turned=True)
    return [InverseRelations(*row) for row in rows], pairs


def find_duplicates(graph: KnowledgeGraph) -> tuple[list[DuplicateRelations], IntArray]:
    """Pairs of relations that are nearly the same; as :func:`find_inverses`, with facts (h, s, t) for the reverses."""
    rows, pairs = _find_related(graph, turned=False)
    return [DuplicateRelations(*row) for row in rows], pairs


def _find_related(
    graph: KnowledgeGraph, turned: bool
) -> tuple[list[tuple[str, str, int, float, int, float]], IntArray]:
    """Both names, each with its number of facts and the share that the other has; and the indices."""
    triples = graph.triples[graph.triples[:, 0] != graph.triples[:, 2]]
    count = np.bincount(triples[:, 1], minlength=graph.num_relations)
    fact, other = _same_pairs(triples, graph.num_nodes, triples, turned)
    pairs, both = np.unique(np.stack([triples[fact, 1], triples[other, 1]], axis=1), axis=0, return_counts=True)
    first, second = pairs.T
    share, other_share = both / np.maximum(count[first], 1), both / np.maximum(count[second], 1)
    is_found = (first <= second if turned else first < second) & (np.minimum(share, other_share) >= _SHARE)
    is_found &= np.minimum(count[first], count[second]) >= _FEWEST
    chosen = np.flatnonzero(is_found)
    chosen = chosen[np.argsort(-both[chosen], kind="stable")]
    names = graph.relations
    rows = [
        (str(names[r]), str(names[s]), int(count[r]), float(share[k]), int(count[s]), float(other_share[k]))
        for k, (r, s) in zip(chosen, pairs[chosen].tolist(), strict=True)
    ]
    return rows, pairs[chosen]


def reversed_facts(facts: Queries, observed: KnowledgeGraph, inverses: IntArray | None = None) -> BoolArray:
    """Whether the reverse of each fact is observed with any relation, or only with an inverse of its own.

    Args:
        facts: The facts.
        observed: The graph to search for their reverses.
        inverses: Pairs of relations that are each other's inverse; None for any relation.
    """
    return _are_joined(facts, observed, inverses, turned=True)


def duplicated_facts(facts: Queries, observed: KnowledgeGraph, duplicates: IntArray) -> BoolArray:
    """Whether the pair of each fact is observed with a near-duplicate of its relation.

    Args:
        facts: The facts.
        observed: The graph to search for their pairs.
        duplicates: Pairs of relations that are nearly the same.
    """
    return _are_joined(facts, observed, duplicates, turned=False)


def _are_joined(facts: Queries, observed: KnowledgeGraph, related: IntArray | None, turned: bool) -> BoolArray:
    fact, other = _same_pairs(facts, observed.num_nodes, observed.triples, turned)
    if related is not None:
        is_related = np.zeros((observed.num_relations,) * 2, dtype=np.bool_)
        is_related[related[:, 0], related[:, 1]] = is_related[related[:, 1], related[:, 0]] = True
        fact = fact[is_related[facts[fact, 1], observed.triples[other, 1]]]
    found = np.zeros(len(facts), dtype=np.bool_)
    found[fact] = True
    return found


def _same_pairs(facts: Queries, num_nodes: int, others: Queries, turned: bool) -> tuple[IntArray, IntArray]:
    """Positions of facts (h, r, t), and of the others (h, s, t), or (t, s, h) if turned round."""
    keys = others[:, 0].astype(np.int64) * num_nodes + others[:, 2]
    order = np.argsort(keys, kind="stable")
    head, tail = (2, 0) if turned else (0, 2)
    wanted = facts[:, head].astype(np.int64) * num_nodes + facts[:, tail]
    fact, place = equal_entries(wanted, keys[order])
    return fact, order[place]
