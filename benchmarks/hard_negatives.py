"""Hard negatives: `walk-2fwl` beside gradient boosting, also when half of boosting's non-edges are near each other.

Protocol `heart`, default settings otherwise, mean over three splits.

    python benchmarks/hard_negatives.py           the figures, as JSON
    python benchmarks/hard_negatives.py table     the record as a table
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import Any

from measure import collected, draws_table

from linkwl import PROTOCOLS, create_model, evaluate_models, load_dataset

DATASETS = ("usair", "ns", "celegans", "power", "router", "yeast", "cora", "citeseer")
SYSTEMS: dict[str, tuple[str, dict[str, Any]]] = {
    "walk-2fwl": ("walk-2fwl", {}),
    "boosting": ("boosting", {}),
    "boosting, near": ("boosting", {"near_share": 0.5}),
}
SEEDS = range(3)
RECORD = Path(__file__).parent / "results" / "hard_negatives.json"


def measure(dataset: str) -> dict[str, Any]:
    """The test MRR of each system, and that of ours over that of boosting with near non-edges."""
    graph, found = load_dataset(dataset), {}
    for title, (name, settings) in SYSTEMS.items():  # runs are known by the model's name, which two systems share
        runs = evaluate_models(graph, [create_model(name, **settings)], PROTOCOLS["heart"], SEEDS).runs
        found[title] = [100 * run.metrics["mrr"] for run in runs]
    return {
        "what": f"test MRR of walk-2fwl over that of boosting with near non-edges, on {dataset}",
        "value": fmean(found["walk-2fwl"]) / fmean(found["boosting, near"]),
        "dataset": dataset,
        "seeds": len(SEEDS),
        "mrr": found,
    }


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    lines = ["| MRR % | walk-2fwl | boosting | boosting with near non-edges |", "|---|" + "--:|" * 3]
    for figure in figures:
        means = [fmean(values) for values in figure["mrr"].values()]
        cells = [f"**{mean:.2f}**" if mean == max(means) else f"{mean:.2f}" for mean in means]
        lines.append(f"| {figure['dataset']} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if not draws_table(RECORD, markdown):
        print(json.dumps(collected(measure, DATASETS, RECORD)))


if __name__ == "__main__":
    main()
