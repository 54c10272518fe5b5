"""Measures the best settings of a study again, on splits that no trial has seen.

The best of many trials owes a part of its value to luck on the splits that chose it. Splits of the training links with
other seeds hide other links of them; there the best settings are set beside the defaults, split by split.
"""

from __future__ import annotations

import math
from dataclasses import replace

from linkwl.engine import Engine
from linkwl.tuning.study import Confirmation, Study, Trial
from linkwl.tuning.trial import TrialTask, TrialWork, run_trial

FIRST_FRESH_SEED = 100
"""Trials are measured on the splits of seeds 0, 1, ..., fewer than this."""
_REDRAWN = (None, "covering", "by entities")
"""Splitters whose seeds hold out other links; those of the others differ in negatives and training alone."""


def confirm(study: Study, work: TrialWork, engine: Engine, splits: int) -> Study:
    """The study with its best settings measured on fresh splits, unless that was done, or there is nothing to measure.

    Args:
        study: The trials.
        work: What they share.
        engine: Runs the splits.
        splits: Number of fresh splits; 0 to measure nothing.

    Raises:
        LinkwlError: If the model fails on a fresh split.
    """
    best, seeds = study.best, tuple(range(FIRST_FRESH_SEED, FIRST_FRESH_SEED + splits))
    if best is None or not seeds:
        return study
    known = study.confirmation
    if known is not None and (known.trial, known.seeds) == (best.number, seeds):
        return study
    # Named as defaults, because those raise their error instead of recording it.
    defaults = [TrialTask(Trial(-1, "default", {}), (seed,), math.inf) for seed in seeds]
    chosen = [TrialTask(Trial(best.number, "default", best.settings), (seed,), math.inf) for seed in seeds]
    tasks = defaults + (chosen if best.settings else [])
    values = [trial.values[0] for trial in engine.map(run_trial, tasks, shared=work)]
    default, found = tuple(values[: len(seeds)]), tuple(values[len(defaults) :])
    overlap = None
    if study.protocol.get("split") in _REDRAWN:
        valid, test = (float(study.protocol.get(name, 0.0)) for name in ("valid_ratio", "test_ratio"))
        overlap = test / max(1 - valid - test, 1e-9)
    return replace(study, confirmation=Confirmation(best.number, seeds, found or default, default, overlap))
