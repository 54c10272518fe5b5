"""`walk-2fwl` beside the recipe that it grew from, on the same splits.

The recipe: logarithms of plain walks between the ends and back to each, degrees, similarities of smoothed features, and
scikit-learn's gradient boosting. Train edges leave the graph in eight folds, so that none sees itself. The scores of
`walk-2fwl` are those of the records in ``results``.

    python benchmarks/recipe.py           the figures, as JSON
    python benchmarks/recipe.py table     the record as a table
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from measure import collected, draws_table
from sklearn.ensemble import HistGradientBoostingClassifier

from linkwl import PROTOCOLS, Graph, Split, load_dataset
from linkwl.benchmark.cell_record import load_cells
from linkwl.benchmark.grid import GRIDS
from linkwl.metrics import auc
from linkwl.nn import Adjacency
from linkwl.nn.feature_similarity import FeatureSimilarity
from linkwl.nn.plain_walks import PlainWalks
from linkwl.nn.sparse_linear import SparseRows

RESULTS = Path(__file__).parents[1] / "results"
STEPS = {
    **{"usair": 4, "ns": 6, "pb": 5, "yeast": 5, "celegans": 4, "power": 10, "router": 6, "ecoli": 5},
    **{"cora": 6, "citeseer": 6, "pubmed": 4},
}
FOLDS = 8
RECORD = Path(__file__).parent / "results" / "recipe.json"


class Recipe:
    """The inputs of the pairs of a graph, and boosting on them."""

    def __init__(self, graph: Graph, steps: int) -> None:
        self._steps = steps
        self._rows: SparseRows | None = None
        self._similarity: FeatureSimilarity | None = None
        if graph.features is not None:
            features = sp.csr_array(graph.features)
            rows = (features.indptr.astype(np.int64), features.indices.astype(np.int32), features.data)
            self._rows = SparseRows(*rows, graph.num_features)
            self._similarity = FeatureSimilarity(graph.num_features)
            self._similarity.fit(self._rows, seed=0)

    def inputs(self, observed: Graph, pairs: np.ndarray) -> np.ndarray:
        """A row of numbers for every pair."""
        adjacency = Adjacency.from_csr(observed.rowptr, observed.col, is_symmetric=True)
        plain = PlainWalks(adjacency, self._steps, self._similarity, self._rows)
        return plain.at(torch.from_numpy(pairs.astype(np.int64))).numpy()

    def auc(self, split: Split) -> float:
        """Of the test targets."""
        generator = np.random.default_rng(split.seed)
        positives, negatives = (
            generator.permutation(pairs) for pairs in (split.train.positives, split.train.negatives)
        )
        rows, labels = [], []
        for fold in range(FOLDS):
            links, others = positives[fold::FOLDS], negatives[fold::FOLDS]
            rows.append(self.inputs(split.train.observed.without(links), np.concatenate([links, others])))
            labels.append(np.repeat([1, 0], [len(links), len(others)]))
        head = HistGradientBoostingClassifier(random_state=0).fit(np.concatenate(rows), np.concatenate(labels))
        targets = np.concatenate([split.test.positives, split.test.negatives])
        scores = head.decision_function(self.inputs(split.test.observed, targets))
        return auc(*np.split(scores, [len(split.test.positives)]))


def ours(dataset: str) -> dict[int, float]:
    """The test AUC of `walk-2fwl` by seed, from the records."""
    (folder,) = (RESULTS / name for name in ("table1", "table2") if dataset in GRIDS[name].datasets)
    found = load_cells(folder, "walk-2fwl").items()
    return {
        cell.seed: record.run.metrics["auc"]
        for cell, record in found
        if cell.dataset == dataset and record.run is not None
    }


def measure(dataset: str) -> dict[str, Any]:
    """How far ours is above the recipe, in points of test AUC."""
    graph = load_dataset(dataset).to_undirected()
    found, recipe = ours(dataset), Recipe(graph, STEPS[dataset])
    plain = {seed: recipe.auc(PROTOCOLS["paper"].apply(graph, seed)) for seed in found}
    means = [100 * fmean(values.values()) for values in (found, plain)]
    return {
        "what": f"points of test AUC of walk-2fwl above boosting on plain walks on {dataset}, {len(found)} splits",
        "value": means[0] - means[1],
        "at_least": 0,
        "dataset": dataset,
        "walk-2fwl": means[0],
        "recipe": means[1],
    }


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    lines = [f"| AUC % | {' | '.join(figure['dataset'] for figure in figures)} |", "|---|" + "--:|" * len(figures)]
    for row, title in (("walk-2fwl", "`walk-2fwl`"), ("recipe", "boosting on plain walks")):
        lines.append(f"| {title} | {' | '.join(f'{figure[row]:.2f}' for figure in figures)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    json.dump(collected(measure, STEPS, RECORD), sys.stdout)


if __name__ == "__main__":
    main()
