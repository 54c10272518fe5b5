"""What a report about a model of triples says beyond that of pairs: relations, rules, the best facts of each kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from linkwl.graph import KnowledgeGraph
from linkwl.predict.held_out_figures import known_to_test
from linkwl.predict.predictor import LinkPredictor
from linkwl.predict.ranking import Ranking
from linkwl.predict.relation_figures import RelationFigures, TailTest, rank_tails, relation_figures
from linkwl.predict.rules import Rule, rules_of
from linkwl.predict.triple_candidates import TripleGrid, TriplesOfRoles
from linkwl.splits import Split
from linkwl.splits.inverse_relations import find_inverses
from linkwl.typing import IntArray

MOST_RANKED = 400_000
"""Triples that are ranked, approximately."""
MOST_RULES = 15
FEWEST_HOLDING = 5
"""Rules that hold less often are not listed."""


@dataclass(frozen=True)
class TripleSummary:
    """The relations of a knowledge graph, the rules that hold in it, and its likeliest missing facts."""

    relations: tuple[RelationFigures, ...]
    tests: tuple[TailTest, ...]
    """Relations with hidden facts, the hardest first."""
    rules: tuple[Rule, ...]
    top: Ranking
    """The likeliest missing facts between a relation's :func:`known_roles`."""
    best: Ranking
    """The likeliest of these of each relation, best first."""
    num_ranked: int
    """Number of triples among which they were found."""
    num_with_roles: int
    """Number of triples whose ends are known as such for their relation, of which the ranked ones are a sample."""
    num_left_out: int
    """Number of these that would be second values of a functional relation, and were left out."""


def summarise_triples(
    predictor: LinkPredictor, split: Split, top_k: int, on_stage: Callable[[str], None]
) -> TripleSummary:
    """Measures relations, counts rules and ranks missing facts with a fitted predictor.

    Args:
        predictor: A predictor that was fitted to a knowledge graph.
        split: The split that it was fitted to.
        top_k: Number of missing facts.
        on_stage: Called with the next activity, in a few words.
    """
    graph, observed = predictor.graph_, split.test.observed
    assert isinstance(graph, KnowledgeGraph)
    assert isinstance(observed, KnowledgeGraph)
    on_stage("ranking the tails of hidden facts")
    hidden, known = np.unique(split.test.positives, axis=0), known_to_test(graph, split)
    tests = rank_tails(predictor.model_.prepare(observed), hidden, known, predictor.record_.seed)
    figures = relation_figures(graph)
    found, num_ranked = [], 0
    for number, row in enumerate(figures, 1):
        on_stage(f"ranking missing facts, relation {number} of {len(figures)}")
        heads, tails = known_roles(graph, row.relation, MOST_RANKED // len(figures), predictor.record_.seed)
        grid = TripleGrid(graph, [(heads, tails)], row.relation)
        found.append(predictor.recommend(top_k, candidates=grid, progress=False))
        num_ranked += len(heads) * len(tails)
    everything = _joined(graph, found)
    num_left_out = sum(ranking.search.num_left_out for ranking in found if ranking.search is not None)
    return TripleSummary(
        relations=tuple(figures),
        tests=tuple(tests),
        rules=tuple(best_rules(graph)),
        top=first_rows(everything, top_k),
        best=first_rows(_joined(graph, [first_rows(ranking, 1) for ranking in found]), len(found)),
        num_ranked=num_ranked,
        num_with_roles=TriplesOfRoles(graph).num_queries,
        num_left_out=num_left_out,
    )


def known_roles(graph: KnowledgeGraph, relation: int, most: int, seed: int) -> tuple[IntArray, IntArray]:
    """The heads and the tails of a relation: between them its missing facts are looked for.

    Args:
        graph: The graph.
        relation: A relation with facts.
        most: Number of pairs of head and tail; if there are more, some heads are drawn, and some tails if need be.
        seed: Seed of these.
    """
    generator = np.random.default_rng([seed, relation])
    facts = graph.triples[graph.triples[:, 1] == relation]
    tails = _some(np.unique(facts[:, 2]), most, generator)
    heads = _some(np.unique(facts[:, 0]), max(1, most // max(len(tails), 1)), generator)
    return heads, tails


def best_rules(graph: KnowledgeGraph) -> list[Rule]:
    """The rules with the highest confidence, then support, among those that hold several times.

    A relation that is symmetric, or has an inverse, is followed along its facts only, so that rules are listed once.
    """
    count = graph.num_relations
    _, inverses = find_inverses(graph)
    followed_once = {count + relation for relation in inverses.reshape(-1).tolist()}
    rules = [
        rule
        for rule in rules_of(graph)
        if rule.support >= FEWEST_HOLDING and (len(rule.body) == 1 or followed_once.isdisjoint(rule.body))
    ]
    return sorted(rules, key=lambda rule: (-rule.confidence, -rule.support, rule.body))[:MOST_RULES]


def _some(values: IntArray, most: int, generator: np.random.Generator) -> IntArray:
    return np.sort(generator.permutation(values)[: max(most, 1)])


def _joined(graph: KnowledgeGraph, rankings: list[Ranking]) -> Ranking:
    """All rows of several rankings, best first."""
    if not rankings:
        return Ranking(graph.query_columns, np.empty((0, 3), dtype=np.int32), np.empty(0), np.empty(0))
    queries, scores, probabilities = (
        np.concatenate([getattr(ranking, name) for ranking in rankings])
        for name in ("queries", "scores", "probabilities")
    )
    order = np.argsort(-scores, kind="stable")
    return Ranking(graph.query_columns, queries[order], scores[order], probabilities[order])


def first_rows(ranking: Ranking, count: int) -> Ranking:
    """The first rows of a ranking."""
    return ranking[:count]
