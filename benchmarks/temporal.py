"""Links of the next period on graphs of git histories, and how much a random split flatters.

For each history two graphs: files that change together, and who changes which file. Weights are left out, since those
of edges that are listed several times include the future.

    LINKWL_HISTORIES=PATH:PATH python benchmarks/temporal.py     the figures for these git repositories, as JSON
    python benchmarks/temporal.py table                          the record as a table
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from git_graphs import authors_of_files, changed_together
from measure import collected, draws_table

from linkwl import PROTOCOLS, Graph, LinkModel, create_model
from linkwl.models.registry import model_ids
from linkwl.protocols import Protocol, TrainingData, target_scores
from linkwl.splits import Fold, Split
from linkwl.training import Trainer
from linkwl.training.evaluate import fold_scores

OURS, TIMELESS = "walk-2fwl", "walk-2fwl without times"
HEURISTICS = tuple(name for name in model_ids("heuristic", task="pairs") if name != "simrank")
SEEDS = range(1)
TOP = 100
RECORD = Path(__file__).parent / "results" / "temporal.json"


def without_times(fold: Fold) -> Fold:
    """The fold with a graph that does not tell when its edges came to be."""
    assert isinstance(fold.observed, Graph)
    return replace(fold, observed=replace(fold.observed, time=None))


def fitted(name: str, split: Split, protocol: Protocol, seed: int) -> tuple[LinkModel, Split]:
    """A model fitted to a split, and the split as it reads it."""
    data = TrainingData.of(split, protocol)
    if name == TIMELESS:
        split = replace(split, **{fold: without_times(split.folds[fold]) for fold in split.folds})
        data = replace(data, train=split.train, valid=split.valid, is_in_time=False)
    model = create_model(OURS if name == TIMELESS else name)
    model.fit(data, Trainer(seed))
    return model, split


def among_first(model: LinkModel, split: Split) -> float:
    """The share of links of the future among the first candidates: all missing links between known nodes."""
    observed = split.test.observed
    assert isinstance(observed, Graph)
    pairs = observed.non_edges(np.arange(observed.num_non_edges))
    pairs = pairs[(observed.degree[pairs] > 0).all(axis=1)]
    first = pairs[np.argsort(-model.prepare(observed)(pairs), kind="stable")[:TOP]]
    future = Graph.from_pairs(split.test.positives, observed.num_nodes)
    return float(future.has_edges(first).mean())


def measure_on(graph: Graph, protocol: Protocol, names: tuple[str, ...], *, ranks: bool) -> dict[str, dict[str, float]]:
    """The mean figures of models under a protocol, in per cent."""
    found: dict[str, dict[str, list[float]]] = {name: {} for name in names}
    for name, seed in product(names, SEEDS):
        model, split = fitted(name, protocol.apply(graph, seed), protocol, seed)
        for fold in ("valid", "test"):
            scores = target_scores(split.folds[fold].targets, fold_scores(model, split.folds[fold]))
            found[name].setdefault(f"{fold} auc", []).append(protocol.selection.measure(scores))
        if ranks:
            found[name].setdefault("precision", []).append(among_first(model, split))
    return {name: {what: 100 * float(np.mean(values)) for what, values in row.items()} for name, row in found.items()}


def measure(graph: Graph) -> dict[str, Any]:
    """How far ours is above the best of the others on the future, in points of AUC."""
    others = (*HEURISTICS, "boosting")
    future = measure_on(graph, PROTOCOLS["temporal"], (OURS, TIMELESS, *others), ranks=True)
    random = measure_on(replace(graph, time=None), PROTOCOLS["paper"], (OURS, *others), ranks=False)
    best = max(others, key=lambda name: future[name]["test auc"])
    return {
        "what": f"points of AUC of {OURS} above the best of the others ({best}) on the future of {graph.name}",
        "value": future[OURS]["test auc"] - future[best]["test auc"],
        "at_least": 0,
        "graph": graph.name,
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "seeds": len(SEEDS),
        "future": future,
        "random": random,
    }


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table; the heuristic is the best on the validation links of the near future."""
    lines = [
        f"| graph | model | AUC on the future | links among the first {TOP} | AUC on a random split |",
        "|---|---|--:|--:|--:|",
    ]
    for figure in figures:
        future, random = figure["future"], figure["random"]
        heuristic = max(HEURISTICS, key=lambda name: future[name]["valid auc"])
        for name in (OURS, TIMELESS, "boosting", heuristic):
            row = future[name]
            flattering = f"{random[name]['test auc']:.1f}" if name in random else ""
            lines.append(
                f"| {figure['graph']} | {name} | {row['test auc']:.1f} | {row['precision']:.0f} % | {flattering} |"
            )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures the given repositories, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    paths = [Path(path) for path in os.environ.get("LINKWL_HISTORIES", "").split(os.pathsep) if path]
    if not paths:
        raise SystemExit("LINKWL_HISTORIES must name git repositories")
    warnings.simplefilter("ignore")
    makers = product(paths, (changed_together, authors_of_files))
    json.dump(collected(measure, (make(path).unweighted() for path, make in makers), RECORD), sys.stdout)


if __name__ == "__main__":
    main()
