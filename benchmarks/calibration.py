"""How well the probabilities of `walk-2fwl` say how often pairs are links, on the test links of every network.

Trained as `linkwl train` does by default, seed 0. The error is measured at two priors: one half, which is the share of
links among the test pairs, and the share of linked pairs in the network, which is what `predict` takes by default.

    python benchmarks/calibration.py           the figures, as JSON
    python benchmarks/calibration.py table     the record as a table
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from measure import collected, draws_table

from linkwl import create_model, load_dataset
from linkwl.benchmark.grid import GRIDS
from linkwl.metrics.calibration import brier_score, calibration_error
from linkwl.protocols import PAPER, target_scores
from linkwl.training import Trainer
from linkwl.training.evaluate import fold_scores
from linkwl.training.train import train_for_use

MODEL = "walk-2fwl"
DATASETS = tuple(name for grid in ("table1", "table2") for name in GRIDS[grid].datasets)
LIMIT, AT_LEAST = 0.03, 8
RECORD = Path(__file__).parent / "results" / "calibration.json"


def measure(dataset: str) -> dict[str, Any]:
    """Calibration errors and Brier scores on the test fold."""
    graph = load_dataset(dataset)
    saved = train_for_use(create_model(MODEL), graph, Trainer())
    test = PAPER.apply(graph, saved.record.seed).test
    scores = target_scores(test.targets, fold_scores(saved.model, test))[:2]
    figure: dict[str, Any] = {"dataset": dataset, "pairs": sum(map(len, scores)), "auc": saved.record.test["auc"]}
    for name, prior in (("even", 0.5), ("network", saved.calibration.prior)):
        predicted = [saved.calibration.probability(values, prior) for values in scores]
        figure[name] = {
            "prior": prior,
            "ece": calibration_error(*predicted, prior=prior),
            "brier": brier_score(*predicted, prior=prior),
        }
    return figure | {"what": f"calibration error of {MODEL} on {dataset}, prior 1/2", "value": figure["even"]["ece"]}


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    lines = [
        "| network | test pairs | error, prior 1/2 | Brier | prior of the network | error |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for figure in figures:
        if "dataset" in figure:
            even, own = figure["even"], figure["network"]
            numbers = f"{even['ece']:.3f} | {even['brier']:.3f} | {own['prior']:.5f} | {own['ece']:.5f}"
            lines.append(f"| {figure['dataset']} | {figure['pairs']:,} | {numbers} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    figures = collected(measure, DATASETS, RECORD)
    count = sum(figure["value"] < LIMIT for figure in figures)
    what = f"networks of {len(figures)} with a calibration error below {LIMIT}, prior 1/2"
    json.dump([{"what": what, "value": count, "at_least": AT_LEAST}, *figures], sys.stdout)


if __name__ == "__main__":
    main()
