"""``linkwl inspect``: what a file contains, what was merged, what was dropped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkwl.cli.console import check_json_target, console, facts, write_json
from linkwl.cli.graph_argument import DirectedOption, GraphArgument, JsonOption, open_graph


def inspect(
    graph: GraphArgument,
    features: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Node features by id: CSV, Parquet, .npy or .npz.")
    ] = None,
    directed: DirectedOption = False,
    json: JsonOption = None,
) -> None:
    """Show what a file contains: nodes, edges, what was merged and dropped, and why.

    [bold]Examples[/]

      linkwl inspect my_edges.csv

      linkwl inspect citations.tsv.gz --directed

      linkwl inspect my_edges.csv --features my_nodes.csv --json -
    """
    from linkwl.graph import Graph
    from linkwl.reports.inspection import inspect_graph

    check_json_target(json, graph, features)
    loaded = open_graph(graph, features=features, directed=True if directed else None)
    inspection = inspect_graph(loaded if isinstance(loaded, Graph) else loaded.links)
    console.print(facts(inspection.facts()))
    write_json(json, inspection.to_json())
