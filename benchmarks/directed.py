"""Directed graphs: `walk-2fwl` as it comes, beside directed heuristics and beside the model without directions.

Protocol `paper`, on ordered pairs, mean over three seeds: the test AUC, and the precision at 100: of the first hundred
ordered pairs that are not observed edges, the share that are hidden edges in the right direction. The model without
directions is the same model on the undirected graph; the direction of a pair is guessed from the degrees of its nodes,
as odds of (out-degree of p times in-degree of q) to (out-degree of q times in-degree of p).

    python benchmarks/directed.py           the figures, as JSON
    python benchmarks/directed.py table     the record as a table
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from measure import collected, draws_table
from package_graphs import DIRECTED_SOURCES, package_graph

from linkwl import Graph, Trainer, create_model, rank_missing_links
from linkwl.metrics import auc
from linkwl.models.base import FormulaScorer, Scorer
from linkwl.models.registry import model_ids
from linkwl.protocols import PAPER, TrainingData
from linkwl.splits import Split
from linkwl.typing import Pairs, Scores

OURS, BLIND = "walk-2fwl", "walk-2fwl without directions"
HEURISTICS = tuple(model_ids("heuristic", task="pairs"))
SEEDS = range(3)
FIRST = 100
RECORD = Path(__file__).parent / "results" / "directed.json"


def scorers(split: Split, seed: int) -> dict[str, Scorer]:
    """Every system, fitted to the train fold, on the graph that the test observes."""
    data, observed = TrainingData.of(split, PAPER), split.test.observed
    assert isinstance(observed, Graph)
    ours, blind = create_model(OURS), create_model(OURS)
    ours.fit(data, Trainer(seed))
    blind.fit(data.undirected(), Trainer(seed))
    heuristics = {name: create_model(name).prepare(observed) for name in HEURISTICS}
    return {OURS: ours.prepare(observed), BLIND: guessing(blind.prepare(observed.links), observed), **heuristics}


def guessing(scorer: Scorer, observed: Graph) -> Scorer:
    """The log-odds of an undirected link plus the logarithm of the guessed probability of the direction."""
    leaving, arriving = (np.log(degree + 0.5) for degree in (observed.degree, observed.reversed.degree))

    def score(pairs: Pairs) -> Scores:
        p, q = pairs.T
        odds = leaving[p] + arriving[q] - leaving[q] - arriving[p]
        return scorer(pairs) - np.logaddexp(0, -odds)

    return FormulaScorer(observed, score)


def measure(graph: Graph) -> dict[str, Any]:
    """How far ours is above the better of the others, in points of test AUC, with the precisions beside it."""
    found: dict[str, list[tuple[float, float]]] = {}
    for seed in SEEDS:
        split = PAPER.apply(graph, seed)
        targets = split.test.targets
        for name, scorer in scorers(split, seed).items():
            area = auc(scorer(targets.positives), scorer(targets.negatives))
            top, _ = rank_missing_links(scorer, split.test.observed, FIRST)
            found.setdefault(name, []).append((100 * area, 100 * float(graph.has_edges(top).mean())))
    means = {name: np.mean(rows, axis=0).tolist() for name, rows in found.items()}
    best = [max(HEURISTICS, key=lambda name, k=k: means[name][k]) for k in (0, 1)]
    rivals = {best[0]: means[best[0]][0], BLIND: means[BLIND][0]}
    rival = max(rivals, key=lambda name: rivals[name])
    return {
        "what": f"points of ordered test AUC of {OURS} above the best of the others ({rival}) on {graph.name}",
        "value": means[OURS][0] - rivals[rival],
        "graph": graph.name,
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "both_ways": float(graph.has_edges(graph.edges[:, ::-1]).mean()),
        "best": best,
        "auc": {name: row[0] for name, row in means.items()},
        "precision": {name: row[1] for name, row in means.items()},
    }


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    lines = [
        "| graph | edges | AUC: walk-2fwl | best heuristic | directions guessed | first 100: walk-2fwl "
        "| best heuristic | directions guessed |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for figure in figures:
        cells = []
        for values, best, unit in zip((figure["auc"], figure["precision"]), figure["best"], ("", " %"), strict=True):
            digits = 1 if unit else 2
            cells += [f"{values[OURS]:.{digits}f}{unit}", f"{values[best]:.{digits}f}{unit} {best}"]
            cells.append(f"{values[BLIND]:.{digits}f}{unit}")
        lines.append(f"| {figure['graph']} | {figure['edges']:,} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    graphs = (package_graph(source, is_directed=True) for source in DIRECTED_SOURCES)
    json.dump(collected(measure, graphs, RECORD), sys.stdout)


if __name__ == "__main__":
    main()
