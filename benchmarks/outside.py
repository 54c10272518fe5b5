"""`walk-2fwl` with its defaults on real graphs that no setting was chosen on, beside boosting and heuristics.

Protocol `paper`, mean over ten seeds.

    python benchmarks/outside.py           the figures, as JSON
    python benchmarks/outside.py table     the record as a table
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from measure import collected, draws_table
from package_graphs import SOURCES, package_graph

from linkwl import PROTOCOLS, Graph, create_model, evaluate_models
from linkwl.models.registry import model_ids

OURS = "walk-2fwl"
RIVAL = "boosting"
OTHERS = (RIVAL, "local-2fwl", *model_ids("heuristic", task="pairs"))
SEEDS = range(10)
LARGEST = 20_000
"""Edges up to which a graph is taken: some heuristics solve for all pairs at once."""
RECORD = Path(__file__).parent / "results" / "outside.json"


def measure(graph: Graph) -> dict[str, Any]:
    """How far ours is above the best of the others, in points of test AUC."""
    models = [create_model(name) for name in (OURS, *OTHERS)]
    summary = evaluate_models(graph, models, PROTOCOLS["paper"], SEEDS).summary
    auc = {name: 100 * found["auc"]["mean"] for name, found in summary.items()}
    best = max(OTHERS, key=lambda name: auc[name])
    return {
        "what": f"points of test AUC of {OURS} above the best of the others ({best}) on {graph.name}",
        "value": auc[OURS] - auc[best],
        "at_least": 0,
        "graph": graph.name,
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "seeds": len(SEEDS),
        "auc": auc,
        "std": {name: 100 * found["auc"]["std"] for name, found in summary.items()},
    }


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    lines = ["| graph | edges | walk-2fwl | boosting | local-2fwl | best heuristic |", "|---|" + "--:|" * 5]
    for figure in figures:
        auc, std = figure["auc"], figure["std"]
        best = max(model_ids("heuristic", task="pairs"), key=lambda name: auc[name])
        cells = [f"{auc[name]:.2f} ± {std[name]:.2f}" for name in (OURS, RIVAL, "local-2fwl", best)]
        lines.append(f"| {figure['graph']} | {figure['edges']:,} | {' | '.join(cells)} {best} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    graphs = (graph for graph in map(package_graph, SOURCES) if graph.num_edges <= LARGEST)
    json.dump(collected(measure, graphs, RECORD), sys.stdout)


if __name__ == "__main__":
    main()
