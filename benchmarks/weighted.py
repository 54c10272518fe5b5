"""What the weights of edges add on real weighted graphs: `ra`, `ppr` and `walk-2fwl`, each with and without them.

Protocol `paper`, mean over ten seeds, over three where there are more than a thousand edges.

    python benchmarks/weighted.py          the figures, as JSON
    python benchmarks/weighted.py table    the record as a table
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from measure import collected, draws_table
from package_graphs import _folder

from linkwl import PROTOCOLS, Graph, create_model, evaluate_models

MODELS = ("ra", "ppr", "walk-2fwl")
RECORD = Path(__file__).parent / "results" / "weighted.json"


def les_miserables() -> Graph:
    """Characters of a novel, and in how many chapters they meet."""
    graph = nx.convert_node_labels_to_integers(nx.les_miserables_graph())
    weight = np.array([weight for *_, weight in graph.edges(data="weight")], dtype=np.float64)
    return Graph.from_pairs(list(graph.edges), len(graph), weight=weight, name="les miserables")


def fly_larva_brain() -> Graph:
    """Neurons of a fly larva's left mushroom body, and how many synapses join them."""
    matrix = np.loadtxt(_folder("graspologic") / "datasets/drosophila/left_adjacency.csv")
    ends = np.stack(matrix.nonzero(), axis=1)
    return Graph.from_pairs(ends, len(matrix), weight=matrix[matrix > 0], name="fly larva brain")


def measure(graph: Graph) -> dict[str, Any]:
    """How far the best model with weights is above the best without, in points of test AUC."""
    seeds = range(10 if graph.num_edges <= 1000 else 3)
    auc: dict[str, dict[str, float]] = {}
    for name, view in (("with", graph), ("without", graph.unweighted())):
        models = [create_model(model) for model in MODELS]
        summary = evaluate_models(view, models, PROTOCOLS["paper"], seeds).summary
        auc[name] = {model: 100 * summary[model]["auc"]["mean"] for model in MODELS}
    gain = max(auc["with"].values()) - max(auc["without"].values())
    return {
        "what": f"points of test AUC that weights add to the best of {', '.join(MODELS)} on {graph.name}",
        "value": gain,
        "graph": graph.name,
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "seeds": len(seeds),
        "auc": auc,
    }


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table: with weights, and without them in brackets."""
    lines = [f"| graph | edges | {' | '.join(MODELS)} |", "|---|--:|--:|--:|--:|"]
    for figure in figures:
        cells = [f"{figure['auc']['with'][name]:.2f} ({figure['auc']['without'][name]:.2f})" for name in MODELS]
        lines.append(f"| {figure['graph']} | {figure['edges']:,} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    graphs = (make() for make in (les_miserables, fly_larva_brain))
    json.dump(collected(measure, graphs, RECORD), sys.stdout)


if __name__ == "__main__":
    main()
