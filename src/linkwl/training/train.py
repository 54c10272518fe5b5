"""From a graph to a folder with a trained model."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from linkwl.errors import InputError, LinkwlError
from linkwl.files import make_folder
from linkwl.graph import Graph
from linkwl.models import LinkModel
from linkwl.models.calibration import Calibration
from linkwl.models.cost import Plan
from linkwl.models.learned import LearnedModel
from linkwl.models.registry import is_learned
from linkwl.records import TrainingRecord, peak_memory_mb
from linkwl.splits import PAPER
from linkwl.training.checkpoint import describe_difference
from linkwl.training.evaluate import fold_scores, measure_probabilities, measure_scores
from linkwl.training.history import History, StepReport
from linkwl.training.loop import fit
from linkwl.training.model_folder import (
    CONFIG,
    WEIGHTS,
    SavedModel,
    check_config,
    load_calibration,
    load_folder,
    load_record,
    save_model,
)

CHECKPOINT = "checkpoint.safetensors"


def train_for_use(
    model: LinkModel,
    graph: Graph,
    *,
    seed: int = 0,
    prior: float | None = None,
    source: dict[str, str | None] | None = None,
    **options: Any,
) -> SavedModel:
    """Trains a model if there is something to train, calibrates it and measures it, all on folds of protocol `paper`.

    Training sees 85 % of the edges. Validation, 5 %, fits the probabilities, and chooses the weights of models that
    keep the best; test, 10 %, only measures. Predictions then observe the whole graph.

    Args:
        model: The model; weights that it has are replaced.
        graph: The graph; directions are forgotten.
        seed: Of the split and of training.
        prior: The share of links among the pairs that will be asked about; by default the share of linked pairs.
        source: Where the graph came from, for the record.
        options: Of :func:`linkwl.training.fit`.

    Raises:
        SplitError: If the graph has too few edges, or is too dense for clean negatives.
        MemoryLimitError: If training is expected to take more memory than there is.
    """
    start = time.perf_counter()
    graph = graph.to_undirected()
    split = PAPER.apply(graph, seed)
    prepare_seconds = time.perf_counter() - start
    history = History()
    if is_learned(model):
        history = fit(model, split.train, split.valid, split.reserved, seed=seed, **options)
    start = time.perf_counter()
    share = graph.density if prior is None else prior
    valid_scores, test_scores = (fold_scores(model, fold) for fold in (split.valid, split.test))
    # Formulas count, and counts have long tails: twice as many neighbours do not square the odds.
    calibration = Calibration.fit(*valid_scores, prior=share, is_bounded=not is_learned(model))
    valid = measure_scores(*valid_scores, PAPER.metrics)
    test = measure_scores(*test_scores, PAPER.metrics) | measure_probabilities(calibration, *test_scores)
    record = TrainingRecord(
        model=model.id,
        graph=graph.record,
        source=source or {},
        seed=seed,
        config=model.config.model_dump(mode="json"),
        split=split.digest,
        valid=valid,
        test=test,
        seconds={"prepare": prepare_seconds, "fit": history.seconds, "predict": time.perf_counter() - start},
        steps=history.steps,
        training=history.summary if is_learned(model) else {},
        history={"losses": history.losses, "valid_auc": history.valid_auc},
        peak_memory_mb=peak_memory_mb(),
        method=model.describe(graph),
    )
    return SavedModel(model, graph, calibration, record)


def train_model(
    model: LearnedModel,
    graph: Graph,
    folder: Path,
    *,
    seed: int = 0,
    prior: float | None = None,
    source: dict[str, str | None] | None = None,
    resume: bool = False,
    checkpoint_seconds: float = 20.0,
    on_plan: Callable[[Plan], None] | None = None,
    on_step: Callable[[StepReport], None] | None = None,
) -> SavedModel:
    """As :func:`train_for_use`, and saves the model.

    During the run the folder holds a checkpoint. A run that was killed is resumed by the same call with ``resume``, and
    ends with the same weights; one that had ended is left as it is.

    Args:
        model: The model; weights that it has are replaced.
        graph: The graph; directions are forgotten.
        folder: Where to save; it is made if need be.
        seed: Of the split and of training.
        prior: The share of links among the pairs that will be asked about; by default the share of linked pairs.
        source: Where the graph came from, for the record.
        resume: Whether to go on with what is in the folder.
        checkpoint_seconds: Time between two checkpoints.
        on_plan: Called before the first step, with what training is expected to take.
        on_step: Called after every step.

    Raises:
        InputError: If the folder holds another run, or this one and ``resume`` is not set.
        SplitError: If the graph has too few edges, or is too dense for clean negatives.
        MemoryLimitError: If training is expected to take more memory than there is.
    """
    check_model_folder(folder, resume=resume)
    checkpoint = folder / CHECKPOINT
    if os.path.exists(folder / WEIGHTS) and not os.path.exists(checkpoint):  # noqa: PTH110
        return _finished(model, graph, seed, prior, folder)
    with _made(folder):
        saved = train_for_use(
            model,
            graph,
            seed=seed,
            prior=prior,
            source=source,
            checkpoint=checkpoint,
            checkpoint_seconds=checkpoint_seconds,
            resume=resume,
            on_plan=on_plan,
            on_step=on_step,
        )
    save_model(saved, folder)
    checkpoint.unlink(missing_ok=True)
    return saved


def check_model_folder(folder: Path, *, resume: bool) -> None:
    """Raises InputError if the folder holds something else, or a model or an unfinished run that would be lost."""
    # `os.path` takes a name that is too long for one of no file.
    names = set(os.listdir(folder)) if os.path.isdir(folder) else set()  # noqa: PTH112, PTH208
    if any(not name.startswith(".") for name in names) and names.isdisjoint({CONFIG, CHECKPOINT, WEIGHTS}):
        raise InputError("this folder holds something else than a model; choose another.", path=folder)
    if CONFIG in names:
        check_config(folder)
    if resume:
        return
    if os.path.exists(folder / CHECKPOINT):  # noqa: PTH110
        raise InputError(
            "this folder holds an unfinished run; go on with it by --resume, or choose another folder.", path=folder
        )
    if os.path.exists(folder / WEIGHTS):  # noqa: PTH110
        raise InputError("this folder holds a trained model already; choose another folder.", path=folder)


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Makes the folder for a block; it is gone again if the block fails before anything is in it."""
    is_new = not os.path.exists(folder)  # noqa: PTH110
    make_folder(folder)
    try:
        yield
    except LinkwlError:
        if is_new:
            with suppress(OSError):  # it is not empty
                folder.rmdir()
        raise


def _finished(model: LearnedModel, graph: Graph, seed: int, prior: float | None, folder: Path) -> SavedModel:
    """What a run that had ended has saved, if it is this one."""
    record = load_record(folder)
    split = PAPER.apply(graph, seed).digest
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
