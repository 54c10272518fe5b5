"""The argument GRAPH: a catalogue name or a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from linkwl.cli.console import console
from linkwl.errors import InputError, UnknownNameError
from linkwl.graph import Graph, KnowledgeGraph
from linkwl.graph.node_table import Missing
from linkwl.graph.triple_columns import ANY_COLUMNS, TripleColumns

GraphArgument = Annotated[
    str,
    typer.Argument(
        metavar="GRAPH",
        help="A catalogue name (usair, world, ...), a file of edges or triples, or the folder of a benchmark.",
    ),
]
TimeOption = Annotated[
    str | None,
    typer.Option(metavar="COL", help="Column of the file with the time of each edge, by name or number, from 1."),
]
_COLUMN = "Column of the file with the {}, by name or number, from 1; with one of these options it holds triples."
HeadOption = Annotated[str | None, typer.Option(metavar="COL", help=_COLUMN.format("heads"))]
RelationOption = Annotated[
    str | None,
    typer.Option(
        metavar="COL",
        help="Column with the relations, given in the same way; none, to read edges where triples are recognised.",
    ),
]
TailOption = Annotated[str | None, typer.Option(metavar="COL", help="Column with the tails, given in the same way.")]
TypesOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Types of entities, CSV or Parquet: an entity and a type per row.")
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        metavar="H,R,T", help="Columns with the heads, relations and tails of that file, by names or numbers, from 1."
    ),
]
DirectedOption = Annotated[bool, typer.Option("--directed", help="Keep the direction of edges.")]
JsonOption = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="Write the result as JSON; '-' for standard output.")
]


def open_graph(
    graph: str,
    *,
    features: Path | None = None,
    missing_features: Missing = "error",
    coordinates: str = "auto",
    pair_features: Path | None = None,
    directed: bool | None = None,
    time: str | None = None,
    columns: TripleColumns = ANY_COLUMNS,
    types: Path | None = None,
    allow_edgeless: bool = False,
) -> Graph | KnowledgeGraph:
    """The graph that the argument GRAPH names.

    Args:
        graph: A catalogue name or a file.
        features: A file of node features.
        missing_features: What to do about nodes without features.
        coordinates: Which of its columns hold coordinates.
        pair_features: A file of numbers about pairs.
        directed: Whether to keep directions; by default as the file declares.
        time: The column of times.
        columns: The columns of triples; see :func:`triple_columns`.
        types: A file of the entities' types.
        allow_edgeless: Whether a graph may have no edges.

    Raises:
        UnknownNameError: If it is neither a catalogue name nor a file; the nearest names are suggested.
    """
    from linkwl.datasets import CATALOGUE
    from linkwl.graph import load_graph
    from linkwl.graph.convert_features import add_features
    from linkwl.graph.node_table import TableOptions
    from linkwl.graph.readers.pair_features import add_pair_features

    if features is None and (missing_features != "error" or coordinates != "auto"):
        raise InputError("--missing-features and --coordinates are about the node features; give them with --features.")
    if graph in CATALOGUE:
        if time is not None:
            raise InputError(f"--time {time}: the edges of {graph} have no times.")
        if columns != ANY_COLUMNS:
            raise InputError(f"--head, --relation and --tail name columns of a file, and {graph} is in the catalogue.")
        if types is not None:
            raise InputError(f"--types {types}: types are of the entities in a file, and {graph} is in the catalogue.")
        loaded = open_dataset(graph)
        if features is not None:
            loaded = add_features(loaded, features, TableOptions(missing_features, coordinates))
        return loaded if pair_features is None else add_pair_features(loaded, pair_features)
    path = Path(graph)
    if not path.suffix and len(path.parts) == 1 and not os.path.lexists(path):
        raise UnknownNameError(
            "dataset", graph, CATALOGUE, remedy="There is no file of that name either; see `linkwl datasets list`."
        )
    loaded = load_graph(
        path,
        features=features,
        missing_features=missing_features,
        coordinates=coordinates,
        directed=directed,
        time=int(time) if time is not None and time.isdecimal() else time,
        allow_edgeless=allow_edgeless,
        head=columns.head,
        relation=columns.relation,
        tail=columns.tail,
        types=types,
    )
    return loaded if pair_features is None else add_pair_features(loaded, pair_features)


def triple_columns(head: str | None, relation: str | None, tail: str | None) -> TripleColumns:
    """The columns of triples that --head, --relation and --tail name."""
    return TripleColumns(head, False if relation == "none" else relation, tail)


def split_columns(columns: str | None) -> TripleColumns:
    """The columns of triples that --columns names, separated by commas."""
    if columns is None:
        return ANY_COLUMNS
    names = [name.strip() for name in columns.split(",")]
    if len(names) != 3 or not all(names):
        raise InputError(f"--columns {columns}: expected three columns, as in `--columns head,relation,tail` or 1,2,3.")
    return TripleColumns(*names)


def open_dataset(name: str) -> Graph | KnowledgeGraph:
    """A graph of the catalogue, with a progress bar while its files are downloaded."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    from linkwl.datasets import load_dataset

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"fetching {name}", visible=False, total=None)

        def show(received: int, expected: int) -> None:
            bar.update(task, completed=received, total=expected, visible=True)

        return load_dataset(name, on_progress=show)
