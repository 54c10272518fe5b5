"""Splits whose test is about other entities: those of a benchmark, and a random one."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwl.errors import SplitError
from linkwl.graph import KnowledgeGraph, Observed
from linkwl.splits.covering import CoveringSplit, choose_covered
from linkwl.splits.splitter import HeldOut, as_triples, check_ratios
from linkwl.typing import BoolArray, IntArray


@dataclass(frozen=True)
class DividedSplit:
    """The division of a benchmark by its authors; other graphs of triples get a :class:`CoveringSplit`.

    An inductive benchmark trains and validates on its graph, without the facts of its own test, and is tested on the
    graph of other entities.
    """

    valid_ratio: float = 0.05
    """Share of the facts of a graph that is not divided."""
    test_ratio: float = 0.10

    def __post_init__(self) -> None:
        check_ratios(self.valid_ratio, self.test_ratio)

    def hold_out(self, graph: Observed, generator: np.random.Generator) -> HeldOut:
        """The facts of each fold; nothing is drawn at random if the graph is divided.

        Raises:
            SplitError: If the graph is not one of triples, or has too few.
        """
        triples = as_triples(graph, "the division of a benchmark is")
        division = triples.division
        if division is None:
            return CoveringSplit(self.valid_ratio, self.test_ratio).hold_out(graph, generator)
        for name, facts in (("valid", division.valid), ("test", division.test_facts)):
            if len(facts) == 0:
                raise SplitError(f"{graph.name}: the benchmark has no {name} facts, so there is nothing to measure.")
        train = triples.without(np.concatenate([division.valid, division.test]))
        if division.unseen is None:
            test = triples.without(division.test)
            return HeldOut(train, test, [division.train, division.valid, division.test], labels=division.labels)
        return HeldOut(
            train,
            division.unseen,
            [division.train, division.valid, division.unseen_test],
            seen=triples,
            unseen=division.unseen.with_(np.concatenate([division.unseen_valid, division.unseen_test])),
            labels=division.labels,
        )

    def to_json(self) -> dict[str, Any]:
        """The splitter's entry in a record."""
        return {
            "split": "the division of the benchmark, otherwise covering",
            "valid_ratio": self.valid_ratio,
            "test_ratio": self.test_ratio,
            "test_observes": ["train", "valid", "if about other entities: their own observed facts alone"],
        }


@dataclass(frozen=True)
class EntitySplit:
    """Divides the entities: the test is about entities that training has never seen.

    The entities of the test graph are random ones with their neighbours, and the neighbours of these, so that they have
    facts among each other. The facts among them are the test graph, and a share of its facts is predicted; of the facts
    among the other entities a share validates. Facts between both sides are dropped. Every entity of a held-out fact
    keeps an observed one, and the relation of a held-out fact occurs in a training fact.
    """

    valid_ratio: float = 0.10
    """Share of the facts among the entities of training that validate."""
    test_ratio: float = 0.20
    """Share of the entities that go to the test graph."""
    held_out_ratio: float = 0.10
    """Share of the facts of the test graph that are predicted."""

    def __post_init__(self) -> None:
        check_ratios(self.valid_ratio, self.test_ratio)
        check_ratios(self.valid_ratio, self.held_out_ratio)

    def hold_out(self, graph: Observed, generator: np.random.Generator) -> HeldOut:
        """Divides entities and facts.

        Raises:
            SplitError: If the graph is not one of triples, or one of the folds would be empty.
        """
        triples = as_triples(graph, "a split by entities is")
        is_test = _choose_entities(triples, int(self.test_ratio * graph.num_nodes), generator)
        seen, unseen = (_inhabited(triples, entities) for entities in (~is_test, is_test))
        count = int(self.valid_ratio * seen.num_facts)
        valid = np.sort(choose_covered(seen, generator.permutation(seen.num_facts), count))
        train = seen.select(_others(seen, valid))
        trained = np.bincount(train.triples[:, 1], minlength=triples.num_relations) > 0
        known = np.flatnonzero(trained[unseen.triples[:, 1]])
        count = int(self.held_out_ratio * unseen.num_facts)
        anywhere = np.zeros(triples.num_relations, dtype=np.bool_)
        test = np.sort(choose_covered(unseen, generator.permutation(known), count, keep_relations=anywhere))
        if len(valid) == 0 or len(test) == 0:
            raise SplitError(
                f"{graph.name}: {graph.num_facts} facts are too few to divide the entities: "
                f"{seen.num_facts} are left among those of training and {unseen.num_facts} among those of the test; "
                "add facts or use another protocol."
            )
        observed = unseen.select(_others(unseen, test))
        positives = [train.triples, seen.triples[valid], unseen.triples[test]]
        return HeldOut(train, observed, positives, seen=seen, unseen=unseen)

    def to_json(self) -> dict[str, Any]:
        """The splitter's entry in a record."""
        return {
            "split": "by entities",
            "valid_ratio": self.valid_ratio,
            "test_ratio": self.test_ratio,
            "held_out_ratio": self.held_out_ratio,
            "test_observes": ["the facts among the entities of the test that are not held out"],
        }


def _choose_entities(graph: KnowledgeGraph, count: int, generator: np.random.Generator) -> BoolArray:
    """Whether each entity goes to the test graph: breadth first from random entities."""
    is_chosen = np.zeros(graph.num_nodes, dtype=np.bool_)
    roots = iter(generator.permutation(graph.num_nodes).tolist())
    waiting: deque[int] = deque()
    left = count
    while left:
        if waiting:
            neighbours = graph.links.neighbours(waiting.popleft())
            fresh = generator.permutation(neighbours[~is_chosen[neighbours]])[:left]
        else:
            fresh = np.array([next(root for root in roots if not is_chosen[root])])
        is_chosen[fresh] = True
        left -= len(fresh)
        waiting.extend(fresh.tolist())
    return is_chosen


def _inhabited(graph: KnowledgeGraph, entities: BoolArray) -> KnowledgeGraph:
    """The graph of some entities alone, without those that have no fact among them."""
    inside = graph.of_nodes(np.flatnonzero(entities))
    return inside.of_nodes(np.unique(inside.triples[:, [0, 2]]))


def _others(graph: KnowledgeGraph, positions: IntArray) -> BoolArray:
    """Whether each fact is not at one of the positions."""
    keep = np.ones(graph.num_facts, dtype=np.bool_)
    keep[positions] = False
    return keep
