"""How long `walk-2fwl` is fitted, by default and with quick settings, beside gradient boosting with its scores.

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
from linkwl.models.bundled import bundled_settings

TURNS = {"usair": 5, "celegans": 5, "power": 3, "cora": 3, "yeast": 2, "ecoli": 1, "pubmed": 1}
RIVAL = "boosting"
MOST_EDGES = 20_000
"""Of graphs on which the defaults are measured as well."""
RECORD = Path(__file__).parent / "results" / "fit_times.json"


def measure(dataset: str) -> dict[str, Any]:
    """The seconds of each system, in turns."""
    systems = {
        "default": create_model("walk-2fwl"),
        "quick": create_model("walk-2fwl", **bundled_settings("walk-2fwl", dataset, "quick")),
        RIVAL: create_model(RIVAL),
    }
    protocol, graph = PROTOCOLS["paper"], load_dataset(dataset)
    seconds: dict[str, list[float]] = {name: [] for name in systems}
    auc: dict[str, list[float]] = {name: [] for name in systems}
    for seed in range(TURNS[dataset]):
        inside = protocol.apply(graph, seed).train.observed
        for name, model in systems.items():
            if name == "default" and graph.num_facts > MOST_EDGES:
                continue
            (run,) = evaluate_models(inside, [model], protocol, [seed]).runs
            seconds[name].append(run.seconds["prepare"] + run.seconds["fit"])
            auc[name].append(100 * run.metrics["auc"])
    return {
        "what": f"time to fit walk-2fwl with quick settings, as a share of {RIVAL}'s, on {dataset}",
        "value": median(a / b for a, b in zip(seconds["quick"], seconds[RIVAL], strict=True)),
        "dataset": dataset,
        "edges": graph.num_facts,
        "seconds": seconds,
        "auc": {name: fmean(values) if values else None for name, values in auc.items()},
    }


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    lines = [
        "| | edges | seconds, default | quick | `boosting` | quick / `boosting` "
        "| AUC %, default | quick | `boosting` |",
        "|---|" + "--:|" * 8,
    ]
    for figure in figures:
        seconds = " | ".join(f"{median(values):.1f}" if values else "" for values in figure["seconds"].values())
        auc = " | ".join("" if value is None else f"{value:.2f}" for value in figure["auc"].values())
        lines.append(f"| {figure['dataset']} | {figure['edges']} | {seconds} | {figure['value']:.2f} | {auc} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if not draws_table(RECORD, markdown):
        print(json.dumps(collected(measure, TURNS, RECORD)))


if __name__ == "__main__":
    main()
