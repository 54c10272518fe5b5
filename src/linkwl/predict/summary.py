"""The contents of a report about a trained model: measurements, ranking and explanations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from linkwl.graph import Graph, KnowledgeGraph, Observed
from linkwl.graph.node_ids import NodeId
from linkwl.metrics import TargetScores
from linkwl.models import create_model
from linkwl.models.calibration import Calibration
from linkwl.models.registry import find_rows
from linkwl.predict.candidates import WithinHops
from linkwl.predict.explanation import Explanation
from linkwl.predict.predictor import LinkPredictor
from linkwl.predict.ranking import RankedFact, RankedLink, Ranking
from linkwl.predict.triple_summary import TripleSummary, summarise_triples
from linkwl.protocols import protocol_for, target_scores
from linkwl.records import RunRecord, TrainingRecord
from linkwl.splits import Audit, audit_split
from linkwl.training.evaluate import evaluate_split, fold_scores
from linkwl.typing import FloatArray

TOP_K = 15
EXPLAINED = 3
LARGEST_RANKED = 5_000_000
"""Up to this many queries, all are ranked; beyond, about this many pairs with a common neighbour, or fewer triples."""
LARGEST_SOLVED = 3000
"""Nodes up to which heuristics of the whole graph are compared with as well."""


@dataclass(frozen=True)
class ModelSummary:
    """A trained model: its graph, its accuracy, its predictions and their explanations."""

    graph: Observed
    record: TrainingRecord
    calibration: Calibration
    has_own_prior: bool
    """Whether the share of links was given instead of taken from the graph."""
    audit: Audit
    heuristics: tuple[RunRecord, ...]
    """On the same split, best on validation links first."""
    top: Ranking
    is_whole: bool
    """Whether all pairs without a link, or all triples that are no facts, were ranked."""
    explanations: tuple[Explanation, ...]
    """Explanations of the first links, or of the first facts of several relations."""
    test_scores: TargetScores
    test_probabilities: tuple[FloatArray, FloatArray]
    """Probabilities of positives and negatives, for a prior of one half."""
    triples: TripleSummary | None = None
    """What there is to say of a knowledge graph alone."""


def summarise(predictor: LinkPredictor, *, on_stage: Callable[[str], None] | None = None) -> ModelSummary:
    """Measures, ranks and explains with a fitted predictor.

    Args:
        predictor: A fitted predictor.
        on_stage: Called with the next activity, in a few words.
    """

    def say(what: str) -> None:
        if on_stage is not None:
            on_stage(what)

    graph, record = predictor.graph_, predictor.record_
    protocol = protocol_for(graph)
    split = protocol.apply(graph, record.seed)
    say("comparing with heuristics")
    is_large = graph.num_nodes > LARGEST_SOLVED
    rows = [row for row in find_rows("heuristic", task=graph.task) if not (is_large and row.needs.whole_graph)]
    heuristics = [evaluate_split(create_model(row.id, graph.task), split, protocol) for row in rows]
    heuristics.sort(key=lambda run: -run.valid[record.selects])
    say("ranking missing links")
    is_whole = graph.num_absent <= LARGEST_RANKED
    triples = summarise_triples(predictor, split, TOP_K, say) if isinstance(graph, KnowledgeGraph) else None
    if triples is not None and not is_whole:
        top = triples.top
    else:
        near = WithinHops(graph, 2, most=LARGEST_RANKED, seed=record.seed) if isinstance(graph, Graph) else "all"
        top = predictor.recommend(
            TOP_K,
            candidates="all" if is_whole else near,
            on_progress=lambda done, total: say(f"ranking missing links, {done / max(total, 1):.0%}"),
        )
    to_explain = top if triples is None else triples.best
    say("explaining the first ones")
    explanations = tuple(
        predictor.explain(names, progress=False)
        for names in map(_names, to_explain.head(EXPLAINED))
        if names[0] != names[-1]
    )
    test_scores = target_scores(split.test.targets, fold_scores(predictor.model_, split.test))
    calibration = predictor.calibration_
    return ModelSummary(
        graph=graph,
        record=record,
        calibration=calibration,
        has_own_prior=predictor.prior is not None,
        audit=audit_split(split, graph),
        heuristics=tuple(heuristics),
        top=top,
        is_whole=is_whole,
        explanations=explanations,
        test_scores=test_scores,
        test_probabilities=(
            calibration.probability(test_scores.positive, 0.5),
            calibration.probability(test_scores.negative, 0.5),
        ),
        triples=triples,
    )


def _names(row: RankedLink | RankedFact) -> tuple[NodeId, ...]:
    """The names in a row."""
    return (row.source, row.target) if isinstance(row, RankedLink) else (row.head, row.relation, row.tail)
