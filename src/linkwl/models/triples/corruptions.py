"""Corrupted triples: facts with another relation, another tail or another head."""

from __future__ import annotations

import numpy as np

from linkwl.sparse.rows import starts
from linkwl.typing import BoolArray, IntArray, Queries


class Corruptions:
    """Draws false triples near given facts, as INDIGO's negatives.

    For each fact (h, r, t):

    - (h, r', t), with r' among the relations that never join an ordered pair together with r: never a fact;
    - (h, r, t') if r is functional, that is, no head has two tails;
    - (h', r, t) if r is inverse functional.

    Reference: Liu et al., 2021, INDIGO: GNN-based inductive knowledge graph completion, public code.

    Args:
        facts: All known facts, shape ``(num_facts, 3)``.
        num_nodes: Number of entities.
        num_relations: Number of relations.

    Example:
        >>> corruptions = Corruptions(np.array([(0, 0, 1), (0, 1, 1), (1, 2, 2)]), num_nodes=3, num_relations=3)
        >>> corruptions.relations(np.array([(0, 0, 1)]), 3, np.random.default_rng(0)).tolist()
        [[0, 2, 1]]
    """

    def __init__(self, facts: Queries, num_nodes: int, num_relations: int) -> None:
        self.num_nodes = num_nodes
        self.num_relations = num_relations
        head, relation, tail = np.asarray(facts, dtype=np.int64).reshape(-1, 3).T
        self.is_functional = _is_functional(relation, head, num_relations)
        self.is_inverse_functional = _is_functional(relation, tail, num_relations)
        self._ptr, self._together = _co_occurrences(head * num_nodes + tail, relation, num_relations)

    def relations(self, facts: Queries, count: int, generator: np.random.Generator) -> Queries:
        """``count`` other relations for each fact, without replacement; fewer if there are fewer."""
        relation = facts[:, 1].astype(np.int64)
        num_together = np.diff(self._ptr)[relation]
        places = _distinct_below(self.num_relations - num_together, count, generator)  # -1: no more
        # The k-th relation that is not together with r: below the i-th that is, there are ``relation - i``.
        row = np.repeat(np.arange(self.num_relations), np.diff(self._ptr))
        below = row * self.num_relations + self._together - (np.arange(len(row)) - self._ptr[row])
        wanted = relation[:, None] * self.num_relations + np.maximum(places, 0)
        others = places + np.searchsorted(below, wanted, side="right") - self._ptr[relation][:, None]
        return _replaced(facts, 1, others, places >= 0)

    def tails(self, facts: Queries, count: int, generator: np.random.Generator) -> Queries:
        """``count`` other tails for each fact of a functional relation."""
        return self._entities(facts, 2, self.is_functional, count, generator)

    def heads(self, facts: Queries, count: int, generator: np.random.Generator) -> Queries:
        """``count`` other heads for each fact of an inverse functional relation."""
        return self._entities(facts, 0, self.is_inverse_functional, count, generator)

    def all(self, facts: Queries, count: int, generator: np.random.Generator) -> Queries:
        """``count`` of each kind for each fact."""
        return np.concatenate([draw(facts, count, generator) for draw in (self.relations, self.tails, self.heads)])

    def _entities(
        self, facts: Queries, column: int, applies: BoolArray, count: int, generator: np.random.Generator
    ) -> Queries:
        chosen = facts[applies[facts[:, 1]]]
        if self.num_nodes < 2:
            return chosen[:0]
        drawn = generator.integers(self.num_nodes - 1, size=(len(chosen), count))
        others = drawn + (drawn >= chosen[:, [column]])
        return _replaced(chosen, column, others, np.ones(others.shape, dtype=np.bool_))


def _is_functional(relation: IntArray, end: IntArray, num_relations: int) -> BoolArray:
    """Whether no entity is this end of two facts of a relation; false for a relation without facts."""
    num_facts = np.bincount(relation, minlength=num_relations)
    entities = np.unique(np.stack([relation, end]), axis=1)[0]
    return (num_facts > 0) & (num_facts == np.bincount(entities, minlength=num_relations))


def _co_occurrences(pair: IntArray, relation: IntArray, num_relations: int) -> tuple[IntArray, IntArray]:
    """Compressed rows: the relations that share a pair with each relation, including itself."""
    order = np.lexsort((relation, pair))
    pair, relation = pair[order], relation[order]
    found = [np.arange(num_relations) * (num_relations + 1)]
    shift = 1
    while True:  # the relations of a pair are consecutive
        same = np.flatnonzero(pair[shift:] == pair[:-shift]) if shift < len(pair) else np.empty(0, dtype=np.int64)
        if len(same) == 0:
            break
        a, b = relation[same], relation[same + shift]
        found += [a * num_relations + b, b * num_relations + a]
        shift += 1
    row, col = np.divmod(np.unique(np.concatenate(found)), max(num_relations, 1))
    return starts(np.bincount(row, minlength=num_relations)), col


def _distinct_below(limits: IntArray, count: int, generator: np.random.Generator) -> IntArray:
    """For each limit, ``count`` distinct numbers below it, or all and then -1; Floyd's method, row by row at once."""
    chosen = np.full((len(limits), count), -1, dtype=np.int64)
    for k in range(count):
        top = limits - count + k  # the largest number that may be drawn now
        drawn = (generator.random(len(limits)) * (top + 1)).astype(np.int64)
        is_taken = (chosen[:, :k] == drawn[:, None]).any(axis=1)
        chosen[:, k] = np.where(top < 0, -1, np.where(is_taken, top, drawn))
    return chosen


def _replaced(facts: Queries, column: int, others: IntArray, is_kept: BoolArray) -> Queries:
    """Each fact once for every value that replaces a column."""
    rows, places = np.nonzero(is_kept)
    triples = facts[rows].astype(np.int32)
    triples[:, column] = others[rows, places]
    return triples
