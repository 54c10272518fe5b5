"""The verdicts of the tests on two links, as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from rich.table import Table

from linkwl.graph import Graph
from linkwl.reports.colours import certainty
from linkwl.wl import Link, Verdict

Target: TypeAlias = tuple[Graph, Link]
"""A graph and a link in it."""


def verdict_table(verdicts: Mapping[str, Verdict]) -> Table:
    """One row per test: its verdict and the round that decided it."""
    table = Table(box=None, header_style="bold")
    for name in ("test", "verdict", "round"):
        table.add_column(name, justify="right" if name == "round" else "left")
    for test, verdict in verdicts.items():
        if verdict.equal:
            table.add_row(test, "cannot tell them apart", "-")
        else:
            table.add_row(test, "[bold]different[/]", str(verdict.round))
    return table


def describe_certainty(verdicts: Mapping[str, Verdict]) -> str:
    """The certainty of the verdict ``equal``; the verdict ``different`` is always certain."""
    bound = max((verdict.error_bound for verdict in verdicts.values() if verdict.equal), default=0.0)
    return f"certainty where links are equal: {certainty(bound)}"


def describe_graph(graph: Graph, name: str) -> str:
    """The size of the graph, and the notes of its reader."""
    notes = graph.intake.notes if graph.intake is not None else ()
    return "; ".join([f"{name}: {graph.num_nodes:,} nodes, {graph.num_edges:,} edges", *notes])


def describe_comparison(first: Target, second: Target, names: tuple[str, str]) -> str:
    """Which links are compared; ``names`` are the names of their graphs."""
    links = [_link_text(target) for target in (first, second)]
    if names[0] == names[1]:
        return f"{links[0]} against {links[1]} in {names[0]}"
    return f"{links[0]} in {names[0]} against {links[1]} in {names[1]}"


def describe_reading(reading: str, first: Target, second: Target, names: tuple[str, str]) -> str:
    """How the reading treated the links that are edges."""
    edges = [
        (_link_text((graph, link)), name)
        for (graph, link), name in zip((first, second), names, strict=True)
        if graph.has_edges(np.array([link]))[0]
    ]
    if not edges:
        return "neither link is an edge, so there is nothing to hide"
    if len(edges) == 1:
        edge, name = edges[0]
        return {
            "removed": f"the edge {edge} was removed from {name}: it is the target",
            "masked": f"the edge {edge} stays in {name}, and only its own colour as the target is blanked",
            "visible": f"nothing is hidden, and {edge} is an edge of {name}",
        }[reading]
    both = " and ".join(f"{edge} of {name}" for edge, name in edges)
    return {
        "removed": f"the edges {both} were removed, each for its own link: they are the targets",
        "masked": f"the edges {both} stay, and only their own colours as the targets are blanked",
        "visible": f"nothing is hidden, and {both} are edges",
    }[reading]


def _link_text(target: Target) -> str:
    graph, (p, q) = target
    return f"({graph.ids[p]}, {graph.ids[q]})"
