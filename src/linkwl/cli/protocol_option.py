"""The option ``--protocol``, and what it means for a graph."""

from __future__ import annotations

from typing import Annotated

import typer

from linkwl.cli.console import say
from linkwl.graph import KnowledgeGraph, Observed
from linkwl.protocols import PROTOCOLS, Protocol, find_protocol, protocol_for
from linkwl.splits import DividedSplit, FileSplit

ProtocolOption = Annotated[
    str | None,
    typer.Option(
        metavar="P",
        help=f"How to split and what to measure: {', '.join(PROTOCOLS)}. By default paper for pairs; indigo for "
        "triples, or facts if there are few relations.",
    ),
]


def choose_protocol(name: str | None, graph: Observed) -> Protocol:
    """The protocol with this name; by default that which models are trained under."""
    return protocol_for(graph) if name is None else find_protocol(name)


def say_division(graph: Observed, protocol: Protocol) -> None:
    """Prints that the division of a benchmark is not used, if it has one and the protocol splits otherwise."""
    is_divided = isinstance(graph, KnowledgeGraph) and graph.division is not None
    if is_divided and not isinstance(protocol.splitter, DividedSplit | FileSplit):
        say(f"protocol `{protocol.id}` splits the facts of {graph.name} anew and does not use their division.")
