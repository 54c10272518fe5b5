"""Evaluation: fits and measures models on splits, and returns records."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from linkwl.engine import Engine
from linkwl.errors import LinkwlError, LinkwlWarning
from linkwl.graph import Graph, Observed
from linkwl.metrics import TargetScores, best_threshold
from linkwl.models import History, LinkModel, StepReport
from linkwl.protocols import Protocol, TrainingData, target_scores
from linkwl.records import Evaluation, RunRecord, peak_memory_mb
from linkwl.splits import Fold, Split
from linkwl.training.trainer import Trainer
from linkwl.typing import Scores


def evaluate_models(
    graph: Observed,
    models: Sequence[LinkModel],
    protocol: Protocol,
    seeds: Sequence[int],
    *,
    engine: Engine | None = None,
    is_lenient: bool = False,
    on_run: Callable[[RunRecord], None] | None = None,
    on_step: Callable[[StepReport], None] | None = None,
) -> Evaluation:
    """Fits every model on the split of every seed, and measures it.

    Args:
        graph: The whole graph; models see only its folds.
        models: The models to measure; weights that they already have are neither used nor changed.
        protocol: The protocol that splits and measures.
        seeds: One split each; training uses the same seed.
        engine: The engine that works on the splits; by default inline.
        is_lenient: Whether a model that refuses the graph is left out, with its reason, and does not stop the others.
        on_run: Called with each finished record.
        on_step: Called after every training step, if the engine is inline.

    Example:
        >>> import linkwl
        >>> models = [linkwl.create_model("cn"), linkwl.create_model("ra")]
        >>> graph, protocol = linkwl.load_dataset("airports"), linkwl.PROTOCOLS["paper"]
        >>> found = linkwl.evaluate_models(graph, models, protocol, seeds=[0, 1])
        >>> {model: round(row["auc"]["mean"], 2) for model, row in found.summary.items()}
        {'cn': 0.9, 'ra': 0.9}
    """
    view = protocol.view(graph)
    note_directions(models, view)
    note_weights(models, view)
    tasks = [SplitTask(seed) for seed in seeds]
    work = _Work(view, tuple(models), protocol, is_lenient)
    if engine is None or engine.is_inline:
        found = (_evaluate_seed(replace(work, on_run=on_run, on_step=on_step), task) for task in tasks)
    else:
        found = engine.map(_evaluate_seed, tasks, shared=work)
    runs: list[RunRecord] = []
    refusals: dict[str, str] = {}
    for some, refused in found:
        runs += some
        refusals = refused | refusals
        if on_run is not None and engine is not None and not engine.is_inline:
            list(map(on_run, some))
    kept = tuple(run for run in runs if run.model not in refusals)
    return Evaluation(view.record, protocol.to_json(view), kept, refusals=refusals)


@dataclass(frozen=True)
class SplitTask:
    """The split of one seed to work on."""

    seed: int

    def __str__(self) -> str:
        return f"split {self.seed}"


@dataclass(frozen=True)
class _Work:
    graph: Observed
    models: tuple[LinkModel, ...]
    protocol: Protocol
    is_lenient: bool
    on_run: Callable[[RunRecord], None] | None = None
    on_step: Callable[[StepReport], None] | None = None


def _evaluate_seed(work: _Work, task: SplitTask) -> tuple[list[RunRecord], dict[str, str]]:
    """The runs on one split, and the models that refused it."""
    start = time.perf_counter()
    split = work.protocol.apply(work.graph, task.seed)
    prepare_seconds = time.perf_counter() - start
    runs: list[RunRecord] = []
    refusals: dict[str, str] = {}
    for model in work.models:
        fitted = model.clone()
        try:
            history = fit_to_split(fitted, split, work.protocol, Trainer(task.seed, on_step=work.on_step))
            run = evaluate_split(fitted, split, work.protocol, prepare_seconds=prepare_seconds, history=history)
        except LinkwlError as error:
            if not work.is_lenient:
                raise
            refusals[model.id] = str(error)
            continue
        runs.append(run)
        if work.on_run is not None:
            work.on_run(run)
    return runs, refusals


def fit_to_split(model: LinkModel, split: Split, protocol: Protocol, trainer: Trainer) -> History:
    """Fits a model to the train fold, as the model can read it; see :meth:`linkwl.models.LinkModel.view`."""
    data, observed = TrainingData.of(split, protocol), split.train.observed
    return model.fit(data if model.view(observed) is observed else data.undirected(), trainer)


def note_directions(models: Sequence[LinkModel], graph: Observed) -> None:
    """Warns of models that do not read the directions of a graph."""
    _note(
        [model.id for model in models if model.view(graph) is not graph],
        graph,
        "directions: a pair has the same score both ways",
    )


def note_weights(models: Sequence[LinkModel], graph: Observed) -> None:
    """Warns of models that do not read the weights of a graph."""
    if isinstance(graph, Graph) and graph.weight is not None:
        _note([model.id for model in models if not model.needs.weights], graph, "weights: all edges count the same")


def _note(blind: Sequence[str], graph: Observed, what: str) -> None:
    """Warns of models that do not read a part of a graph, if there are any."""
    if blind:
        names = " and ".join(filter(None, [", ".join(blind[:-1]), blind[-1]]))
        reads = "reads" if len(blind) == 1 else "read"
        warnings.warn(f"{graph.name}: {names} {reads} no {what}.", LinkwlWarning, stacklevel=4)


def evaluate_split(
    model: LinkModel,
    split: Split,
    protocol: Protocol,
    *,
    prepare_seconds: float = 0.0,
    history: History | None = None,
) -> RunRecord:
    """Measures one model on the validation and the test fold of one split.

    Args:
        model: A formula, or a fitted model.
        split: The folds.
        protocol: The protocol that measures.
        prepare_seconds: Time to draw the split, for the record.
        history: The training history of the model, for the record.

    Example:
        >>> import linkwl
        >>> protocol = linkwl.PROTOCOLS["paper"]
        >>> split = protocol.apply(linkwl.load_dataset("airports"), seed=0)
        >>> record = linkwl.evaluate_split(linkwl.create_model("ra"), split, protocol)
        >>> {name: round(value, 2) for name, value in record.metrics.items()}
        {'auc': 0.9, 'ap': 0.92}
    """
    history = History() if history is None else history
    valid_scores = fold_scores(model, split.valid)
    threshold = decision_threshold(model, target_scores(split.valid.targets, valid_scores))
    valid = protocol.validate(split.valid.targets, valid_scores, threshold=threshold)
    start = time.perf_counter()
    test = protocol.measure(split.test.targets, fold_scores(model, split.test), threshold=threshold)
    predict_seconds = time.perf_counter() - start
    return RunRecord(
        model=model.id,
        seed=-1 if split.seed is None else split.seed,
        metrics=test,
        valid=valid,
        seconds={"prepare": prepare_seconds, "fit": history.seconds, "predict": predict_seconds},
        steps=history.steps,
        peak_memory_mb=peak_memory_mb(),
        split=split.digest,
        config=model.config.model_dump(mode="json"),
        method=model.describe(model.view(split.test.observed)),
        training=history.summary,
    )


def fold_scores(model: LinkModel, fold: Fold) -> Scores:
    """The scores of a fold's targets, positives first; see :attr:`linkwl.splits.Targets.queries`."""
    return model.prepare(model.view(fold.observed))(fold.targets.queries)


def decision_threshold(model: LinkModel, valid: TargetScores) -> float:
    """The score above which a model predicts a link.

    For log-odds it is 0, a probability of one half; for other scores, the threshold that is best on validation targets.
    """
    return 0.0 if model.gives_logits else best_threshold(valid.positive, valid.negative)
