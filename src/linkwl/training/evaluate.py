"""Evaluation: scores of held-out targets, turned into a record."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from linkwl.graph import Graph
from linkwl.metrics import auc, average_precision, brier_score, calibration_error
from linkwl.models import LinkModel
from linkwl.models.calibration import Calibration
from linkwl.models.registry import is_learned
from linkwl.records import Evaluation, RunRecord, peak_memory_mb
from linkwl.splits import Fold, Protocol, Split
from linkwl.training.history import History, StepReport
from linkwl.typing import Scores

METRICS: dict[str, Callable[[Scores, Scores], float]] = {"auc": auc, "ap": average_precision}


def evaluate_models(
    graph: Graph,
    models: Sequence[LinkModel],
    protocol: Protocol,
    seeds: Sequence[int],
    *,
    on_run: Callable[[RunRecord], None] | None = None,
    on_step: Callable[[StepReport], None] | None = None,
) -> Evaluation:
    """Every model on the split of every seed; models with weights are trained anew on each.

    Args:
        graph: The whole graph; models only ever see its folds.
        models: What to measure; their own weights, if they have any, are neither used nor changed.
        protocol: How to split and what to measure.
        seeds: One split each; training takes the same seed.
        on_run: Called with each record as it is finished.
        on_step: Called after every step of training.
    """
    graph = graph.to_undirected()
    runs = []
    for seed in seeds:
        start = time.perf_counter()
        split = protocol.apply(graph, seed)
        prepare_seconds = time.perf_counter() - start
        for model in models:
            fitted, history = _fit(model, split, seed, on_step)
            run = evaluate_split(
                fitted, split, metrics=protocol.metrics, prepare_seconds=prepare_seconds, history=history
            )
            runs.append(run)
            if on_run is not None:
                on_run(run)
    return Evaluation(graph.record, protocol.to_json(), tuple(runs))


def evaluate_split(
    model: LinkModel,
    split: Split,
    *,
    metrics: Sequence[str] = ("auc", "ap"),
    prepare_seconds: float = 0.0,
    history: History | None = None,
) -> RunRecord:
    """One model on the validation and the test fold of one split.

    Args:
        model: A model that needs no training, or is trained.
        split: The folds.
        metrics: What to measure.
        prepare_seconds: What it took to make the split, for the record.
        history: How the model was trained, for the record.
    """
    valid = measure(model, split.valid, metrics)
    start = time.perf_counter()
    test = measure(model, split.test, metrics)
    predict_seconds = time.perf_counter() - start
    return RunRecord(
        model=model.id,
        seed=-1 if split.seed is None else split.seed,
        metrics=test,
        valid=valid,
        seconds={
            "prepare": prepare_seconds,
            "fit": 0.0 if history is None else history.seconds,
            "predict": predict_seconds,
        },
        steps=0 if history is None else history.steps,
        peak_memory_mb=peak_memory_mb(),
        split=split.digest,
        config=model.config.model_dump(mode="json"),
        method=model.describe(split.test.observed),
        training={} if history is None else history.summary,
    )


def _fit(
    model: LinkModel, split: Split, seed: int, on_step: Callable[[StepReport], None] | None
) -> tuple[LinkModel, History | None]:
    """The model trained on a split; itself if there is nothing to train."""
    if not is_learned(model):
        return model, None
    from linkwl.training.loop import fit  # torch takes a second to import, and heuristics do without

    fresh = model.clone()
    history = fit(fresh, split.train, split.valid, split.reserved, seed=seed, on_step=on_step)
    return fresh, history


def measure(model: LinkModel, fold: Fold, metrics: Sequence[str]) -> dict[str, float]:
    """Every metric on the targets of one fold."""
    return measure_scores(*fold_scores(model, fold), metrics)


def measure_scores(positive: Scores, negative: Scores, metrics: Sequence[str]) -> dict[str, float]:
    """Every metric on the scores of links and of other pairs."""
    return {name: METRICS[name](positive, negative) for name in metrics}


def measure_probabilities(calibration: Calibration, positive: Scores, negative: Scores) -> dict[str, float]:
    """Brier score and calibration error on the scores of a fold, half of whose targets are links."""
    told = [calibration.probability(scores, prior=0.5) for scores in (positive, negative)]
    return {"brier": brier_score(*told), "ece": calibration_error(*told)}


def fold_scores(model: LinkModel, fold: Fold) -> tuple[Scores, Scores]:
    """The scores of the links and of the other pairs among the targets of one fold."""
    scores = model(fold.observed, np.concatenate([fold.positives, fold.negatives]))
    positive, negative = np.split(scores, [len(fold.positives)])
    return positive, negative
