"""Graphs as tables: their facts by name, and an overview for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from linkwl.html_table import facts_html

if TYPE_CHECKING:
    from linkwl.graph.graph import Graph
    from linkwl.graph.intake import Intake
    from linkwl.graph.knowledge_graph import KnowledgeGraph

_MOST_NOTES = 6


def edge_table(graph: Graph) -> pa.Table:
    """The edges: ``source`` and ``target`` by name, and ``weight`` and ``time`` if there are any.

    Sources are on the first side of a bipartite graph.
    """
    pairs = graph.edges
    if graph.part is not None:
        pairs = np.where(graph.part[pairs[:, :1]] == 0, pairs, pairs[:, ::-1])
    columns = {name: ids.take(column) for (name, ids), column in zip(graph.query_columns.items(), pairs.T, strict=True)}
    extra = {"weight": graph.edge_weight, "time": graph.edge_time}
    return pa.table(columns | {name: values for name, values in extra.items() if values is not None})


def triple_table(graph: KnowledgeGraph) -> pa.Table:
    """The facts: ``head``, ``relation`` and ``tail`` by name."""
    named = zip(graph.query_columns.items(), graph.triples.T, strict=True)
    return pa.table({name: ids.take(column) for (name, ids), column in named})


def graph_html(graph: Graph) -> str:
    """Numbers of nodes and edges, and what else is known about them."""
    kind = "directed edges" if graph.is_directed else "edges"
    facts = {
        "nodes": f"{graph.num_nodes:,}",
        kind: f"{graph.num_edges:,} of {graph.num_pairs:,} pairs ({graph.density:.2%})",
        "degree": f"{graph.degree.mean():.1f} on average, at most {graph.degree.max():,}" if graph.num_nodes else "",
        "features": f"{graph.num_features:,}" if graph.features is not None else "",
        "coordinates": "yes" if graph.attributes is not None and graph.attributes.positions is not None else "",
        "weights": _span(graph.edge_weight),
        "times": _span(graph.edge_time),
    }
    if graph.part is not None:
        right = int(graph.part.sum())
        facts["sides"] = f"{graph.num_nodes - right:,} and {right:,} nodes"
    return facts_html(graph.name, {name: text for name, text in facts.items() if text}, _notes(graph.intake))


def knowledge_graph_html(graph: KnowledgeGraph) -> str:
    """Numbers of nodes, relations and facts, and what else is known about them."""
    facts = {
        "nodes": f"{graph.num_nodes:,}",
        "relations": f"{graph.num_relations:,}",
        "facts": f"{graph.num_facts:,}",
    }
    if graph.features is not None:
        facts["features"] = f"{graph.num_features:,}"
    if graph.types is not None:
        facts["types"] = f"{len(graph.types.names):,} of {graph.types.num_typed:,} nodes"
    if graph.division is not None:
        facts["division"] = "by the authors of the benchmark"
    return facts_html(graph.name, facts, _notes(graph.intake))


def _span(values: np.ndarray | None) -> str:
    """The smallest and the largest value."""
    return "" if values is None or len(values) == 0 else f"{values.min():g} to {values.max():g}"


def _notes(intake: Intake | None) -> list[str]:
    notes = [] if intake is None else list(intake.notes)
    more = len(notes) - _MOST_NOTES
    return [*notes[:_MOST_NOTES], f"and {more} more notes in `intake.notes`"] if more > 0 else notes
