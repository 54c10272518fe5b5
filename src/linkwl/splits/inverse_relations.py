"""Relations that are another relation turned round: their facts give each other away."""

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


def find_inverses(graph: KnowledgeGraph) -> tuple[list[InverseRelations], IntArray]:
    """Pairs of relations that are each other's inverse, the most common first, and their indices, two per row.

    At least 80 % of the facts (h, r, t) have a reverse (t, s, h), and the other way round; each relation has at least
    ten facts. Facts of an entity about itself do not count.
    """
    triples = graph.triples[graph.triples[:, 0] != graph.triples[:, 2]]
    count = np.bincount(triples[:, 1], minlength=graph.num_relations)
    fact, other = _reverses(triples, graph.num_nodes, triples)
    pairs, both = np.unique(np.stack([triples[fact, 1], triples[other, 1]], axis=1), axis=0, return_counts=True)
    first, second = pairs.T
    share, inverse_share = both / np.maximum(count[first], 1), both / np.maximum(count[second], 1)
    is_found = (first <= second) & (np.minimum(share, inverse_share) >= _SHARE)
    is_found &= np.minimum(count[first], count[second]) >= _FEWEST
    chosen = np.flatnonzero(is_found)
    chosen = chosen[np.argsort(-both[chosen], kind="stable")]
    names = graph.relations
    found = [
        InverseRelations(
            str(names[r]), str(names[s]), int(count[r]), float(share[k]), int(count[s]), float(inverse_share[k])
        )
        for k, (r, s) in zip(chosen, pairs[chosen].tolist(), strict=True)
    ]
    return found, pairs[chosen]


def reversed_facts(facts: Queries, observed: KnowledgeGraph, inverses: IntArray | None = None) -> BoolArray:
    """Whether the reverse of each fact is observed with any relation, or only with an inverse of its own.

    Args:
        facts: The facts.
        observed: The graph to search for their reverses.
        inverses: Pairs of relations that are each other's inverse; None for any relation.
    """
    fact, other = _reverses(facts, observed.num_nodes, observed.triples)
    if inverses is not None:
        is_inverse = np.zeros((observed.num_relations,) * 2, dtype=np.bool_)
        is_inverse[inverses[:, 0], inverses[:, 1]] = is_inverse[inverses[:, 1], inverses[:, 0]] = True
        fact = fact[is_inverse[facts[fact, 1], observed.triples[other, 1]]]
    found = np.zeros(len(facts), dtype=np.bool_)
    found[fact] = True
    return found


def _reverses(facts: Queries, num_nodes: int, others: Queries) -> tuple[IntArray, IntArray]:
    """Positions of facts (h, r, t), and of the others (t, s, h) that are their reverses."""
    keys = others[:, 0].astype(np.int64) * num_nodes + others[:, 2]
    order = np.argsort(keys, kind="stable")
    wanted = facts[:, 2].astype(np.int64) * num_nodes + facts[:, 0]
    fact, place = equal_entries(wanted, keys[order])
    return fact, order[place]
