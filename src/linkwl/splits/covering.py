"""The random split of triples that leaves every entity and every relation something to be learned from."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwl.errors import LinkwlWarning, SplitError
from linkwl.graph import KnowledgeGraph, Observed
from linkwl.kernel import kernel
from linkwl.splits.splitter import TEST, TRAIN, VALID, HeldOut, as_triples, check_ratios, divide, held_out_counts
from linkwl.typing import BoolArray, IntArray

_ENOUGH = 0.25
"""Share of the facts to hold out that must be covered, or else entities need not be."""


@dataclass(frozen=True)
class CoveringSplit:
    """Holds out facts at random, as long as their entities and their relation still occur in a training fact.

    The facts are visited in random order. One is held out if its head, its tail and its relation each have another fact
    that is not held out. If fewer than the ratios ask for can be held out, all of them are, with a warning. If they
    are fewer than a quarter of those, as where most heads have one fact, only the relations are covered.
    """

    valid_ratio: float = 0.05
    test_ratio: float = 0.10

    def __post_init__(self) -> None:
        check_ratios(self.valid_ratio, self.test_ratio)

    def hold_out(self, graph: Observed, generator: np.random.Generator) -> HeldOut:
        """Divides the facts of a graph between the folds.

        Raises:
            SplitError: If there are too few, or the graph is not one of triples.
        """
        triples = as_triples(graph, "a split that covers entities and relations is")
        num_valid, num_test = held_out_counts(graph, self.valid_ratio, self.test_ratio)
        wanted = num_valid + num_test
        chosen, shortcoming = _choose_enough(triples, generator.permutation(graph.num_facts), wanted)
        num_valid = max(1, len(chosen) * num_valid // wanted)
        if num_valid >= len(chosen):
            raise SplitError(
                f"{graph.name}: {len(chosen)} of {graph.num_facts} facts can be held out with their relations still in "
                "training, too few to split; add facts."
            )
        if shortcoming:
            warnings.warn(f"{graph.name}: {shortcoming}.", LinkwlWarning, stacklevel=2)
        fold = np.full(graph.num_facts, TRAIN, dtype=np.int8)
        fold[chosen[:num_valid]], fold[chosen[num_valid:]] = VALID, TEST
        train, test = graph.subgraphs(fold, [(TRAIN,), (TRAIN, VALID)])
        return HeldOut(train, test, divide(graph.facts, fold))

    def to_json(self) -> dict[str, Any]:
        """The splitter's entry in a record."""
        return {"split": "covering", "valid_ratio": self.valid_ratio, "test_ratio": self.test_ratio}


def _choose_enough(graph: KnowledgeGraph, order: IntArray, wanted: int) -> tuple[IntArray, str]:
    """The facts to hold out, and in what they fall short of what is wanted, as a sentence."""
    chosen = choose_covered(graph, order, wanted)
    if len(chosen) == wanted:
        return chosen, ""
    if len(chosen) >= max(2, wanted * _ENOUGH):
        few = f"{len(chosen)} facts are held out instead of {wanted}"
        return chosen, f"{few}; all others are the last ones of an entity or of a relation"
    chosen = choose_covered(graph, order, wanted, keep_entities=False)
    return chosen, "most facts are the only one of an entity, so facts are held out although it then has none"


def choose_covered(
    graph: KnowledgeGraph,
    order: IntArray,
    most: int,
    *,
    keep_entities: bool = True,
    keep_relations: BoolArray | None = None,
) -> IntArray:
    """The first facts in an order, at most ``most``, that can all be held out together.

    Args:
        graph: The facts.
        order: Positions of facts to visit.
        most: How many are wanted.
        keep_entities: Whether each entity must keep a fact.
        keep_relations: Whether each relation must keep a fact; by default all must.
    """
    if keep_relations is None:
        keep_relations = np.ones(graph.num_relations, dtype=np.bool_)
    entity_facts = np.zeros(graph.num_nodes, dtype=np.int64)
    head, relation, tail = graph.triples.T
    np.add.at(entity_facts, head, 1)
    np.add.at(entity_facts, tail[tail != head], 1)
    relation_facts = np.bincount(relation, minlength=graph.num_relations)
    return _choose(graph.triples, order, most, entity_facts, relation_facts, keep_entities, keep_relations)


@kernel
def _choose(triples, order, most, entity_facts, relation_facts, keep_entities, keep_relations):  # type: ignore[no-untyped-def]
    chosen = np.empty(min(most, len(order)), dtype=np.int64)
    count = 0
    for fact in order:
        if count == most:
            break
        h, r, t = triples[fact]
        if keep_entities and (entity_facts[h] < 2 or entity_facts[t] < 2):
            continue
        if keep_relations[r] and relation_facts[r] < 2:
            continue
        entity_facts[h] -= 1
        if t != h:
            entity_facts[t] -= 1
        relation_facts[r] -= 1
        chosen[count] = fact
        count += 1
    return chosen[:count]
