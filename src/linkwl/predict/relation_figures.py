"""Figures of each relation of a knowledge graph: its facts, and how well a model finds the tails of hidden ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwl.graph import KnowledgeGraph
from linkwl.metrics import average_rank
from linkwl.models import Scorer
from linkwl.typing import FloatArray, IntArray, Queries

MOST_RELATIONS = 30
"""Relations that are tested: those with the most hidden facts."""
MOST_ENTITIES = 1000
"""Up to this many entities, a tail is ranked among all; beyond, among so many random ones."""
MOST_SCORED = 150_000
"""Triples that are scored for the test, approximately."""
_MOST_TESTED, _FIRST = 20, 10


@dataclass(frozen=True)
class RelationFigures:
    """The facts of one relation."""

    relation: int
    facts: int
    heads: int
    """Number of entities that are the head of a fact."""
    tails: int
    symmetric: float
    """The share of the facts (h, t) for which (t, h) is a fact of the same relation."""


@dataclass(frozen=True)
class TailTest:
    """How well a model finds the tails of hidden facts of one relation."""

    relation: int
    hidden: int
    """Number of hidden facts."""
    tested: int
    """Number of these that were tested."""
    candidates: int
    """The tail of each was ranked among about so many entities; those that make a known fact do not compete."""
    found: float
    """The share of the tails with a rank up to ten; ranks are averaged over the order of ties."""
    median_rank: float


def relation_figures(graph: KnowledgeGraph) -> list[RelationFigures]:
    """The figures of every relation that has facts, those with the most facts first."""
    count = graph.num_relations
    head, relation, tail = graph.triples.T.astype(np.int64)
    facts = np.bincount(relation, minlength=count)
    heads, tails = (
        np.bincount(np.unique(relation * graph.num_nodes + end) // max(graph.num_nodes, 1), minlength=count)
        for end in (head, tail)
    )
    turned = np.bincount(relation, weights=graph.contains(graph.triples[:, ::-1]), minlength=count)
    order = [int(r) for r in np.argsort(-facts, kind="stable") if facts[r]]
    return [RelationFigures(r, int(facts[r]), int(heads[r]), int(tails[r]), float(turned[r] / facts[r])) for r in order]


def rank_tails(scorer: Scorer, hidden: Queries, known: KnowledgeGraph, seed: int = 0) -> list[TailTest]:
    """Ranks the tails of hidden facts, some of each relation, the hardest relation first.

    Args:
        scorer: A model that has read the graph without the hidden facts.
        hidden: The hidden facts, of the same graph.
        known: All facts of these entities, hidden ones included.
        seed: Seed of the facts and entities that are drawn.
    """
    generator = np.random.default_rng(seed)
    numbers = np.bincount(hidden[:, 1], minlength=known.num_relations)
    relations = [int(r) for r in np.argsort(-numbers, kind="stable")[:MOST_RELATIONS] if numbers[r]]
    size = min(known.num_nodes, MOST_ENTITIES)
    each = min(max(MOST_SCORED // max(len(relations) * size, 1), 1), _MOST_TESTED)
    found = []
    for relation in relations:
        facts = hidden[hidden[:, 1] == relation]
        facts = facts[np.sort(generator.permutation(len(facts))[:each])]
        ranks = _tail_ranks(scorer, facts, known, np.sort(generator.permutation(known.num_nodes)[:size]))
        if len(ranks):
            hits, median = float((ranks <= _FIRST).mean()), float(np.median(ranks))
            found.append(TailTest(relation, int(numbers[relation]), len(ranks), size, hits, median))
    return sorted(found, key=lambda test: (test.found, -test.median_rank))


def _tail_ranks(scorer: Scorer, facts: Queries, known: KnowledgeGraph, entities: IntArray) -> FloatArray:
    """The rank of each tail among the entities that make no known fact; facts without such an entity are left out."""
    others = np.repeat(facts, len(entities), axis=0)
    others[:, 2] = np.tile(entities, len(facts))
    is_open = ~known.contains(others) & (others[:, 2] != others[:, 0])
    sizes = is_open.reshape(len(facts), -1).sum(axis=1)
    scores = scorer(np.concatenate([facts[sizes > 0], others[is_open]]))
    lists = np.concatenate([[0], np.cumsum(sizes[sizes > 0])])
    positive, negative = np.split(scores, [len(lists) - 1])
    return average_rank(positive, negative, lists) if len(positive) else np.empty(0)
