"""``linkwl convert``: a graph as a folder that opens at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.console import QuietOption, check_json_target, say, write_json
from linkwl.cli.graph_argument import GraphArgument, JsonOption, open_graph
from linkwl.cli.reading_options import reads_graph
from linkwl.errors import InputError

if TYPE_CHECKING:
    from linkwl.graph.reading import Reading


@reads_graph()
def convert(
    graph: GraphArgument,
    how: Reading,
    out: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write; it must not exist, or be empty.")],
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> None:
    """Convert a graph of edges to a folder of arrays, which other commands map into memory instead of reading it.

    A large file is read and sorted once. The folder can then be given as GRAPH: its sizes and digests are checked, and
    pages are loaded when they are needed. Edges, weights, times, sides and names are kept; node features are given with
    --features, as for a file.

    [bold]Examples[/]

      linkwl convert big.parquet graph/

      linkwl convert parts/ graph/ --source from --target to --weight amount

      linkwl train graph/ --model ra --out my-model
    """
    from dataclasses import asdict

    from linkwl.graph import Graph
    from linkwl.graph.mapped import write_mapped_graph

    check_json_target(json, graph)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError("this is not an empty folder; choose another name.", path=out)
    loaded = open_graph(graph, reading=how)
    if not isinstance(loaded, Graph):
        raise InputError(f"{graph} holds triples, and only graphs of edges are converted; use it as it is.")
    write_mapped_graph(loaded, out)
    size = sum(path.stat().st_size for path in out.iterdir())
    say(f"{out}: {loaded.num_nodes:,} nodes, {loaded.num_edges:,} edges, {size / 1e6:,.1f} MB; give it as GRAPH")
    write_json(json, {"graph": asdict(loaded.record), "folder": str(out), "bytes": size})
