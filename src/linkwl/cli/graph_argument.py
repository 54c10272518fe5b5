"""The argument GRAPH: a catalogue name or a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from linkwl.cli.console import console
from linkwl.errors import InputError, UnknownNameError
from linkwl.graph import Graph, KnowledgeGraph

GraphArgument = Annotated[
    str,
    typer.Argument(
        metavar="GRAPH",
        help="A catalogue name (usair, cora, ...), a file of edges, or a folder with train.txt and valid.txt.",
    ),
]
TimeOption = Annotated[
    str | None,
    typer.Option(metavar="COL", help="Column of the file with the time of each edge, by name or number, from 1."),
]
DirectedOption = Annotated[bool, typer.Option("--directed", help="Keep the direction of edges.")]
JsonOption = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="Write the result as JSON; '-' for standard output.")
]


def open_graph(
    graph: str,
    *,
    features: Path | None = None,
    directed: bool | None = None,
    time: str | None = None,
    allow_edgeless: bool = False,
) -> Graph | KnowledgeGraph:
    """The graph that the argument GRAPH names.

    Raises:
        UnknownNameError: If it is neither a catalogue name nor a file; the nearest names are suggested.
    """
    from linkwl.datasets import CATALOGUE
    from linkwl.graph import load_graph
    from linkwl.graph.readers.features import read_features

    if graph in CATALOGUE:
        if time is not None:
            raise InputError(f"--time {time}: the edges of {graph} have no times.")
        loaded = _load_dataset(graph)
        return loaded if features is None else loaded.with_features(read_features(features, loaded.ids))
    path = Path(graph)
    if not path.suffix and len(path.parts) == 1 and not os.path.lexists(path):
        raise UnknownNameError(
            "dataset", graph, CATALOGUE, remedy="There is no file of that name either; see `linkwl datasets list`."
        )
    column = int(time) if time is not None and time.isdecimal() else time
    return load_graph(path, features=features, directed=directed, time=column, allow_edgeless=allow_edgeless)


def _load_dataset(name: str) -> Graph | KnowledgeGraph:
    """A graph of the catalogue, with a progress bar while its files are downloaded."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    from linkwl.datasets import load_dataset

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"fetching {name}", visible=False, total=None)

        def show(received: int, expected: int) -> None:
            bar.update(task, completed=received, total=expected, visible=True)

        return load_dataset(name, on_progress=show)
