"""The verdicts that a model is trained again with, and what becomes of them when the new model is open."""

from __future__ import annotations

from typing import Any

from linkwl.graph import Observed
from linkwl.serving.decisions import Change, key_of, query_of
from linkwl.serving.state import Opened
from linkwl.storage.model_folder import recorded_decisions


def decision_rows(opened: Opened) -> list[dict[str, Any]]:
    """The verdicts on links of the open graph by name, as rows for :func:`linkwl.graph.readers.decisions`.

    Links that were rejected when the open model was trained are among them, unless they have another verdict now.
    """
    graph = opened.graph
    found = {decision.key: decision.verdict for decision in opened.decisions.all()}
    earlier = recorded_decisions(opened.predictor.record_, graph).rejected.tolist()
    verdicts = {key_of(graph, query): "rejected" for query in earlier} | found
    return [_row(graph, query_of(graph, key)) | {"verdict": verdict} for key, verdict in verdicts.items()]


def carry_over(before: Opened, after: Opened) -> None:
    """Keeps the verdicts that are still about missing links, if the graph has changed: accepted links are edges now.

    Args:
        before: The model that was open; its graph has the same nodes.
        after: The model that was trained on it again.
    """
    if before.graph.digest == after.graph.digest:
        return  # both have the same file of decisions
    known = {decision.key for decision in after.decisions.all()}
    changes = [
        Change(decision.key, decision.verdict, decision.probability, decision.time)
        for decision in before.decisions.all()
        if decision.verdict != "accepted" and decision.key not in known
    ]
    if changes:
        after.decisions.put(changes)


def _row(graph: Observed, query: list[int]) -> dict[str, Any]:
    columns = graph.query_columns.items()
    return {name: ids[index] for (name, ids), index in zip(columns, query, strict=True)}
