"""The argument GRAPH: a catalogue name or a file."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.console import console
from linkwl.errors import InputError, UnknownNameError
from linkwl.graph import Graph, KnowledgeGraph
from linkwl.graph.load import STANDARD_INPUT
from linkwl.graph.node_table import Missing
from linkwl.graph.reading import AS_DECLARED, Reading

if TYPE_CHECKING:
    from linkwl.predict import LinkPredictor

GraphArgument = Annotated[
    str,
    typer.Argument(
        metavar="GRAPH",
        help="A catalogue name (usair, world, ...), a file of edges or triples, - for standard input, or a folder: of "
        "Parquet files, of `linkwl convert`, or of a benchmark.",
    ),
]
TypesOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Types of entities, CSV or Parquet: an entity and a type per row.")
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        metavar="H,R,T", help="Columns with the heads, relations and tails of that file, by names or numbers, from 1."
    ),
]
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
    reading: Reading = AS_DECLARED,
    types: Path | None = None,
    allow_edgeless: bool = False,
) -> Graph | KnowledgeGraph:
    """The graph that the argument GRAPH names.

    Args:
        graph: A catalogue name, a file, or ``-`` for standard input.
        features: A file of node features.
        missing_features: What to do about nodes without features.
        coordinates: Which of its columns hold coordinates.
        pair_features: A file of numbers about pairs.
        reading: How to read the file.
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

    if features is None and missing_features != "error":
        raise InputError("--missing-features is about the node features; give them with --features.")
    if graph in CATALOGUE:
        if features is None and coordinates != "auto":
            raise InputError("--coordinates is about the node features; give them with --features.")
        if types is not None:
            raise InputError(f"--types {types}: types are of the entities in a file, and {graph} is in the catalogue.")
        for option in reading.given:
            if option != "directed":
                name = option.replace("_", "-")
                raise InputError(f"--{name} says how to read a file, and {graph} is in the catalogue; leave it out.")
        loaded = load_graph(open_dataset(graph), **reading.options)
        if features is not None:
            loaded = add_features(loaded, features, TableOptions(missing_features, coordinates))
        return loaded if pair_features is None else add_pair_features(loaded, pair_features)
    path = Path(graph)
    is_name = graph != STANDARD_INPUT and not path.suffix and len(path.parts) == 1
    if is_name and not os.path.lexists(path):
        raise UnknownNameError(
            "dataset", graph, CATALOGUE, remedy="There is no file of that name either; see `linkwl datasets list`."
        )
    source = graph if graph == STANDARD_INPUT else path
    loaded = load_graph(
        source,
        features=features,
        missing_features=missing_features,
        allow_edgeless=allow_edgeless,
        types=types,
        **replace(reading, coordinates=coordinates).options,
    )
    return loaded if pair_features is None else add_pair_features(loaded, pair_features)


def with_columns(reading: Reading, columns: str | None) -> Reading:
    """The reading with the columns of triples that --columns names."""
    if columns is None:
        return reading
    head, relation, tail = split_columns(columns)
    return replace(reading, head=head, relation=relation, tail=tail)


def like_fitted(reading: Reading, predictor: LinkPredictor) -> Reading:
    """The reading of a graph that a predictor will observe: with directions, if it was fitted to them."""
    return reading if reading.directed is not None else replace(reading, directed=predictor.directed)


def split_columns(columns: str) -> list[str]:
    """The columns of triples that --columns names, separated by commas."""
    names = [name.strip() for name in columns.split(",")]
    if len(names) != 3 or not all(names):
        raise InputError(f"--columns {columns}: expected three columns, as in `--columns head,relation,tail` or 1,2,3.")
    return names


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
