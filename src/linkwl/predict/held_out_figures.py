"""How well a model finds held-out links, beyond its protocol: ranks, intervals, and negatives that look like links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from linkwl.errors import SplitError
from linkwl.graph import Graph, KnowledgeGraph, Observed
from linkwl.metrics import TargetScores, auc, auc_interval, find_metric, share_interval
from linkwl.models import LinkModel
from linkwl.protocols import target_scores
from linkwl.splits import Split, near_negatives
from linkwl.splits.entity_corruptions import corrupt
from linkwl.typing import Queries, Scores

_CUTS = (1, 10, 50, 100)
_MOST_CUTS = 2
FEWEST_HARD = 5
"""With fewer hard negatives there is no figure."""


class Estimate(NamedTuple):
    """A figure between 0 and 1 with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class HeldOutFigures:
    """One model on the test fold."""

    auc: Estimate
    """Against the negatives of the protocol."""
    hits: dict[int, Estimate]
    """Hits@K by K: the share of links that fewer than K of these negatives beat."""
    mrr: float
    hard_auc: Estimate | None
    """Against as many negatives that look like links; None if the graph has too few of them."""


def hard_negatives(graph: Observed, split: Split, seed: int) -> Queries:
    """Negatives for the test fold of a split, about as many as it has positives.

    In a graph of pairs they share a neighbour, :func:`linkwl.splits.near_negatives`. In a knowledge graph they are the
    hidden facts with another tail that has this role in an observed fact.

    Args:
        graph: The whole graph.
        split: A split of it.
        seed: Seed of the draw.
    """
    generator = np.random.default_rng([seed, 21])
    observed, positives = split.test.observed, split.test.positives
    if isinstance(graph, Graph):
        assert isinstance(observed, Graph)
        return near_negatives(graph, observed, len(positives), generator)
    assert isinstance(graph, KnowledgeGraph)
    assert isinstance(observed, KnowledgeGraph)
    hidden = np.unique(positives, axis=0)
    try:
        tails = corrupt(hidden, known_to_test(graph, split), observed, 1, generator).negatives[: len(hidden)]
    except SplitError:  # an entity holds for all others
        return positives[:0]
    return np.unique(tails, axis=0)


def known_to_test(graph: KnowledgeGraph, split: Split) -> KnowledgeGraph:
    """All known facts of the entities of the test fold, hidden ones included."""
    observed = split.test.observed
    assert isinstance(observed, KnowledgeGraph)
    known = observed.with_(np.unique(split.test.positives, axis=0))
    if graph.division is not None and split.is_inductive:
        known = known.with_(graph.division.unseen_valid)
    return known


def score_held_out(model: LinkModel, split: Split, hard: Queries) -> tuple[TargetScores, Scores | None]:
    """The scores of the targets of the test fold, and of the hard negatives; None for these if they are too few.

    Args:
        model: A formula, or a fitted model.
        split: The folds.
        hard: The hard negatives.
    """
    targets = split.test.targets
    scorer = model.prepare(model.view(split.test.observed))
    scores, of_hard = np.split(scorer(np.concatenate([targets.queries, hard])), [len(targets.queries)])
    return target_scores(targets, scores), of_hard if len(hard) >= FEWEST_HARD else None


def measure_held_out(scores: TargetScores, hard: Scores | None) -> HeldOutFigures:
    """The figures of what :func:`score_held_out` gives."""
    hits = {k: find_metric(f"hits@{k}").measure(scores) for k in shown_cuts(scores)}
    return HeldOutFigures(
        auc=Estimate(find_metric("auc").measure(scores), *auc_interval(scores.positive, scores.negative)),
        hits={k: Estimate(value, *share_interval(value, len(scores.positive))) for k, value in hits.items()},
        mrr=find_metric("mrr").measure(scores),
        hard_auc=None if hard is None else Estimate(auc(scores.positive, hard), *auc_interval(scores.positive, hard)),
    )


def shown_cuts(scores: TargetScores) -> list[int]:
    """The K of Hits@K: the two largest of 1, 10, 50 and 100 that a random order reaches in at most one case of ten."""
    offsets = scores.pools if scores.lists is None else scores.lists
    fewest = len(scores.negative) if offsets is None else int(np.diff(offsets).min())
    return [k for k in _CUTS if 10 * k <= fewest + 1][-_MOST_CUTS:] or [1]
