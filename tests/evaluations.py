"""Results of models that nobody has run."""

from __future__ import annotations

from linkwl.records import Evaluation, GraphRecord, RunRecord

PROTOCOL = {"id": "paper", "metrics": ["auc", "ap"], "valid_ratio": 0.05, "test_ratio": 0.1}
SCORES = {
    # valid AUC by split, test AUC, seconds
    "cn": ([0.80, 0.81, 0.79], 0.9, 0.01),
    "walk-2fwl": ([0.95, 0.94, 0.96], 0.7, 8.0),
    "ra": ([0.949, 0.942, 0.957], 0.8, 0.02),
}


def evaluation(scores=SCORES, splits=3, refusals=None, edges=4000):
    runs = [
        RunRecord(
            model=model,
            seed=seed,
            metrics={"auc": test, "ap": test},
            valid={"auc": valid[seed], "ap": 0.5},
            seconds={"prepare": 0.0, "fit": seconds, "predict": 0.0},
            steps=0,
            peak_memory_mb=1.0,
            split="s",
        )
        for seed in range(splits)
        for model, (valid, test, seconds) in scores.items()
    ]
    return Evaluation(GraphRecord("ring", 500, edges, "d"), PROTOCOL, tuple(runs), refusals=refusals or {})
