"""The option --engine: how to run work that divides into tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from linkwl.engine import Engine

EngineOption = Annotated[
    str | None,
    typer.Option("--engine", metavar="E", help="How to run: inline (one process) or processes:N."),
]


def open_engine(name: str | None) -> Engine | None:
    """The engine with the given name; None without a name.

    Raises:
        InputError: If there is no such engine.
    """
    if name is None:
        return None
    from linkwl.engine import find_engine

    return find_engine(name)
