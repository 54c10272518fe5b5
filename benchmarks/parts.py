"""What each part of `walk-2fwl` is worth: one thing is changed, everything else has its default.

Measured on links that are hidden inside the training links of a split, so nothing is learned of its test links; mean
over five such splits, each with the same hidden links for all.

    python benchmarks/parts.py           the figures, as JSON
    python benchmarks/parts.py table     the record as a table
"""

from __future__ import annotations

import json
import sys
from functools import cache
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

from measure import collected, draws_table

from linkwl import PROTOCOLS, create_model, evaluate_models, load_dataset

DATASETS = ("usair", "ns", "celegans", "power", "cora")
SEEDS = range(5)
VARIANTS: dict[str, dict[str, Any]] = {
    "without trees": {"trees": "off"},
    "without global position": {"position": "off"},
    "without both": {"trees": "off", "position": "off"},
    "with gates": {"gates": "on"},
    "one perceptron of each kind instead of four": {"readout": {"members": 1}},
    "plain walks of up to three edges": {"steps": 3},
    "plain walks of up to eight edges": {"steps": 8},
    "no negatives from two edges apart": {"training": {"near_share": 0.0}},
    "150 steps instead of 400": {"training": {"max_steps": 150}},
    "1200 steps": {"training": {"links_per_step": 0}},
}
RECORD = Path(__file__).parent / "results" / "parts.json"


@cache
def mean_auc(dataset: str, variant: str | None) -> float:
    """In percent, over the splits."""
    model, found = create_model("walk-2fwl", **(VARIANTS[variant] if variant else {})), []
    for seed in SEEDS:
        inside = PROTOCOLS["paper"].apply(load_dataset(dataset), seed).train.observed
        found.append(evaluate_models(inside, [model], PROTOCOLS["paper"], [seed]).summary[model.id]["auc"]["mean"])
    return 100 * fmean(found)


def measure(case: tuple[str, str]) -> dict[str, Any]:
    """How much is gained by a change, in points of AUC."""
    dataset, variant = case
    with_defaults, changed = mean_auc(dataset, None), mean_auc(*case)
    return {
        "what": f"points of AUC gained by a change on {dataset}: {variant}",
        "value": changed - with_defaults,
        "dataset": dataset,
        "variant": variant,
        "with defaults": with_defaults,
    }


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    gained = {(figure["dataset"], figure["variant"]): figure for figure in figures}
    first = next(iter(VARIANTS))
    defaults = " | ".join(format(gained[name, first]["with defaults"], ".2f") for name in DATASETS)
    lines = [
        f"| AUC % | {' | '.join(DATASETS)} |",
        "|---|" + "--:|" * len(DATASETS),
        f"| default settings | {defaults} |",
    ]
    for variant in VARIANTS:
        changes = " | ".join(f"{gained[name, variant]['value']:+.2f}" for name in DATASETS)
        lines.append(f"| {variant} | {changes} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    json.dump(collected(measure, product(DATASETS, VARIANTS), RECORD), sys.stdout)


if __name__ == "__main__":
    main()
