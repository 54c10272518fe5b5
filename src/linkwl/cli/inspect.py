"""``linkwl inspect``: what a file contains, what was merged, what was dropped."""

from __future__ import annotations

from linkwl.cli.console import check_json_target, console, facts, write_json
from linkwl.cli.feature_options import (
    CoordinatesOption,
    FeaturesOption,
    MissingFeatures,
    MissingFeaturesOption,
    PairFeaturesOption,
)
from linkwl.cli.graph_argument import (
    DirectedOption,
    GraphArgument,
    HeadOption,
    JsonOption,
    RelationOption,
    TailOption,
    TypesOption,
    open_graph,
    triple_columns,
)


def inspect(
    graph: GraphArgument,
    features: FeaturesOption = None,
    missing_features: MissingFeaturesOption = MissingFeatures.ERROR,
    coordinates: CoordinatesOption = "auto",
    pair_features: PairFeaturesOption = None,
    directed: DirectedOption = False,
    head: HeadOption = None,
    relation: RelationOption = None,
    tail: TailOption = None,
    types: TypesOption = None,
    json: JsonOption = None,
) -> None:
    """Show what a file contains: nodes, edges or triples, what was merged and dropped, and why.

    [bold]Examples[/]

      linkwl inspect my_edges.csv

      linkwl inspect citations.tsv.gz --directed

      linkwl inspect my_edges.csv --features my_nodes.csv --json -

      linkwl inspect facts.tsv

      linkwl inspect table.csv --head company --relation deal --tail partner
    """
    from linkwl.graph import Graph
    from linkwl.reports.inspection import inspect_graph
    from linkwl.reports.triple_inspection import inspect_knowledge_graph

    check_json_target(json, graph, features, pair_features, types)
    columns = triple_columns(head, relation, tail)
    loaded = open_graph(
        graph,
        features=features,
        missing_features=missing_features.value,
        coordinates=coordinates,
        pair_features=pair_features,
        directed=True if directed else None,
        columns=columns,
        types=types,
    )
    inspection = inspect_graph(loaded) if isinstance(loaded, Graph) else inspect_knowledge_graph(loaded)
    console.print(facts(inspection.facts()))
    write_json(json, inspection.to_json())
