"""Trains a model for use: fits, calibrates and measures it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from linkwl.errors import InputError
from linkwl.graph import Observed
from linkwl.graph.decisions import Decisions
from linkwl.metrics import TargetScores, brier_score, calibration_error
from linkwl.models import LinkModel
from linkwl.models.calibration import Calibration
from linkwl.protocols import Protocol, protocol_for, target_scores
from linkwl.records import TrainingRecord, peak_memory_mb
from linkwl.splits import Fold, Split, decided
from linkwl.storage.model_folder import SavedModel, load_calibration, load_folder, load_record, recorded_decisions
from linkwl.training.checkpoint import describe_difference
from linkwl.training.evaluate import decision_threshold, fit_to_split, fold_scores, note_directions, note_weights
from linkwl.training.trainer import Trainer

MOST_MEASURED = 40_000
"""Pairs of a fold that are scored: all in graphs of up to 200 000 edges, and a sample in larger ones."""


def train_for_use(
    model: LinkModel,
    graph: Observed,
    trainer: Trainer,
    *,
    protocol: Protocol | None = None,
    prior: float | None = None,
    source: Mapping[str, str | None] | None = None,
    decisions: Decisions | None = None,
) -> SavedModel:
    """Fits, calibrates and measures a model on the folds of a protocol.

    Training sees the train fold. The validation fold fits the probabilities, and selects the weights of models that
    keep the best; the test fold is only for measuring. In large graphs a sample of both is scored, see
    :data:`MOST_MEASURED`. Predictions then observe the whole graph.

    Args:
        model: The model; its current weights are replaced.
        graph: The graph.
        trainer: The seed, also of the split, and the training loop.
        protocol: The protocol that splits and measures; by default :func:`~linkwl.protocols.protocol_for` the graph.
        prior: The share of links among the queries to score; by default their share in the graph.
        source: The source of the graph, for the record.
        decisions: Decisions about the graph's missing links: accepted ones are added to the graph and to the train
            edges, rejected ones are train negatives. The held-out edges are those of the graph without them.

    Raises:
        SplitError: If the graph has too few edges, or is too dense for clean negatives.
        MemoryLimitError: If training is expected to take more memory than is free.
    """
    start = time.perf_counter()
    protocol = protocol_for(graph) if protocol is None else protocol
    graph = protocol.view(graph)
    note_directions([model], graph)
    note_weights([model], graph)
    split = _draw(protocol, graph, trainer.seed, decisions)
    graph = with_accepted(graph, decisions)
    prepare_seconds = time.perf_counter() - start
    history = fit_to_split(model, split, protocol, trainer)
    start = time.perf_counter()
    measured = measured_part(split, trainer.seed)
    valid_fold, test_fold = measured.valid, measured.test
    valid_scores, test_scores = (fold_scores(model, fold) for fold in (valid_fold, test_fold))
    valid = target_scores(valid_fold.targets, valid_scores)
    calibration = Calibration.fit(
        valid.positive,
        valid.negative,
        prior=graph.density if prior is None else prior,
        is_bounded=not model.gives_logits,
    )
    threshold = decision_threshold(model, valid)
    test = protocol.measure(test_fold.targets, test_scores, threshold=threshold)
    test |= measure_probabilities(calibration, target_scores(test_fold.targets, test_scores))
    record = TrainingRecord(
        model=model.id,
        graph=graph.record,
        source=dict(source or {}),
        seed=trainer.seed,
        config=model.config.model_dump(mode="json"),
        split=split.digest,
        valid=protocol.validate(valid_fold.targets, valid_scores, threshold=threshold),
        test=test,
        seconds={"prepare": prepare_seconds, "fit": history.seconds, "predict": time.perf_counter() - start},
        steps=history.steps,
        training=history.summary,
        history={"losses": history.losses, "valid": history.valid},
        peak_memory_mb=peak_memory_mb(),
        method=model.describe(model.view(graph)),
        protocol=protocol.to_json(graph),
        selects=protocol.selection.id,
        decisions={} if decisions is None else decisions.to_json(),
        sampled={} if test_fold is split.test else {"of": len(split.test.positives), "test": len(test_fold.positives)},
    )
    return SavedModel(model, graph, calibration, record)


def with_accepted(graph: Observed, decisions: Decisions | None) -> Observed:
    """The graph with the accepted links of some decisions."""
    return graph if decisions is None or len(decisions.accepted) == 0 else graph.with_(decisions.accepted)


def split_of(record: TrainingRecord, graph: Observed) -> Split:
    """The split that a saved model was trained and measured on, from its record and its graph."""
    decisions = recorded_decisions(record, graph)
    before = graph.without(decisions.accepted) if len(decisions.accepted) else graph
    return _draw(protocol_for(before), before, record.seed, decisions or None)


def _draw(protocol: Protocol, graph: Observed, seed: int, decisions: Decisions | None) -> Split:
    split = protocol.apply(graph, seed)
    return split if decisions is None else decided(split, decisions)


def measured_part(split: Split, seed: int) -> Split:
    """The split as its model was measured on it: held-out folds beyond :data:`MOST_MEASURED` pairs are sampled.

    Args:
        split: The split that the model was trained on.
        seed: The seed of its training.
    """
    valid, test = (_sampled(fold, seed) for fold in (split.valid, split.test))
    is_whole = valid is split.valid and test is split.test
    return split if is_whole else replace(split, valid=valid, test=test)


def _sampled(fold: Fold, seed: int) -> Fold:
    """The fold, or one with a sample of its pairs; lists of candidates are measured completely."""
    targets = fold.targets
    if targets.has_lists or len(targets.positives) + len(targets.negatives) <= MOST_MEASURED:
        return fold
    return replace(fold, targets=targets.sample(MOST_MEASURED, np.random.default_rng(seed)))


def measure_probabilities(calibration: Calibration, scores: TargetScores) -> dict[str, float]:
    """Brier score and calibration error on the scores of a fold, for a prior of one half."""
    predicted = [calibration.probability(found, prior=0.5) for found in (scores.positive, scores.negative)]
    return {"brier": brier_score(*predicted), "ece": calibration_error(*predicted)}


def load_finished(
    folder: Path,
    model: LinkModel,
    graph: Observed,
    seed: int,
    prior: float | None,
    *,
    protocol: Protocol | None = None,
    decisions: Decisions | None = None,
) -> SavedModel:
    """The saved model of a finished run, if it is the same run; its arguments are those of :func:`train_for_use`.

    Raises:
        InputError: If it is another run.
    """
    record = load_record(folder)
    split = _draw(protocol or protocol_for(graph), graph, seed, decisions).digest
    before = {"model": record.model, "seed": record.seed, "config": record.config, "train pairs": record.split}
    now = {"model": model.id, "seed": seed, "config": model.config.model_dump(mode="json"), "train pairs": split}
    if difference := describe_difference(before, now):
        raise InputError(
            f"this folder holds the trained model of another run: {difference}; choose another folder.", path=folder
        )
    if prior is not None and prior != (kept := load_calibration(folder).prior):
        raise InputError(
            f"the model of this folder was trained with the prior {kept:g}; `linkwl predict` takes another one.",
            path=folder,
        )
    return load_folder(folder)
