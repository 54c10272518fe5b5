"""Entity ranking: each fact among the same fact with another tail, and with another head."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwl.errors import SplitError
from linkwl.graph import KnowledgeGraph, Observed
from linkwl.graph.division import no_triples
from linkwl.memory import check_memory
from linkwl.splits.fold import Targets
from linkwl.splits.splitter import HeldOut, as_triples
from linkwl.typing import IntArray, Queries

_BYTES_PER_TRIPLE = 40
"""A triple as it is listed, joined with the others and scored."""
_SHORT = 50
"""Length of the lists of validation, and the least length of lists of entities with a role."""


@dataclass(frozen=True)
class EntityCorruptions:
    """Each held-out fact is listed twice, once with corruptions of its tail and once of its head.

    A corruption is the fact with another entity; known facts are no corruptions, whichever fold they belong to. By
    default all entities of the graph are taken. Validation, which only has to select, takes 50 entities at random.
    Training has no fixed negatives.

    With ``roles``, a tail is replaced by entities that are already the tail of an observed fact with the same relation,
    and a head likewise: the corruptions make sense, which is harder. Where fewer than 50 entities have the role, the
    list is filled with other entities at random.

    Args:
        count: Number of entities for each list, drawn at random without replacement; None for all.
        roles: Whether to take only entities with the same role.
    """

    count: int | None = None
    roles: bool = False

    def __post_init__(self) -> None:
        if self.count is not None and self.count < 1:
            raise ValueError(f"`count` must be at least 1, got {self.count}.")

    @property
    def text(self) -> str:
        """The negatives in a few words, for records."""
        which = "all" if self.count is None else str(self.count)
        having = " that have the same role in an observed fact" if self.roles else ""
        return f"each fact with {which} other entities{having} as tail, and as head, known facts left out"

    def draw(self, graph: Observed, generator: np.random.Generator) -> Queries:
        """Nothing; the corruptions depend on the held-out facts.

        Raises:
            SplitError: If the graph is not one of triples.
        """
        as_triples(graph, "entity ranking is")
        return no_triples()

    def divide(
        self, drawn: Queries, graph: Observed, held_out: HeldOut, generator: np.random.Generator
    ) -> list[Targets]:
        """The targets of each fold.

        Raises:
            MemoryLimitError: If the lists would take more memory than is free.
            SplitError: If an entity holds for all others, so that there is no corruption.
        """
        train, valid, test = held_out.positives
        seen, unseen, train_graph, test_graph = (
            as_triples(found, "entity ranking is")
            for found in (held_out.seen or graph, held_out.unseen or graph, held_out.train, held_out.test)
        )
        short = _SHORT if self.count is None else min(self.count, _SHORT)
        return [
            Targets(train, no_triples()),
            corrupt(valid, seen, train_graph if self.roles else None, short, generator),
            corrupt(test, unseen, test_graph if self.roles else None, self.count, generator),
        ]


def corrupt(
    facts: Queries,
    known: KnowledgeGraph,
    roles: KnowledgeGraph | None,
    count: int | None,
    generator: np.random.Generator,
) -> Targets:
    """Each fact with other tails, then each with other heads.

    Args:
        facts: The facts.
        known: All known facts, which are no corruptions; ``facts`` are among them.
        roles: The observed facts that give entities their roles; None if any entity will do.
        count: Number of entities in each list, fewer if there are no more; None for all.
        generator: The source of randomness.

    Raises:
        MemoryLimitError: If the lists would take more memory than is free.
        SplitError: If a list would be empty.
    """
    width = known.num_nodes if count is None else min(count, known.num_nodes)
    check_memory(
        2 * _BYTES_PER_TRIPLE * len(facts) * width,
        f"ranking {len(facts):,} facts among {width:,} entities each, both ways",
        "use the protocol `entities-50`, which takes 50 entities at random",
    )
    queries, sizes = [], []
    for column in (2, 0):
        partners = _Partners(known, column)
        holders = None if roles is None else _Holders(roles, column)
        for fact in facts:
            taken = partners.of(fact)
            if holders is None:
                others = _draw(known.num_nodes, taken, count, generator)
            else:
                others = _draw_with_role(known.num_nodes, taken, holders.of(fact), count, generator)
            if len(others) == 0:
                names = [str(ids[int(i)]) for ids, i in zip(known.query_columns.values(), fact, strict=True)]
                raise SplitError(
                    f"{known.name}: every entity is known as the {'tail' if column else 'head'} of "
                    f"{' - '.join(names)}, so there is nothing to rank it among; use another protocol."
                )
            rows = np.repeat(fact[None], len(others), axis=0)
            rows[:, column] = others
            queries.append(rows)
            sizes.append(len(others))
    offsets = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    return Targets(np.concatenate([facts, facts]), np.concatenate(queries), offsets)


class _Partners:
    """For a fact, the entities in one of its columns with which it is known to hold; ascending."""

    def __init__(self, known: KnowledgeGraph, column: int) -> None:
        fixed = 2 - column
        order = np.lexsort((known.triples[:, column], known.triples[:, 1], known.triples[:, fixed]))
        self._num_relations, self._fixed = known.num_relations, fixed
        self._entities = known.triples[order, column]
        self._keys = self._key(known.triples[order])

    def _key(self, facts: Queries) -> IntArray:
        return facts[..., self._fixed].astype(np.int64) * self._num_relations + facts[..., 1]

    def of(self, fact: Queries) -> IntArray:
        key = self._key(fact)
        return self._entities[np.searchsorted(self._keys, key) : np.searchsorted(self._keys, key, side="right")]


class _Holders:
    """For a fact, the entities that some fact with the same relation has in the same column; ascending."""

    def __init__(self, graph: KnowledgeGraph, column: int) -> None:
        numbers = graph.triples[:, 1].astype(np.int64) * graph.num_nodes + graph.triples[:, column]
        relation, self._entities = np.divmod(np.unique(numbers), graph.num_nodes)
        self._starts = np.searchsorted(relation, np.arange(graph.num_relations + 1))

    def of(self, fact: Queries) -> IntArray:
        return self._entities[self._starts[fact[1]] : self._starts[fact[1] + 1]]


def _draw(total: int, taken: IntArray, count: int | None, generator: np.random.Generator) -> IntArray:
    """The numbers below ``total`` that are not taken, or ``count`` of them at random; ascending.

    Args:
        total: Number of entities.
        taken: Distinct and ascending.
        count: None for all.
        generator: The source of randomness.
    """
    left = total - len(taken)
    ranks = np.arange(left) if count is None or count >= left else np.sort(generator.choice(left, count, replace=False))
    # Below the i-th number that is taken, there are `taken[i] - i` that are not.
    return ranks + np.searchsorted(taken - np.arange(len(taken)), ranks, side="right")


def _draw_with_role(
    total: int, taken: IntArray, holders: IntArray, count: int | None, generator: np.random.Generator
) -> IntArray:
    """The entities with a role that are not taken, or ``count`` of them at random; filled up with others if few."""
    able = np.setdiff1d(holders, taken, assume_unique=True)
    if count is not None and len(able) > count:
        return np.sort(generator.choice(able, count, replace=False))
    missing = (_SHORT if count is None else count) - len(able)
    if missing <= 0:
        return able
    return np.sort(np.concatenate([able, _draw(total, np.union1d(taken, able), missing, generator)]))
