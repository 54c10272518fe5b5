"""Measures every benchmark in a process of its own, prints the figures and keeps them as records.

Machines differ and are noisy, so speeds are the ratio of two things measured in turns in one run, the median over
several turns. Only `drawing`, `limits`, `ranking`, `scale`, `startup`, `triple_limits` and `triple_ranking` have times
on their own.

    python benchmarks/run.py            all speeds, and `recipe`; not `calibration`, `explanations`, `fit_times`,
                                        `hard_negatives`, `limits`, `parts`, `ranking`, `screening`, `together`,
                                        `triple_limits` and `triple_ranking`, which take long, nor `outside`,
                                        `directed`, `bipartite`, `coordinates`, `weighted`, `temporal`, `recovered`,
                                        `pykeen_models`, `public_models` and `schemathesis_requests`, which need
                                        packages or files of their own, nor `startup`, which needs an earlier commit,
                                        nor `serving` and `drawing`, which start a server, the latter also Chromium
    python benchmarks/run.py read_csv   one of them
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from measure import partial_record

from linkwl.records import versions

HERE = Path(__file__).parent
BENCHMARKS = (
    "read_csv",
    "split",
    "common_neighbours",
    "wl",
    "joins",
    "networks",
    "pair_graph",
    "subgraph_extraction",
    "scale",
    "recipe",
)


def main() -> None:
    """Runs the benchmarks named on the command line, or all of them."""
    failed = False
    for name in sys.argv[1:] or BENCHMARKS:
        environment = os.environ | {"OMP_WAIT_POLICY": "PASSIVE"}
        script = [sys.executable, str(HERE / f"{name}.py")]
        output = subprocess.run(script, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
        figures = json.loads(output)
        record = {"benchmark": name, "date": datetime.now(UTC).isoformat(timespec="seconds"), "versions": versions()}
        results = HERE / "results"
        results.mkdir(exist_ok=True)
        (results / f"{name}.json").write_text(json.dumps(record | {"figures": figures}, indent=2) + "\n")
        partial_record(results / f"{name}.json").unlink(missing_ok=True)
        print(name)
        for figure in figures:
            limit, holds = _judge(figure)
            failed |= not holds
            print(f"  {figure['value']:8.2f}  {limit}{'' if holds else ' MISSED'}  {figure['what']}")
    sys.exit(failed)


def _judge(figure: dict[str, Any]) -> tuple[str, bool]:
    """The limit in words, and whether the figure keeps to it."""
    if "at_most" in figure:
        return f"(at most {figure['at_most']})", figure["value"] <= figure["at_most"]
    if "at_least" in figure:
        return f"(at least {figure['at_least']})", figure["value"] >= figure["at_least"]
    return "(no limit)", True


if __name__ == "__main__":
    main()
