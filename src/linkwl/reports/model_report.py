"""A web page about a trained model: its graph, its accuracy, its predictions and their explanations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linkwl.files import write_text
from linkwl.graph import Graph, KnowledgeGraph, Observed
from linkwl.metrics import find_metric, reliability
from linkwl.models.calibration import flat_text, share_text
from linkwl.models.registry import find_rows
from linkwl.predict.explain_triple import TripleExplanation, rule_text
from linkwl.reports import accuracy_figures, report_figures
from linkwl.reports.pages import csv_address, render_page
from linkwl.reports.triple_figure import fact_paths
from linkwl.reports.triple_inspection import inspect_knowledge_graph
from linkwl.typing import FACT_WORD

if TYPE_CHECKING:
    from linkwl.predict.summary import ModelSummary

_MOST_RELATIONS = 50


def write_report(
    summary: ModelSummary,
    path: Path,
    *,
    title: str = "",
    labels: Mapping[str, str] | None = None,
    notes: tuple[str, ...] = (),
    images: Mapping[str, str] | None = None,
) -> None:
    """Writes a self-contained page.

    Args:
        summary: The contents.
        path: The file to write.
        title: The heading; by default it names the graph.
        labels: Display labels by node name, for nodes that have one.
        notes: Sentences for the end of the page.
        images: Further pictures by name, as data URLs: ``map``, and ``narrow map`` for phones.
    """
    graph, record = summary.graph, summary.record
    names = labels or {}
    is_triples = isinstance(graph, KnowledgeGraph)
    hard_words, hard_long = _hard_words(graph)
    titles = {row.id: row.title for row in find_rows("heuristic")}
    values = {
        "title": title or f"Missing {FACT_WORD[graph.task]}s of {graph.name}",
        "summary": summary,
        "graph": graph,
        "record": record,
        "metrics": [find_metric(name) for name in record.valid if name in record.test],
        "selection": find_metric(record.selects),
        "figures": summary.figures[record.model],
        "hard_words": hard_words,
        "hard_long": hard_long,
        "compared": [
            (record.model, record.model, record.valid, record.test),
            *((run.model, titles[run.model], run.valid, run.metrics) for run in summary.heuristics),
        ],
        "images": _images(summary) | dict(images or {}),
        "notes": notes,
        "flat": flat_text(graph.task),
        "share_text": share_text,
        "facts": _triple_facts(graph) if isinstance(graph, KnowledgeGraph) else _facts(graph),
        "name": lambda node: str(graph.ids[int(node)]),
        "label": lambda name: names.get(str(name), str(name)),
        "relation": lambda number: str(graph.query_columns["relation"][int(number)]),
        "rule_text": rule_text,
        "kind": _kind(graph),
        "functional": _functional_text(graph, summary) if isinstance(graph, KnowledgeGraph) else "",
        "num_hidden": len(summary.test_scores.positive),
        "most_relations": _MOST_RELATIONS,
        "num_top": len(summary.top),
        "download": csv_address(summary.listed),
    }
    write_text(path, render_page("facts.html" if is_triples else "report.html", values))


def _hard_words(graph: Observed) -> tuple[str, str]:
    """What the hard negatives are, in few words and as the end of a sentence; see :func:`hard_negatives`."""
    if isinstance(graph, KnowledgeGraph):
        return "facts with a wrong tail", "hidden facts with another tail, which other facts of the same relation have"
    if graph.links.part is not None:
        return "pairs three links apart", "are joined by a path of three links"
    return "pairs that share a neighbour", "share a neighbour"


def _images(summary: ModelSummary) -> dict[str, str]:
    """Pictures by name, as data URLs."""
    record, hard = summary.record, summary.hard_scores
    positive, negative = summary.test_scores.positive, summary.test_scores.negative
    figures = {
        "roc": accuracy_figures.roc_plot(positive, negative, hard),
        "precision": accuracy_figures.precision_recall_plot(positive, negative, hard),
        "reliability": accuracy_figures.reliability_plot(reliability(*summary.test_probabilities)),
        "probabilities": accuracy_figures.probability_plot(*summary.test_probabilities),
    }
    for k, explanation in enumerate(summary.explanations):
        if isinstance(explanation, TripleExplanation):
            assert isinstance(summary.graph, KnowledgeGraph)
            figures[f"triple {k}"] = fact_paths(summary.graph, explanation)
        else:
            assert isinstance(summary.graph, Graph)
            figures[f"pair {k}"] = report_figures.neighbourhood(summary.graph, explanation)
    if record.steps:
        looks = [(int(step), float(value)) for step, value in record.history["valid"]]
        figures["loss"] = accuracy_figures.loss_plot(record.history["losses"])
        figures["validation"] = accuracy_figures.validation_plot(
            looks, record.training["best_step"], find_metric(record.selects).title
        )
    return {name: report_figures.image(figure) for name, figure in figures.items()}


def _functional_text(graph: KnowledgeGraph, summary: ModelSummary) -> str:
    """A sentence about relations with one tail for each head, or one head for each tail; empty without any."""
    if not (text := graph.functional.to_text()):
        return ""
    count = 0 if summary.listed.functional is None else summary.listed.functional.num_left_out
    if summary.triples is not None and not summary.is_whole:
        count = summary.triples.num_left_out
    return (
        f"In the data {text}. The {count:,} triples that would be a second value are left out of the lists; "
        "linkwl predict --second-values keep ranks them."
    )


def _triple_facts(graph: KnowledgeGraph) -> dict[str, str]:
    """Basic figures of a knowledge graph, and how it was read."""
    rows = inspect_knowledge_graph(graph).facts()
    kept = (
        "relations",
        "one value",
        "types",
        "attributes",
        "degree",
        "isolated entities",
        "components",
        "read",
        "merged",
    )
    counts = {"entities": f"{graph.num_nodes:,}", "facts": f"{graph.num_facts:,}"}
    return counts | {name: rows[name] for name in kept if name in rows}


def _kind(graph: Observed) -> str:
    """What kind of graph this is, as far as it is not the usual one: directions, sides, and what is known."""
    words = []
    if graph.task == "pairs":
        words += ["directed"] * graph.is_directed
        words += ["two sides"] * (getattr(graph, "part", None) is not None)
    if graph.num_features:
        words.append(f"{graph.num_features:,} features for each node")
    known = getattr(graph, "attributes", None)
    words += ["places"] * (known is not None and known.positions is not None)
    return "".join(f", {word}" for word in words)


def _facts(graph: Observed) -> dict[str, str]:
    """Basic figures of the graph."""
    degree = graph.links.degree
    facts = {
        "nodes": f"{graph.num_nodes:,}",
        "links": f"{graph.num_facts:,}",
        "pairs that are linked": f"{graph.density:.3%}",
        "links of a node": f"{degree.mean():.1f} on average, {np.median(degree):.0f} median, {degree.max():,} at most",
        "nodes without links": f"{int((degree == 0).sum()):,}",
    }
    return facts | ({"features": f"{graph.num_features:,} for each node"} if graph.num_features else {})
