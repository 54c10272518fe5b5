"""What `walk-2fwl` takes on graphs of triples: seconds and memory, on an idle machine with two cores.

Training is under protocol `indigo`, with default settings. Then all relations of 10 000 pairs are scored in the graph
of other entities, which the model reads first. These are times and no ratios: they say whether a person would wait,
not how fast a machine is. Each graph has a process of its own.

    python benchmarks/triple_limits.py             the figures, as JSON
    python benchmarks/triple_limits.py fb237_v1    one graph
    python benchmarks/triple_limits.py table       the record as a table
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from measure import draws_table, seconds
from networks import resident_bytes

from linkwl import create_model, load_dataset
from linkwl.benchmark.grid import GRIDS
from linkwl.protocols import TrainingData, find_protocol
from linkwl.training import Trainer

RECORD = Path(__file__).parent / "results" / "triple_limits.json"
GRID = GRIDS["table3"]
NUM_PAIRS = 10_000
TURNS = 5
LIMITS = {"fit": 120, "score": 5, "gigabytes": 8}
UNITS = {
    "fit": "seconds to fit",
    "score": f"seconds to score all relations of {NUM_PAIRS:,} pairs",
    "gigabytes": "gigabytes at the peak",
}


def measure(name: str) -> dict[str, float]:
    """Seconds and gigabytes on one graph."""
    protocol = find_protocol("indigo")
    split = protocol.apply(load_dataset(name), seed=0)
    model: Any = create_model("walk-2fwl", "triples")
    history = model.fit(TrainingData.of(split, protocol), Trainer())
    unseen = split.test.observed
    pairs = np.random.default_rng(0).integers(0, unseen.num_nodes, (NUM_PAIRS, 2))
    times = []
    for turn in range(TURNS):
        graph = replace(unseen, name=f"turn {turn}")  # read anew each time
        times.append(seconds(lambda graph=graph: model.prepare(graph).relations(pairs)))
    return {"fit": history.seconds, "score": median(times), "gigabytes": resident_bytes("VmHWM") / 1e9}


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    found = {figure["what"]: figure["value"] for figure in figures}
    lines = [f"| | {' | '.join(GRID.dataset_titles.values())} |", "|---|" + "--:|" * len(GRID.datasets)]
    for unit in UNITS.values():
        values = [found[f"{unit}, {name}"] for name in GRID.datasets]
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
    for name in GRID.datasets:
        output = subprocess.run([sys.executable, __file__, name], check=True, stdout=subprocess.PIPE, text=True).stdout
        for what, value in json.loads(output).items():
            figures.append({"what": f"{UNITS[what]}, {name}", "value": value, "at_most": LIMITS[what]})
            print(f"{value:8.3f}  {figures[-1]['what']}", file=sys.stderr, flush=True)
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main()
