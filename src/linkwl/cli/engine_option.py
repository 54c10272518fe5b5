"""The option --engine: how to run work that divides into tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from linkwl.engine import Engine

EngineOption = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="E",
        help="How to run: inline (one process), processes:N, ray (on this machine), or a Ray cluster: ray:HOST:PORT "
        "from one of its nodes, ray://HOST:PORT from outside.",
    ),
]


def open_engine(name: str | None) -> Engine | None:
    """The engine with the given name; None without a name.

    Raises:
        InputError: If there is no such engine, or it is not installed.
    """
    if name is None:
        return None
    from linkwl.engine import find_engine

    return find_engine(name)
