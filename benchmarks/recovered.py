"""How many of the links that were hidden come back at the top of the list, beside every heuristic.

A tenth of the links of a real graph is hidden, a default `LinkPredictor` is fitted to the rest, and all pairs that are
not linked are ranked. Of the first k, the share that was hidden is the precision at k; k is 100, and the number of
hidden links. The heuristic to beat is the one that is best at that very k.

    python benchmarks/recovered.py           the figures, as JSON
    python benchmarks/recovered.py table     the record as a table
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from measure import collected, draws_table
from package_graphs import SOURCES, package_graph

from linkwl import Graph, LinkPredictor, create_model, rank_missing_links
from linkwl.models.registry import model_ids
from linkwl.protocols import PAPER
from linkwl.typing import Pairs

OURS = "walk-2fwl"
SEEDS = range(3)
LARGEST = 10_000_000
"""Non-edges up to which a graph is taken: all are scored by all heuristics."""
SMALLEST = 1000
"""Edges from which on a tenth of them are a hundred."""
RECORD = Path(__file__).parent / "results" / "recovered.json"


def precisions(found: Pairs, graph: Graph, ks: tuple[int, ...]) -> list[float]:
    """The share of links of the whole graph among the first k pairs."""
    is_link = graph.has_edges(found)
    return [float(is_link[:k].mean()) for k in ks]


def measure(graph: Graph) -> dict[str, Any]:
    """Precisions of all, mean over the seeds."""
    by_model: dict[str, list[list[float]]] = {name: [] for name in (OURS, *model_ids("heuristic", task="pairs"))}
    for seed in SEEDS:
        split = PAPER.apply(graph, seed)
        hidden, observed = split.test.positives, split.test.observed
        ks = (100, len(hidden))
        ranking = LinkPredictor(seed=seed).fit(observed).recommend(max(ks), ranking="exact")
        by_model[OURS].append(precisions(ranking.queries, graph, ks))
        for name in model_ids("heuristic", task="pairs"):
            found, _ = rank_missing_links(create_model(name), observed, max(ks))
            by_model[name].append(precisions(found, graph, ks))
    means = {name: np.mean(rows, axis=0).tolist() for name, rows in by_model.items()}
    best = [max(model_ids("heuristic", task="pairs"), key=lambda name, k=k: means[name][k]) for k in (0, 1)]
    return {
        "what": f"precision at {ks[1]} of {OURS} over that of the best heuristic ({best[1]}) on {graph.name}",
        "value": means[OURS][1] / max(means[best[1]][1], 1e-9),
        "graph": graph.name,
        "edges": graph.num_edges,
        "hidden": len(hidden),
        "k": ks,
        "best": best,
        "precision": means,
    }


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    lines = [
        "| graph | hidden links | first 100: walk-2fwl | best heuristic | as many as hidden: walk-2fwl | heuristic |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for figure in figures:
        if "graph" in figure:
            ours = figure["precision"][OURS]
            cells = [
                f"{100 * ours[k]:.1f} % | {100 * figure['precision'][best][k]:.1f} % {best}"
                for k, best in enumerate(figure["best"])
            ]
            lines.append(f"| {figure['graph']} | {figure['hidden']:,} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    graphs = map(package_graph, SOURCES)
    fitting = (graph for graph in graphs if graph.num_non_edges <= LARGEST and graph.num_edges >= SMALLEST)
    figures = collected(measure, fitting, RECORD)
    middle = median(figure["value"] for figure in figures)
    json.dump([{"what": "median over the graphs", "value": middle}, *figures], sys.stdout)


if __name__ == "__main__":
    main()
