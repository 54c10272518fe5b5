"""Tries settings on links that are hidden inside the training links of the first split."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from linkwl.errors import InputError, LinkwlError
from linkwl.graph import Observed
from linkwl.models import StepReport, create_model
from linkwl.models.registry import find_row
from linkwl.protocols import PAPER, Protocol
from linkwl.training import evaluate_models
from linkwl.tuning.sampler import next_settings
from linkwl.tuning.study import Budget, Origin, Study, Trial

_MAX_SPLITS = 3
_ENOUGH_TARGETS = 500
"""A trial is measured on so many splits that they have this many hidden links together, at most `_MAX_SPLITS`."""
_SHARE_OF_PUBLISHED = 0.5  # of the time, at most


def tune(
    graph: Observed,
    model: str,
    protocol: Protocol = PAPER,
    *,
    budget: Budget | None = None,
    published: Mapping[str, Any] | None = None,
    seed: int = 0,
    before: Study | None = None,
    on_trial: Callable[[Study], None] | None = None,
    on_step: Callable[[StepReport], None] | None = None,
) -> Study:
    """Searches the settings of a model, for as long as the budget lasts.

    The protocol splits the graph with the seed, and only the training links of that split are kept: every trial is a
    measurement by the same protocol on the graph of those links alone. The links that the first split holds out, and
    therefore its test fold, are never seen.

    The first trial has the published settings, if there are any, the next one the defaults, and all others what a
    search suggests. Published settings may take half of the time; the defaults may take longer than the budget, so that
    there always is a result; other trials are stopped at the next training step after the time is over, or at the end
    of a split if the model is not trained in steps. A trial that fails is recorded with its error.

    Args:
        graph: The whole graph.
        model: The name of the model.
        protocol: How to split and what to measure.
        budget: When to end; by default 20 trials or 30 CPU minutes.
        published: The settings of the first trial, with groups as mappings.
        seed: Of the first split and of the search.
        before: An earlier study of the same, to be continued.
        on_trial: Called with the study after every trial, to save it.
        on_step: Called after every training step.

    Raises:
        InputError: If the model has nothing to tune, or the earlier study is of something else.
    """
    budget = Budget() if budget is None else budget
    space = find_row(model).load_class(graph.task).search_space
    if not space:
        raise InputError(f"{model} has no settings to tune.")
    graph = protocol.view(graph)
    known = protocol.apply(graph, seed).train.observed
    splits = _num_splits(protocol, known)
    defaults = create_model(model, graph.task).config.model_dump(mode="json")
    study = Study(
        model=model,
        graph=graph.record,
        hidden=known.digest,
        protocol=protocol.to_json(graph),
        metric=protocol.selection.id,
        splits=splits,
        budget=budget,
        defaults=defaults,
    )
    if before is not None:
        if not study.is_of(before):
            raise InputError(
                f"the earlier study is of {before.model} on {before.graph.name}, with other links, features or "
                "defaults, or under another protocol; give another folder."
            )
        study = replace(study, trials=before.trials)
    while not study.is_over:
        origin, settings, limit = _next(study, dict(published or {}))
        if origin == "drawn":
            settings = next_settings(space, defaults, study.trials, seed)
        trial = _run(known, study, Trial(len(study.trials), origin, settings), protocol, limit, on_step)
        study = replace(study, trials=(*study.trials, trial))
        if on_trial is not None:
            on_trial(study)
    return study


def _next(study: Study, published: dict[str, Any]) -> tuple[Origin, dict[str, Any], float]:
    """Where the next settings come from, those that are known, and the CPU seconds that they may take."""
    seconds = 60 * study.budget.cpu_minutes
    done = {trial.origin for trial in study.trials}
    if published and "published" not in done:
        return "published", published, _SHARE_OF_PUBLISHED * seconds
    if "default" not in done:
        return "default", {}, math.inf
    return "drawn", {}, seconds - study.cpu_seconds


def _num_splits(protocol: Protocol, known: Observed) -> int:
    hidden = len(protocol.apply(known, 0).test.positives)
    return max(1, min(_MAX_SPLITS, math.ceil(_ENOUGH_TARGETS / max(hidden, 1))))


def _run(
    known: Observed,
    study: Study,
    trial: Trial,
    protocol: Protocol,
    limit: float,
    on_step: Callable[[StepReport], None] | None,
) -> Trial:
    """The trial with its values, or with the reason why it has none."""
    start = time.process_time()

    def watch(report: StepReport) -> None:
        if time.process_time() - start > limit:
            raise _OutOfTimeError
        if on_step is not None:
            on_step(report)

    values, stopped = [], ""
    try:
        model = create_model(study.model, known.task, **trial.settings)
        for split in range(study.splits):
            run = evaluate_models(known, [model], protocol, [split], on_step=watch).runs[0]
            values.append(run.metrics[study.metric])
            if time.process_time() - start > limit and split + 1 < study.splits:
                raise _OutOfTimeError
    except _OutOfTimeError:
        stopped = f"stopped after {limit:.0f} CPU seconds"
    except Exception as error:
        if trial.origin == "default":
            raise
        # Recorded, whatever it is: otherwise a study that goes on would draw the same settings again and again.
        stopped = str(error) if isinstance(error, LinkwlError) else f"{type(error).__name__}: {error}"
    seconds = time.process_time() - start
    return replace(trial, values=() if stopped else tuple(values), cpu_seconds=round(seconds, 2), stopped=stopped)


class _OutOfTimeError(Exception):
    """A trial takes longer than it may."""
