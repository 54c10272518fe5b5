"""The argument GRAPH: a catalogue name or a file."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.completion import complete_graph
from linkwl.cli.console import console
from linkwl.cli.feature_options import NOTHING_KNOWN, Known
from linkwl.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from linkwl.graph import Graph, KnowledgeGraph
    from linkwl.graph.node_table import Missing
    from linkwl.graph.reading import Reading
    from linkwl.predict import LinkPredictor

GraphArgument = Annotated[
    str,
    typer.Argument(
        metavar="GRAPH",
        autocompletion=complete_graph,
        help="A catalogue name (usair, world, ...), a file of edges or triples, - for standard input, or a folder: of "
        "Parquet files, of `linkwl convert`, or of a benchmark.",
    ),
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
    reading: Reading | None = None,
    known: Known = NOTHING_KNOWN,
    allow_edgeless: bool = False,
) -> Graph | KnowledgeGraph:
    """The graph that the argument GRAPH names.

    Args:
        graph: A catalogue name, a file, or ``-`` for standard input.
        reading: How to read the file; by default as it declares.
        known: What is known about its nodes and pairs.
        allow_edgeless: Whether a graph may have no edges.

    Raises:
        UnknownNameError: If it is neither a catalogue name nor a file; the nearest names are suggested.
    """
    from linkwl.datasets import CATALOGUE
    from linkwl.graph import load_graph
    from linkwl.graph.convert_features import add_features
    from linkwl.graph.load import STANDARD_INPUT
    from linkwl.graph.node_table import TableOptions
    from linkwl.graph.readers.pair_features import add_pair_features
    from linkwl.graph.reading import AS_DECLARED

    reading = AS_DECLARED if reading is None else reading
    missing: Missing = known.missing_features.value
    if known.features is None and missing != "error":
        raise InputError("--missing-features is about the node features; give them with --features.")
    if graph in CATALOGUE:
        if known.features is None and known.coordinates != "auto":
            raise InputError("--coordinates is about the node features; give them with --features.")
        if known.types is not None:
            raise InputError(
                f"--types {known.types}: types are of the entities in a file, and {graph} is in the catalogue."
            )
        for option in reading.given:
            if option != "directed":
                name = option.replace("_", "-")
                raise InputError(f"--{name} says how to read a file, and {graph} is in the catalogue; leave it out.")
        loaded = load_graph(open_dataset(graph), **reading.options)
        if known.features is not None:
            loaded = add_features(loaded, known.features, TableOptions(missing, known.coordinates))
        return loaded if known.pair_features is None else add_pair_features(loaded, known.pair_features)
    path = Path(graph)
    is_name = graph != STANDARD_INPUT and not path.suffix and len(path.parts) == 1
    if is_name and not os.path.lexists(path):
        raise UnknownNameError(
            "dataset", graph, CATALOGUE, remedy="There is no file of that name either; see `linkwl datasets list`."
        )
    source = graph if graph == STANDARD_INPUT else path
    loaded = load_graph(
        source,
        features=known.features,
        missing_features=missing,
        allow_edgeless=allow_edgeless,
        types=known.types,
        **replace(reading, coordinates=known.coordinates).options,
    )
    return loaded if known.pair_features is None else add_pair_features(loaded, known.pair_features)


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
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal or console.quiet) as bar:
        task = bar.add_task(f"fetching {name}", visible=False, total=None)

        def show(received: int, expected: int) -> None:
            bar.update(task, completed=received, total=expected, visible=True)

        return load_dataset(name, on_progress=show)
