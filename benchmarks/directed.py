"""Directed graphs: `walk-2fwl` with its defaults, beside directed heuristics and beside the model without directions.

Protocol `paper` on ordered pairs: the test AUC, and the precision at 100: of the first hundred ordered pairs that are
not observed edges, the share that are hidden edges in the right direction. The model without directions is the same
model on the undirected graph; the direction of a pair is guessed by the degrees of its nodes, with odds of (out-degree
of p times in-degree of q) to (out-degree of q times in-degree of p).

    python benchmarks/directed.py           the figures, as JSON
    python benchmarks/directed.py table     the record as a table
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
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

OURS, GUESSED = "walk-2fwl", "walk-2fwl, directions guessed"
HEURISTICS = tuple(model_ids("heuristic", task="pairs"))
SEEDS = range(3)
FIRST = 100
RECORD = Path(__file__).parent / "results" / "directed.json"


@dataclass(frozen=True)
class Trial:
    """A split of a graph."""

    graph: Graph
    seed: int

    def __str__(self) -> str:
        return f"{self.graph.name}, split {self.seed}"


def scorers(split: Split, seed: int) -> dict[str, Scorer]:
    """Every system, fitted to the train fold, on the graph that the test observes."""
    data, observed = TrainingData.of(split, PAPER), split.test.observed
    assert isinstance(observed, Graph)
    ours, undirected = create_model(OURS), create_model(OURS)
    ours.fit(data, Trainer(seed))
    undirected.fit(data.undirected(), Trainer(seed))
    heuristics = {name: create_model(name).prepare(observed) for name in HEURISTICS}
    guessed = guess_directions(undirected.prepare(observed.links), observed)
    return {OURS: ours.prepare(observed), GUESSED: guessed, **heuristics}


def guess_directions(scorer: Scorer, observed: Graph) -> Scorer:
    """The log-odds of an undirected link plus the logarithm of the guessed probability of its direction."""
    leaving, arriving = (np.log(degree + 0.5) for degree in (observed.degree, observed.reversed.degree))

    def score(pairs: Pairs) -> Scores:
        p, q = pairs.T
        odds = leaving[p] + arriving[q] - leaving[q] - arriving[p]
        return scorer(pairs) - np.logaddexp(0, -odds)

    return FormulaScorer(observed, score)


def measure(trial: Trial) -> dict[str, Any]:
    """AUC and precision of all systems, in percent."""
    graph, split = trial.graph, PAPER.apply(trial.graph, trial.seed)
    targets = split.test.targets
    area, precision = {}, {}
    for name, scorer in scorers(split, trial.seed).items():
        area[name] = 100 * auc(scorer(targets.positives), scorer(targets.negatives))
        found, _ = rank_missing_links(scorer, split.test.observed, FIRST)
        precision[name] = 100 * float(graph.has_edges(found).mean())
    rival = max((name for name in area if name != OURS), key=lambda name: area[name])
    return {
        "what": f"points of ordered test AUC of {OURS} above the best of the others ({rival}) on {trial}",
        "value": area[OURS] - area[rival],
        "graph": graph.name,
        "seed": trial.seed,
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "both_ways": float(graph.has_edges(graph.edges[:, ::-1]).mean()),
        "auc": area,
        "precision": precision,
    }


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table, mean over the splits of each graph."""
    lines = [
        "| graph | edges | splits | AUC: walk-2fwl | best heuristic | directions guessed | first 100: walk-2fwl "
        "| best heuristic | directions guessed |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for graph in dict.fromkeys(figure["graph"] for figure in figures):
        rows = [figure for figure in figures if figure["graph"] == graph]
        cells = [graph, f"{rows[0]['edges']:,}", str(len(rows))]
        for kind, form in (("auc", "{:.2f}"), ("precision", "{:.1f} %")):
            mean = {name: float(np.mean([row[kind][name] for row in rows])) for name in rows[0][kind]}
            best = max(HEURISTICS, key=lambda name, mean=mean: mean[name])
            cells += [form.format(mean[OURS]), f"{form.format(mean[best])} {best}", form.format(mean[GUESSED])]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    graphs = [package_graph(source, is_directed=True) for source in DIRECTED_SOURCES]
    json.dump(collected(measure, (Trial(graph, seed) for seed in SEEDS for graph in graphs), RECORD), sys.stdout)


if __name__ == "__main__":
    main()
