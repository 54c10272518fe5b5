"""The contents of a report about a trained model: measurements, ranking and explanations."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from linkwl.errors import InputError
from linkwl.graph import Graph, KnowledgeGraph, Observed
from linkwl.graph.node_ids import NodeId
from linkwl.metrics import TargetScores
from linkwl.models import create_model
from linkwl.models.calibration import Calibration
from linkwl.models.registry import find_rows
from linkwl.predict.candidates import WithinHops
from linkwl.predict.explanation import Explanation
from linkwl.predict.held_out_figures import HeldOutFigures, hard_negatives, measure_held_out, score_held_out
from linkwl.predict.predictor import LinkPredictor
from linkwl.predict.ranking import RankedFact, RankedLink, Ranking
from linkwl.predict.triple_summary import TripleSummary, first_rows, summarise_triples
from linkwl.protocols import protocol_for
from linkwl.records import RunRecord, TrainingRecord
from linkwl.splits import Audit, audit_split
from linkwl.training.evaluate import evaluate_split
from linkwl.training.train import measured_part, split_of
from linkwl.typing import FloatArray, Scores

TOP_K = 15
LISTED = 100
"""Number of links or facts in the table of a report, which can be searched; the first of them are in ``top``."""
EXPLAINED = 3
LARGEST_RANKED = 5_000_000
"""Up to this many queries, all are ranked."""
NEAR_RANKED = 1_000_000
"""Beyond, about this many pairs with a common neighbour are ranked instead."""
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
    figures: dict[str, HeldOutFigures]
    """Ranks, intervals and hard negatives on the test fold, of the model and of the heuristics, by their names."""
    hard_scores: Scores | None
    """The scores of the hard negatives of these figures; None if there are too few."""
    listed: Ranking
    """The likeliest missing links or facts; see :data:`LISTED`."""
    top: Ranking
    """The first of them; see :data:`TOP_K`."""
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
    whole = split_of(record, graph)
    split = measured_part(whole, record.seed)
    say("comparing with heuristics")
    is_large = graph.num_nodes > LARGEST_SOLVED
    rows = [row for row in find_rows("heuristic", task=graph.task) if not (is_large and row.needs.whole_graph)]
    formulas = {row.id: create_model(row.id, graph.task) for row in rows}
    heuristics = []
    for model in formulas.values():
        with suppress(InputError):  # one that refuses the graph is left out, such as simrank across two sides
            heuristics.append(evaluate_split(model, split, protocol))
    heuristics.sort(key=lambda run: -run.valid[record.selects])
    say("measuring on hard negatives")
    hard = hard_negatives(graph, split, record.seed)
    figures = {run.model: measure_held_out(*score_held_out(formulas[run.model], split, hard)) for run in heuristics}
    test_scores, hard_scores = score_held_out(predictor.model_, split, hard)
    figures[record.model] = measure_held_out(test_scores, hard_scores)
    say("ranking missing links")
    is_whole = graph.num_absent <= LARGEST_RANKED
    triples = summarise_triples(predictor, split, LISTED, say) if isinstance(graph, KnowledgeGraph) else None
    if triples is not None and not is_whole:
        listed = triples.top
    else:
        near = WithinHops(graph, 2, most=NEAR_RANKED, seed=record.seed) if isinstance(graph, Graph) else "all"
        listed = predictor.recommend(
            LISTED,
            candidates="all" if is_whole else near,
            on_progress=lambda done, total: say(f"ranking missing links, {done / max(total, 1):.0%}"),
        )
    top = first_rows(listed, TOP_K)
    to_explain = top if triples is None else triples.best
    say("explaining the first ones")
    explanations = tuple(
        predictor.explain(names, progress=False)
        for names in map(_names, to_explain.head(EXPLAINED))
        if names[0] != names[-1]
    )
    calibration = predictor.calibration_
    return ModelSummary(
        graph=graph,
        record=record,
        calibration=calibration,
        has_own_prior=predictor.prior is not None,
        audit=audit_split(whole, graph),
        heuristics=tuple(heuristics),
        figures=figures,
        hard_scores=hard_scores,
        listed=listed,
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
