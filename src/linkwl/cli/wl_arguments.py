"""The arguments of the commands of ``linkwl wl``: graphs, links, labels, tests."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.completion import complete_graph, in_list
from linkwl.cli.graph_argument import open_graph
from linkwl.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from linkwl.graph import Graph
    from linkwl.graph.reading import Reading

TEST_NAMES = "1-wl, local-2-wl, 2-wl, local-2-fwl, 2-fwl, 1-wl+01, 1-wl+drnl"
"""The names of the tests; written out, so that showing help does not load the tests."""

GRAPH_NAMES = (
    "2k1, 3k1, 4k1, 2k1+k2, p3, p4, p6, 2p3, p3+k2, double-star, c4, c5, c6, 2c3, k33, k33-e, prism, prism-rung, "
    "domino, barbell, regular-8, chorded-c8, rook, shrikhande, latin-klein, latin-cyclic, gadget36, gadget36-twisted"
)
"""The names of the witness graphs; written out as well."""

GRAPH_HELP = (
    "A catalogue name (usair, cora, ...), a file of edges, or a small graph by its name: "
    "p6, prism, rook, shrikhande, ..."
)
LABELS_HELP = "Node labels, CSV or Parquet: a node and its label per row."

EngineOption = Annotated[
    str, typer.Option(metavar="ENGINE", help="fast, or exact: dictionaries instead of hashing (small graphs).")
]
MemoryOption = Annotated[
    float | None,
    typer.Option("--memory-limit", metavar="GB", help="Memory limit; by default the free memory."),
]


def complete_wl_graph(incomplete: str) -> list[tuple[str, str]]:
    """The names of graphs that begin like this."""
    small = [(name, "a small example") for name in GRAPH_NAMES.split(", ") if name.startswith(incomplete)]
    return complete_graph(incomplete) + small


def complete_tests(incomplete: str) -> list[str]:
    """A list of tests, with every name that its last one may become."""
    return in_list(TEST_NAMES.split(", "), incomplete)


def open_wl_graph(text: str, reading: Reading | None = None) -> Graph:
    """The graph that GRAPH names: a dataset, a file or else a witness graph."""
    from linkwl.datasets import CATALOGUE
    from linkwl.graph import Graph
    from linkwl.graph.reading import AS_DECLARED
    from linkwl.wl.witnesses import GRAPHS

    reading = AS_DECLARED if reading is None else reading
    is_undirected = reading.directed is False
    if text in GRAPHS and text not in CATALOGUE and not os.path.lexists(text):
        return GRAPHS[text]
    try:
        relaxed = replace(reading, directed=None) if is_undirected else reading  # triples have directions to ignore
        graph = open_graph(text, reading=relaxed, allow_edgeless=True)  # the smallest witnesses have no edges
    except UnknownNameError:
        remedy = "There is no file of that name either; see `linkwl datasets list` and `linkwl wl --help`."
        raise UnknownNameError("graph", text, [*CATALOGUE, *GRAPHS], remedy=remedy) from None
    if graph.is_directed and not is_undirected:
        problem = (
            "the graph is directed, and the tests are for undirected graphs; ignore the directions with --undirected."
            if isinstance(graph, Graph)
            else "these are triples, and the tests are for undirected graphs; ignore relations and directions with "
            "--undirected."
        )
        raise InputError(problem, path=text)
    return graph.links


def choose_tests(names: str) -> list[str]:
    """The tests of a comma-separated list."""
    from linkwl.wl import TESTS

    wanted = list(dict.fromkeys(name.strip().lower() for name in names.split(",") if name.strip()))
    if not wanted:
        raise InputError(f"no test named; choose from {', '.join(TESTS)}.")
    for name in wanted:
        if name not in TESTS:
            raise UnknownNameError("test", name, TESTS)
    return wanted


def find_link(graph: Graph, text: str, ends: tuple[str, str]) -> tuple[int, int]:
    """The indices of the two nodes; ``text`` is the graph's name on the command line."""
    try:
        p, q = graph.ids.indices(ends).tolist()
    except UnknownNameError as error:
        raise InputError(str(error), path=text) from None
    return p, q


def check_label_files(files: Sequence[Path], num_graphs: int) -> None:
    """Refuses a number of label files other than the number of graphs."""
    if files and len(files) != num_graphs:
        form = "--labels A.csv" if num_graphs == 1 else "--labels A.csv --labels B.csv"
        graphs = "1 graph" if num_graphs == 1 else f"{num_graphs} graphs"
        given = "1 file of labels is" if len(files) == 1 else f"{len(files)} files of labels are"
        raise InputError(f"{given} given for {graphs}; give one for each, in their order, as in `{form}`.")


def open_labels(file: Path, graph: Graph) -> NDArray[np.str_]:
    """The labels of a graph's nodes."""
    from linkwl.graph.readers.labels import read_labels

    return read_labels(file, graph.ids)


def limit_in_bytes(gigabytes: float | None) -> float | None:
    """The value of --memory-limit in bytes."""
    if gigabytes is None:
        return None
    if not (math.isfinite(gigabytes) and gigabytes > 0):
        raise InputError(f"--memory-limit {gigabytes:g}: expected a number of gigabytes above 0, as in 0.5.")
    return gigabytes * 1e9
