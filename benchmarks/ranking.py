"""What it takes to rank the missing links of large graphs with `local-2fwl`: seconds, and memory beyond the model.

All pairs of Pubmed, and the pairs two edges apart in a synthetic graph of a million nodes. The model is trained for a
few steps only, which changes neither. Seconds are for an idle machine with two cores.

    python benchmarks/ranking.py             the figures, as JSON
    python benchmarks/ranking.py pubmed      one of them
    python benchmarks/ranking.py table       the record as a table
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from measure import draws_table
from networks import resident_bytes
from power_law import power_law_graph

from linkwl import Graph, LinkPredictor, load_dataset

SETTINGS = {"training": {"max_steps": 20, "evaluate_every": 20}}
CANDIDATES = {"pubmed": "all", "million": "hops:2"}
UNITS = ("seconds", "gigabytes beyond the model")
RECORD = Path(__file__).parent / "results" / "ranking.json"
TOP = 100
LIMIT = 2
"""Gigabytes."""


def load(name: str) -> Graph:
    """A network of the catalogue, or a synthetic one of a million nodes and three million edges."""
    if name == "million":
        return power_law_graph(1_000_000, 3_000_000, np.random.default_rng(0))
    return load_dataset(name)


def rank(name: str, folder: str) -> None:
    """Ranks with a saved model and writes what that took to standard output."""
    predictor = LinkPredictor.load(folder)
    before, start = resident_bytes("VmRSS"), time.perf_counter()
    found = predictor.recommend(TOP, candidates=CANDIDATES[name])
    assert len(found) == TOP
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "gigabytes": (resident_bytes("VmHWM") - before) / 1e9}))


def measure(name: str) -> dict[str, float]:
    """Trains, then ranks in a process of its own."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "model"
        LinkPredictor("local-2fwl", settings=SETTINGS).fit(load(name)).save(folder)
        script = [sys.executable, __file__, "--rank", name, str(folder)]
        return json.loads(subprocess.run(script, check=True, stdout=subprocess.PIPE, text=True).stdout)


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    found = {figure["what"]: figure["value"] for figure in figures}
    lines = ["| graph | candidates | minutes | gigabytes beyond the model |", "|---|---|--:|--:|"]
    for name, candidates in CANDIDATES.items():
        seconds, memory = (found[f"{unit} {work(name)}"] for unit in UNITS)
        lines.append(f"| {name} | {candidates} | {seconds / 60:.1f} | {memory:.2f} |")
    return "\n".join(lines) + "\n"


def work(name: str) -> str:
    """What is measured, in words."""
    return f"to rank {CANDIDATES[name]} pairs of {name}"


def main() -> None:
    """Writes the figures to standard output, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    if sys.argv[1:2] == ["--rank"]:
        rank(*sys.argv[2:])
        return
    figures = []
    for name in sys.argv[1:] or CANDIDATES:
        took, (seconds, memory) = measure(name), UNITS
        figures.append({"what": f"{seconds} {work(name)}", "value": took["seconds"]})
        figures.append({"what": f"{memory} {work(name)}", "value": took["gigabytes"], "at_most": LIMIT})
        print(f"{took['seconds']:8.1f} s  {took['gigabytes']:.2f} GB  {name}", file=sys.stderr, flush=True)
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main()
