"""One page about a trained model: its graph, how well it does, what it finds and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import jinja2
import numpy as np

from linkwl.files import write_text
from linkwl.graph import Graph
from linkwl.metrics import reliability
from linkwl.models import create_model
from linkwl.models.calibration import FLAT, share_text
from linkwl.models.candidates import WithinHops
from linkwl.models.registry import find_rows, model_ids
from linkwl.predict import Explanation, LinkPredictor, Ranking
from linkwl.records import RunRecord
from linkwl.reports import report_figures
from linkwl.splits import PAPER, Audit, audit_split
from linkwl.training.evaluate import evaluate_split, fold_scores

TOP_K = 15
EXPLAINED = 3
LARGEST_RANKED = 5_000_000
"""Non-edges up to which all are ranked for the page; beyond, about so many of those that two edges join."""
LARGEST_SOLVED = 3000
"""Nodes up to which heuristics of the whole graph are compared with as well."""
_LOCAL = ("cn", "aa", "ra", "pa", "jaccard")


@dataclass(frozen=True)
class ModelReport:
    """What the page says."""

    predictor: LinkPredictor
    audit: Audit
    heuristics: tuple[RunRecord, ...]
    """On the same split, best on validation links first."""
    top: Ranking
    is_whole: bool
    """Whether all pairs without a link were ranked."""
    explanations: tuple[Explanation, ...]
    images: dict[str, str] = field(default_factory=dict)
    """Pictures by name, as addresses that hold them."""
    title: str = ""
    notes: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    """What to call nodes, by their names, where that is something else."""


def make_report(
    predictor: LinkPredictor,
    *,
    title: str = "",
    labels: Mapping[str, str] | None = None,
    notes: tuple[str, ...] = (),
    on_stage: Callable[[str], None] | None = None,
) -> ModelReport:
    """Measures, ranks and explains.

    Args:
        predictor: A fitted predictor.
        title: The heading; by default the graph's name.
        labels: What to call nodes, by their names.
        notes: Sentences for the end of the page.
        on_stage: Called with what is done next, in a few words.
    """

    def say(what: str) -> None:
        if on_stage is not None:
            on_stage(what)

    graph, record = predictor.graph_, predictor.record_
    split = PAPER.apply(graph, record.seed)
    say("comparing with heuristics")
    names = model_ids("heuristic") if graph.num_nodes <= LARGEST_SOLVED else _LOCAL
    heuristics = sorted(
        (evaluate_split(create_model(name), split) for name in names), key=lambda run: -run.valid["auc"]
    )
    say("ranking missing links")
    is_whole = graph.num_non_edges <= LARGEST_RANKED
    top = predictor.recommend(
        TOP_K,
        candidates="all" if is_whole else WithinHops(graph, 2, most=LARGEST_RANKED, seed=record.seed),
        on_progress=lambda done, total: say(f"ranking missing links, {done / max(total, 1):.0%}"),
    )
    say("explaining the first ones")
    explanations = tuple(predictor.explain((link.source, link.target)) for link in top.head(EXPLAINED))
    say("drawing")
    positive, negative = fold_scores(predictor.model_, split.test)
    told = [predictor.calibration_.probability(scores, 0.5) for scores in (positive, negative)]
    figures = {
        "found": report_figures.found_links(positive, negative),
        "reliability": report_figures.reliability_plot(reliability(*told)),
        **{f"pair {k}": report_figures.neighbourhood(graph, explanation) for k, explanation in enumerate(explanations)},
    }
    if record.steps:
        history = record.history
        looks = [(int(step), float(auc)) for step, auc in history["valid_auc"]]
        figures["learning"] = report_figures.learning_curve(history["losses"], looks, record.training["best_step"])
    return ModelReport(
        predictor=predictor,
        audit=audit_split(split, graph),
        heuristics=tuple(heuristics),
        top=top,
        is_whole=is_whole,
        explanations=explanations,
        images={name: report_figures.image(figure) for name, figure in figures.items()},
        title=title or f"Missing links of {graph.name}",
        notes=notes,
        labels=labels or {},
    )


def write_report(report: ModelReport, path: Path) -> None:
    """Writes the page; it needs no other file and no network."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("linkwl.reports"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    graph = report.predictor.graph_
    page = environment.get_template("report.html").render(
        report=report,
        graph=graph,
        record=report.predictor.record_,
        calibration=report.predictor.calibration_,
        flat=FLAT,
        share_text=share_text,
        titles={row.id: row.title for row in find_rows("heuristic")},
        facts=_facts(graph),
        name=lambda node: str(graph.ids[int(node)]),
        label=lambda name: report.labels.get(str(name), str(name)),
    )
    write_text(path, page)


def _facts(graph: Graph) -> dict[str, str]:
    """The graph in numbers."""
    degree = graph.degree
    facts = {
        "nodes": f"{graph.num_nodes:,}",
        "links": f"{graph.num_edges:,}",
        "pairs that are linked": f"{graph.density:.3%}",
        "links of a node": f"{degree.mean():.1f} on average, {np.median(degree):.0f} median, {degree.max():,} at most",
        "nodes without links": f"{int((degree == 0).sum()):,}",
    }
    return facts | ({"features": f"{graph.num_features:,} for each node"} if graph.num_features else {})
