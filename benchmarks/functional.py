"""What leaving out second values of functional relations costs: the share of hidden facts that it would lose.

Relations with one tail for each head, or one head for each tail, are found in the observed facts of a fold. Lost are
hidden facts of the same fold that would be second values. These graphs are samples of larger ones, so some relations
look functional only because little of them is left.

    python benchmarks/functional.py           the figures, as JSON
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from measure import collected

from linkwl import load_dataset
from linkwl.benchmark.grid import GRIDS
from linkwl.graph.functional import find_functional
from linkwl.protocols import find_protocol

RECORD = Path(__file__).parent / "results" / "functional.json"


def measure(name: str) -> dict[str, Any]:
    """The share of hidden facts of a graph that would be lost, of both folds."""
    split = find_protocol("indigo").apply(load_dataset(name), seed=0)
    hidden = lost = sides = 0
    for fold in (split.valid, split.test):
        found, facts = find_functional(fold.observed), np.unique(fold.positives, axis=0)
        hidden += len(facts)
        lost += int((found.second_tails(facts) | found.second_heads(facts)).sum())
        sides += int(found.one_tail.sum() + found.one_head.sum())
    what = f"share of hidden facts that would be second values, {name}"
    return {"what": what, "value": lost / hidden, "lost": lost, "hidden": hidden, "functional": sides, "at_most": 0.02}


def main() -> None:
    """Measures all graphs."""
    json.dump(collected(measure, GRIDS["table3"].datasets, RECORD), sys.stdout)


if __name__ == "__main__":
    main()
