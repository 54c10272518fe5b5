"""What it takes to rank the missing links of large graphs with `local-2fwl`: seconds, and memory beyond the model.

All pairs of Pubmed, and the pairs two edges apart in a synthetic graph of a million nodes. The model is trained for a
few steps only, which changes neither. Every candidate is scored; see `screening` for screened rankings. Seconds are for
an idle machine with two cores.

    python benchmarks/ranking.py             the figures, as JSON
    python benchmarks/ranking.py pubmed      one of them
    python benchmarks/ranking.py table       the record as a table
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from measure import draws_table
from networks import resident_bytes
from power_law import power_law_graph

from linkwl import LinkPredictor, Observed, load_dataset

UNITS = ("seconds", "gigabytes beyond the model")
TOP = 100
LIMIT = 2
"""Gigabytes."""


@dataclass(frozen=True)
class Case:
    """A graph to rank the missing links or facts of."""

    load: Callable[[], Observed]
    """The graph to train on."""
    candidates: str
    what: str = "pairs"
    model: str = "local-2fwl"
    settings: dict[str, Any] = field(default_factory=lambda: {"training": {"max_steps": 20, "evaluate_every": 20}})
    other: Callable[[], Observed | None] = lambda: None
    """The graph to rank in, if it is another one."""


CASES = {
    "pubmed": Case(lambda: load_dataset("pubmed"), "all"),
    "million": Case(lambda: power_law_graph(1_000_000, 3_000_000, np.random.default_rng(0)), "hops:2"),
}


def rank(case: Case, folder: str) -> None:
    """Ranks with a saved model and writes what that took to standard output."""
    predictor, graph = LinkPredictor.load(folder), case.other()
    before, start = resident_bytes("VmRSS"), time.perf_counter()
    found = predictor.recommend(TOP, candidates=case.candidates, ranking="exact", graph=graph)
    assert len(found) == TOP
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "gigabytes": (resident_bytes("VmHWM") - before) / 1e9}))


def measure(script: str, name: str, case: Case) -> dict[str, float]:
    """Trains, then ranks in a process of its own."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "model"
        LinkPredictor(case.model, settings=case.settings).fit(case.load()).save(folder)
        command = [sys.executable, script, "--rank", name, str(folder)]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def markdown(figures: list[dict[str, Any]], cases: Mapping[str, Case] = CASES) -> str:
    """The figures as a table."""
    found = {figure["what"]: figure["value"] for figure in figures}
    lines = ["| graph | candidates | minutes | gigabytes beyond the model |", "|---|---|--:|--:|"]
    for name, case in cases.items():
        seconds, memory = (found[f"{unit} {work(name, case)}"] for unit in UNITS)
        lines.append(f"| {name} | {case.candidates} | {seconds / 60:.1f} | {memory:.2f} |")
    return "\n".join(lines) + "\n"


def work(name: str, case: Case) -> str:
    """What is measured, in words."""
    return f"to rank {case.candidates} {case.what} of {name}"


def main(script: str = __file__, cases: Mapping[str, Case] = CASES) -> None:
    """Writes the figures to standard output, or draws what was measured."""
    record = Path(script).parent / "results" / f"{Path(script).stem}.json"
    if draws_table(record, lambda figures: markdown(figures, cases)):
        return
    if sys.argv[1:2] == ["--rank"]:
        rank(cases[sys.argv[2]], sys.argv[3])
        return
    figures = []
    for name in sys.argv[1:] or cases:
        took, (seconds, memory) = measure(script, name, cases[name]), UNITS
        figures.append({"what": f"{seconds} {work(name, cases[name])}", "value": took["seconds"]})
        figures.append({"what": f"{memory} {work(name, cases[name])}", "value": took["gigabytes"], "at_most": LIMIT})
        print(f"{took['seconds']:8.1f} s  {took['gigabytes']:.2f} GB  {name}", file=sys.stderr, flush=True)
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main()
