"""How long `walk-2fwl` is fitted with its default settings, beside gradient boosting with its scores.

Everything else is the same: the split, the threads, the time from the training links to weights, features included.
AUC is that of links hidden inside the training links of a split, so nothing is learned of its test links.

    python benchmarks/fit_times.py           the figures, as JSON
    python benchmarks/fit_times.py table     the record as a table
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean, median
from typing import Any

from measure import collected, draws_table

from linkwl import PROTOCOLS, create_model, evaluate_models, load_dataset

TURNS = {
    "usair": 10,
    "celegans": 10,
    "ns": 10,
    "power": 10,
    "router": 10,
    "cora": 5,
    "citeseer": 5,
    "yeast": 3,
    "ecoli": 3,
    "pb": 3,
    "pubmed": 2,
}
SYSTEMS = ("walk-2fwl", "boosting")
RECORD = Path(__file__).parent / "results" / "fit_times.json"


def measure(dataset: str) -> dict[str, Any]:
    """The seconds of each system, in turns; the first one also loads compiled kernels, and is left out."""
    protocol, graph = PROTOCOLS["paper"], load_dataset(dataset)
    seconds: dict[str, list[float]] = {name: [] for name in SYSTEMS}
    auc: dict[str, list[float]] = {name: [] for name in SYSTEMS}
    for turn in range(-1, TURNS[dataset]):
        inside = protocol.apply(graph, max(turn, 0)).train.observed
        for name in SYSTEMS:
            (run,) = evaluate_models(inside, [create_model(name)], protocol, [max(turn, 0)]).runs
            if turn >= 0:
                seconds[name].append(run.seconds["prepare"] + run.seconds["fit"])
                auc[name].append(100 * run.metrics["auc"])
    ours, theirs = (seconds[name] for name in SYSTEMS)
    return {
        "what": f"time to fit walk-2fwl as a share of that of boosting, on {dataset}",
        "value": median(a / b for a, b in zip(ours, theirs, strict=True)),
        "dataset": dataset,
        "edges": graph.num_facts,
        "seconds": seconds,
        "auc": {name: fmean(values) for name, values in auc.items()},
    }


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    lines = [
        "| | edges | seconds, `walk-2fwl` | `boosting` | ratio | AUC %, `walk-2fwl` | `boosting` |",
        "|---|" + "--:|" * 6,
    ]
    for figure in figures:
        seconds = " | ".join(f"{median(values):.1f}" for values in figure["seconds"].values())
        auc = " | ".join(f"{value:.2f}" for value in figure["auc"].values())
        lines.append(f"| {figure['dataset']} | {figure['edges']} | {seconds} | {figure['value']:.2f} | {auc} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if not draws_table(RECORD, markdown):
        print(json.dumps(collected(measure, TURNS, RECORD)))


if __name__ == "__main__":
    main()
