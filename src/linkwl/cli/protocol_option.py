"""The option ``--protocol``, and what it means for a graph."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.completion import PROTOCOL_NAMES, complete_protocol
from linkwl.cli.console import say
from linkwl.errors import InputError

if TYPE_CHECKING:
    from linkwl.graph import Observed
    from linkwl.protocols import Protocol

ProtocolOption = Annotated[
    str | None,
    typer.Option(
        metavar="P",
        autocompletion=complete_protocol,
        help=f"How to split and what to measure: {', '.join(PROTOCOL_NAMES)}. By default paper for pairs; indigo for "
        "triples, or facts if there are few relations.",
    ),
]


UntilOption = Annotated[
    str | None,
    typer.Option(
        metavar="T", help="With --protocol temporal: the last moment that is observed, a number or a date (2024-05-31)."
    ),
]
HorizonOption = Annotated[
    str | None,
    typer.Option(
        metavar="D",
        help="With --protocol temporal: how long after it links are predicted, a number or a duration (90d).",
    ),
]


def choose_protocol(
    name: str | None, graph: Observed, *, until: str | None = None, horizon: str | None = None
) -> Protocol:
    """The protocol with this name; by default that which models are trained under.

    Args:
        name: The name.
        graph: The graph to measure.
        until: The last moment of the past, for a split in time.
        horizon: How far the future reaches.

    Raises:
        InputError: If a moment is given and the protocol does not split in time.
    """
    from linkwl.graph.moments import parse_duration, parse_moment
    from linkwl.protocols import find_protocol, protocol_for
    from linkwl.splits import TemporalSplit

    chosen = protocol_for(graph) if name is None else find_protocol(name)
    if until is None and horizon is None:
        return chosen
    if not isinstance(chosen.splitter, TemporalSplit):
        raise InputError(
            f"--until and --horizon divide edges by their times, and protocol `{chosen.id}` does not; add --protocol "
            "temporal, and --time COL for the column of the times."
        )
    splitter = replace(
        chosen.splitter,
        until=None if until is None else parse_moment(until),
        horizon=None if horizon is None else parse_duration(horizon),
    )
    return replace(chosen, splitter=splitter)


def say_division(graph: Observed, protocol: Protocol) -> None:
    """Prints that the division of a benchmark is not used, if it has one and the protocol splits otherwise."""
    from linkwl.graph import KnowledgeGraph
    from linkwl.splits import DividedSplit, FileSplit

    is_divided = isinstance(graph, KnowledgeGraph) and graph.division is not None
    if is_divided and not isinstance(protocol.splitter, DividedSplit | FileSplit):
        say(f"protocol `{protocol.id}` splits the facts of {graph.name} anew and does not use their division.")
