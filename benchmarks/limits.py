"""What a fit of `walk-2fwl` takes: seconds and memory, on an idle machine with two cores.

Settings are the defaults; walks on the graph of a million edges have up to four.

These are times and no ratios: they say whether a person would wait, not how fast a machine is. Each graph has a process
of its own. Scoring is that of the test targets, on a graph that the model has not seen before.

    python benchmarks/limits.py             the figures, as JSON
    python benchmarks/limits.py million     one of them
    python benchmarks/limits.py table       the record as a table
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from measure import draws_table
from networks import resident_bytes
from power_law import power_law_graph

from linkwl import Graph, create_model, load_dataset
from linkwl.protocols import PAPER, TrainingData
from linkwl.training import Trainer

MILLION = "million"
RECORD = Path(__file__).parent / "results" / "limits.json"
LIMITS = {
    "usair": {"fit": 20, "gigabytes": 4},
    "celegans": {"fit": 20, "gigabytes": 4},
    "cora": {"fit": 60, "score": 0.1, "gigabytes": 4},
    "pubmed": {"fit": 600, "score": 3, "gigabytes": 4},
    MILLION: {"fit": 1800, "gigabytes": 8},
}
UNITS = {"fit": "seconds to fit", "score": "seconds to score the test targets", "gigabytes": "gigabytes at the peak"}


def load(name: str) -> Graph:
    """A network of the catalogue, or a synthetic one of a hundred thousand nodes and a million edges."""
    return power_law_graph(100_000, 1_000_000, np.random.default_rng(0)) if name == MILLION else load_dataset(name)


def measure(name: str) -> dict[str, float]:
    """Seconds and gigabytes on one graph."""
    split = PAPER.apply(load(name), seed=0)
    model: Any = create_model("walk-2fwl", **({"steps": 4} if name == MILLION else {}))
    history = model.fit(TrainingData.of(split, PAPER), Trainer())
    targets, times = np.concatenate([split.test.positives, split.test.negatives]), []
    for turn in range(5):
        observed = replace(split.test.observed, name=f"turn {turn}")
        start = time.perf_counter()
        model(observed, targets)
        times.append(time.perf_counter() - start)
    return {"fit": history.seconds, "score": median(times), "gigabytes": resident_bytes("VmHWM") / 1e9}


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    found = {figure["what"]: figure["value"] for figure in figures}
    lines = [f"| | {' | '.join(LIMITS)} |", "|---|" + "--:|" * len(LIMITS)]
    for unit in UNITS.values():
        values = [found[f"{unit}, {name}"] for name in LIMITS]
        lines.append(
            f"| {unit} | {' | '.join(f'{value:.2g}' if value < 100 else f'{value:.0f}' for value in values)} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes the figures to standard output, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    if names := sys.argv[1:]:
        print(json.dumps(measure(*names)))
        return
    figures = []
    for name, limits in LIMITS.items():
        output = subprocess.run([sys.executable, __file__, name], check=True, stdout=subprocess.PIPE, text=True).stdout
        for what, value in json.loads(output).items():
            limit = {"at_most": limits[what]} if what in limits else {}
            figures.append({"what": f"{UNITS[what]}, {name}", "value": value} | limit)
            print(f"{value:8.3f}  {figures[-1]['what']}", file=sys.stderr, flush=True)
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main()
