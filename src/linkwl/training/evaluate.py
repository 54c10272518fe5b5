"""Evaluation: scores of held-out targets, turned into a record."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from linkwl.graph import Graph
from linkwl.metrics import auc, average_precision
from linkwl.models import LinkModel
from linkwl.records import Evaluation, RunRecord, peak_memory_mb
from linkwl.splits import Fold, Protocol, Split
from linkwl.typing import Scores

METRICS: dict[str, Callable[[Scores, Scores], float]] = {"auc": auc, "ap": average_precision}


def evaluate_models(
    graph: Graph,
    models: Sequence[LinkModel],
    protocol: Protocol,
    seeds: Sequence[int],
    *,
    on_run: Callable[[RunRecord], None] | None = None,
) -> Evaluation:
    """Every model on the split of every seed.

    Args:
        graph: The whole graph; models only ever see its folds.
        models: Models that need no training, or are trained.
        protocol: How to split and what to measure.
        seeds: One split each.
        on_run: Called with each record as it is finished.
    """
    graph = graph.to_undirected()
    runs = []
    for seed in seeds:
        start = time.perf_counter()
        split = protocol.apply(graph, seed)
        prepare_seconds = time.perf_counter() - start
        for model in models:
            run = evaluate_split(model, split, metrics=protocol.metrics, prepare_seconds=prepare_seconds)
            runs.append(run)
            if on_run is not None:
                on_run(run)
    return Evaluation(graph.record, protocol.to_json(), tuple(runs))


def evaluate_split(
    model: LinkModel, split: Split, *, metrics: Sequence[str] = ("auc", "ap"), prepare_seconds: float = 0.0
) -> RunRecord:
    """One model on the validation and the test fold of one split."""
    valid = _measure(model, split.valid, metrics)
    start = time.perf_counter()
    test = _measure(model, split.test, metrics)
    predict_seconds = time.perf_counter() - start
    return RunRecord(
        model=model.id,
        seed=-1 if split.seed is None else split.seed,
        metrics=test,
        valid=valid,
        seconds={"prepare": prepare_seconds, "fit": 0.0, "predict": predict_seconds},
        steps=0,
        peak_memory_mb=peak_memory_mb(),
        split=split.digest,
        config=model.config.model_dump(),
        method=model.describe(split.test.observed),
    )


def _measure(model: LinkModel, fold: Fold, metrics: Sequence[str]) -> dict[str, float]:
    scores = model(fold.observed, np.concatenate([fold.positives, fold.negatives]))
    positive, negative = np.split(scores, [len(fold.positives)])
    return {name: METRICS[name](positive, negative) for name in metrics}
