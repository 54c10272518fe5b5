"""The published models of triples, scored one query at a time and with all queries of a labelled file together.

In the public code every pair of a labelled file is a node of the graph of pairs: queries send messages to each other
and change each other's degrees, so the score of a triple depends on the file it is in. The negatives of a file come
from few entities, so they meet each other often, which gives them away. Our models score a query with the observed
facts alone. This measures what the difference is worth, with the published settings.

    python benchmarks/together.py                      the figures, as JSON
    python benchmarks/together.py indigo wn18rr_v1     one case
"""

from __future__ import annotations

import json
import sys
from statistics import fmean
from typing import Any

import numpy as np
import torch

from linkwl import PROTOCOLS, create_model, load_dataset
from linkwl.metrics import accuracy, auc
from linkwl.models.bundled import bundled_settings
from linkwl.protocols import TrainingData
from linkwl.training import Trainer

DATASETS = tuple(f"{family}_v{k}" for family in ("fb237", "wn18rr") for k in (1, 2, 3, 4))
CASES = [(model, dataset) for model in ("indigo", "local-2wl") for dataset in DATASETS]


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
        for way, scores in (("alone", model(observed, queries)), ("together", together.astype(np.float64))):
            for metric, function in (("ACC", accuracy), ("AUC", auc)):
                value = function(scores[: len(positives)], scores[len(positives) :])
                found.setdefault((metric, way), []).append(value)
    return [
        {
            "what": f"{metric} of the published {name} on {dataset}, queries scored {way}",
            "value": 100 * fmean(values),
            "model": name,
            "dataset": dataset,
        }
        for (metric, way), values in found.items()
    ]


def main() -> None:
    """Writes the figures to standard output."""
    cases = [tuple(sys.argv[1:])] if sys.argv[1:] else CASES
    print(json.dumps([figure for case in cases for figure in measure(*case)]))


if __name__ == "__main__":
    main()
