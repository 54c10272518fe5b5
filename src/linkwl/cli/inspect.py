"""``linkwl inspect``: what a file contains, what was merged, what was dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwl.cli.console import QuietOption, check_json_target, console, facts, say_warning, write_json
from linkwl.cli.graph_argument import GraphArgument, JsonOption, open_graph
from linkwl.cli.reading_options import reads_graph

if TYPE_CHECKING:
    from linkwl.cli.feature_options import Known
    from linkwl.graph.reading import Reading


_ESSENTIAL = ("graph", "nodes", "edges", "entities", "relations", "triples")
"""What is printed with ``--quiet``: to inspect a graph and say nothing would be useless."""


@reads_graph(features=True)
def inspect(
    graph: GraphArgument,
    how: Reading,
    known: Known,
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> None:
    """Show what a file contains: nodes, edges or triples, what was merged and dropped, and why.

    [bold]Examples[/]

      linkwl inspect my_edges.csv

      linkwl inspect citations.tsv.gz --directed

      linkwl inspect my_edges.csv --features my_nodes.csv --json -

      linkwl inspect facts.tsv

      linkwl inspect table.csv --head company --relation deal --tail partner

      linkwl inspect ratings.csv --source user --target film --weight stars --time at --bipartite

      zcat edges.csv.gz | linkwl inspect -
    """
    from linkwl.graph import Graph
    from linkwl.reports.inspection import inspect_graph
    from linkwl.reports.triple_inspection import inspect_knowledge_graph

    check_json_target(json, graph, *known.files)
    loaded = open_graph(graph, reading=how, known=known)
    inspection = inspect_graph(loaded) if isinstance(loaded, Graph) else inspect_knowledge_graph(loaded)
    rows = inspection.facts()
    if console.quiet and json is None:
        for name in _ESSENTIAL:
            if name in rows:
                say_warning(f"{name}: {rows[name]}")
    console.print(facts(rows))
    write_json(json, inspection.to_json())
