"""The published models of triples, scored one query at a time and with all queries of a labelled file together.

In the public code every pair of a labelled file is a node of the graph of pairs: queries send messages to each other
and change each other's degrees, so the score of a triple depends on the file it is in. The negatives of a file come
from few entities, so they meet each other often, which gives them away. Our models score a query with the observed
facts alone. This measures what the difference is worth, with the published settings, for INDIGO on the graphs of
WN18RR, where its printed AUC is above that of queries scored alone.

    python benchmarks/together.py                      the figures, as JSON
    python benchmarks/together.py local-2wl fb237_v1   another case
    python benchmarks/together.py table                the record as a table
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import torch
from measure import draws_table

from linkwl import PROTOCOLS, create_model, load_dataset
from linkwl.benchmark.published import TABLE3
from linkwl.datasets import CATALOGUE
from linkwl.metrics import accuracy, auc
from linkwl.models.bundled import bundled_settings
from linkwl.protocols import TrainingData
from linkwl.training import Trainer

CASES = [("indigo", f"wn18rr_v{k}") for k in (1, 2, 3, 4)]
METRICS = {"ACC": accuracy, "AUC": auc}
WAYS = ("alone", "together")
RECORD = Path(__file__).parent / "results" / "together.json"


def measure(name: str, dataset: str) -> list[dict[str, Any]]:
    """Accuracy and AUC of both ways of scoring, averaged over the labelled files."""
    protocol = PROTOCOLS["indigo"]
    split = protocol.apply(load_dataset(dataset), 0)
    model = create_model(name, task="triples", **bundled_settings(name, dataset, "paper"))
    model.fit(TrainingData.of(split, protocol), Trainer(0))
    observed, positives, targets = split.test.observed, split.test.positives, split.test.targets
    network, found = model.network.eval(), {}
    for negatives in np.split(targets.negatives, targets.pools[1:-1]):
        queries = np.concatenate([positives, negatives])
        if not model.has_loops:  # the public code leaves such lines out
            queries = queries[queries[:, 0] != queries[:, 2]]
        graph = network.read(observed.triples, observed.num_nodes, queries[:, [0, 2]])
        with torch.no_grad():
            together = network.logits(network.encode(graph), network.locate_members(graph, queries)).numpy()
        for way, scores in zip(WAYS, (model(observed, queries), together.astype(np.float64)), strict=True):
            for metric, function in METRICS.items():
                value = function(scores[: len(positives)], scores[len(positives) :])
                found.setdefault((metric, way), []).append(value)
    return [
        {
            "what": what(metric, name, dataset, way),
            "value": 100 * fmean(values),
            "model": name,
            "dataset": dataset,
        }
        for (metric, way), values in found.items()
    ]


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures of INDIGO as a table, with the printed numbers."""
    found = {figure["what"]: figure["value"] for figure in figures}
    titles = [CATALOGUE[dataset].title.replace("WN18RR", "WN") for _, dataset in CASES]
    metrics = [f"{metric} %, {title}" for metric in METRICS for title in titles]
    lines = [f"| INDIGO, published settings | {' | '.join(metrics)} |", "|---|" + "--:|" * len(metrics)]
    for way in WAYS:
        values = [found[what(metric, *case, way)] for metric in METRICS for case in CASES]
        lines.append(f"| queries scored {way} | {' | '.join(f'{value:.1f}' for value in values)} |")
    printed = {row.metric: row.values for row in TABLE3 if row.system == "INDIGO"}
    values = [printed[metric.lower()][dataset].value for metric in METRICS for _, dataset in CASES]
    lines.append(f"| in print | {' | '.join(f'{value:.1f}' for value in values)} |")
    return "\n".join(lines) + "\n"


def what(metric: str, model: str, dataset: str, way: str) -> str:
    """What is measured, in words."""
    return f"{metric} of the published {model} on {dataset}, queries scored {way}"


def main() -> None:
    """Writes the figures to standard output, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    cases = [tuple(sys.argv[1:])] if sys.argv[1:] else CASES
    print(json.dumps([figure for case in cases for figure in measure(*case)]))


if __name__ == "__main__":
    main()
