"""Tries settings on links that are hidden inside the training links of the first split, wave by wave."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from linkwl.engine import Engine, InlineEngine
from linkwl.errors import InputError
from linkwl.graph import Observed
from linkwl.models import StepReport, create_model
from linkwl.models.registry import find_row
from linkwl.models.space import Space
from linkwl.protocols import PAPER, Protocol
from linkwl.tuning.confirm import FIRST_FRESH_SEED, confirm
from linkwl.tuning.pruning import thresholds
from linkwl.tuning.sampler import wave_settings
from linkwl.tuning.study import Budget, Search, Study, Trial
from linkwl.tuning.trial import TrialTask, TrialWork, run_trial

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
    search: Search | None = None,
    splits: int | None = None,
    fresh_splits: int = 0,
    engine: Engine | None = None,
    before: Study | None = None,
    on_trial: Callable[[Study], None] | None = None,
    on_step: Callable[[StepReport], None] | None = None,
) -> Study:
    """Searches the settings of a model, for as long as the budget lasts.

    The protocol splits the graph with the seed, and only the training links of that split are kept: every trial is a
    measurement by the same protocol on the graph of those links alone. The links that the first split holds out, and
    therefore its test fold, are never seen.

    The first trial has the published settings, if there are any, the next one the defaults, and all others what a
    search suggests. Trial n is in wave ``n // search.width``. The settings of a wave depend on the seed, on its number
    and on the trials of earlier waves alone, and the engine may run them side by side: neither the number of workers
    nor an interruption changes the trials, unless time ends the study.

    Published settings may take half of the time; the defaults may take longer than the budget, so that there always is
    a result; other trials are stopped at the next training step after the time is over, or at the end of a split if the
    model is not trained in steps. A trial that fails is recorded with its error.

    Args:
        graph: The whole graph.
        model: The name of the model.
        protocol: How to split and what to measure.
        budget: When to end; by default 20 trials or 30 CPU minutes.
        published: The settings of the first trial, with groups as mappings.
        seed: Of the first split and of the search.
        search: How settings are found; by default one after the other, without pruning.
        splits: Number of splits of the training links that a trial is measured on; by default one to three, fewer if
            there are many links.
        fresh_splits: Number of further splits of the training links on which the best settings are measured beside the
            defaults when the search is over.
        engine: Runs the trials of a wave; by default inline.
        before: An earlier study of the same, to be continued.
        on_trial: Called with the study after every trial, to save it.
        on_step: Called after every training step, if the engine is inline.

    Raises:
        InputError: If the model has nothing to tune, or the earlier study is of something else.
    """
    if splits is not None and not 1 <= splits <= FIRST_FRESH_SEED:
        raise ValueError(f"`splits` must be between 1 and {FIRST_FRESH_SEED}, got {splits}.")
    space = find_row(model).load_class(graph.task).search_space
    if not space:
        raise InputError(f"{model} has no settings to tune.")
    graph = protocol.view(graph)
    known = protocol.apply(graph, seed).train.observed
    study = Study(
        model=model,
        graph=graph.record,
        hidden=known.digest,
        protocol=protocol.to_json(graph),
        metric=protocol.selection.id,
        splits=_num_splits(protocol, known) if splits is None else splits,
        budget=Budget() if budget is None else budget,
        defaults=create_model(model, graph.task).config.model_dump(mode="json"),
        search=Search() if search is None else search,
        seed=seed,
    )
    if before is not None:
        _check_same(study, before)
        study = replace(study, trials=before.trials, confirmation=before.confirmation)
    engine = InlineEngine() if engine is None else engine
    work = TrialWork(
        known,
        model,
        protocol,
        study.metric,
        threads=1 if study.search.width > 1 else None,
        on_step=on_step if engine.is_inline else None,
    )
    given = [Trial(0, "published", dict(published))] if published else []
    given.append(Trial(len(given), "default", {}))
    while tasks := _next_wave(study, given, space):

        def keep(_: TrialTask, trial: Trial) -> None:
            nonlocal study
            study = study.with_trial(trial)
            if on_trial is not None:
                on_trial(study)

        for _ in engine.map(run_trial, tasks, shared=work, on_done=keep):
            pass
    return confirm(study, work, engine, fresh_splits)


def _next_wave(study: Study, given: Sequence[Trial], space: Space) -> list[TrialTask]:
    """The trials that are missing in the first wave that is not complete; none if the study is over."""
    width, done = study.search.width, {trial.number for trial in study.trials}
    end = max(study.budget.trials, len(given))
    missing = next((number for number in range(end) if number not in done), end)
    wave = missing // width
    start, stop = wave * width, min((wave + 1) * width, end)
    earlier = [trial for trial in study.trials if trial.number < start]
    seconds = 60 * study.budget.cpu_minutes
    left = seconds - sum(trial.cpu_seconds for trial in earlier)
    if left <= 0:  # only the defaults are still to be tried
        stop = min(stop, len(given))
    if start >= stop or missing >= stop:
        return []
    wanted = [trial for trial in given if start <= trial.number < stop]
    drawn = wave_settings(
        space,
        study.defaults,
        earlier,
        stop - start - len(wanted),
        seed=study.seed or 0,
        wave=wave,
        sampler=study.search.sampler,
    )
    wanted += [Trial(start + len(wanted) + k, "drawn", settings) for k, settings in enumerate(drawn)]
    limits = {"published": _SHARE_OF_PUBLISHED * seconds, "default": math.inf, "drawn": left}
    needed = thresholds(earlier, study.splits) if study.search.is_pruned else ()
    seeds = tuple(range(study.splits))
    return [
        TrialTask(trial, seeds, limits[trial.origin], needed if trial.origin == "drawn" else ())
        for trial in wanted
        if trial.number not in done
    ]


def _check_same(study: Study, before: Study) -> None:
    """Raises InputError if the earlier study is of something else."""
    if study.is_of(before):
        return
    if study.is_of(replace(before, search=study.search, splits=study.splits)):
        raise InputError(
            f"the earlier study of {before.model} on {before.graph.name} has waves of {before.search.width}, the "
            f"sampler {before.search.sampler}, {before.splits} splits a trial and "
            f"{'' if before.search.is_pruned else 'no '}pruning; use the same, or give another folder."
        )
    raise InputError(
        f"the earlier study is of {before.model} on {before.graph.name}, with other links, features or "
        "defaults, with another seed, or under another protocol; give another folder."
    )


def _num_splits(protocol: Protocol, known: Observed) -> int:
    hidden = len(protocol.apply(known, 0).test.positives)
    return max(1, min(_MAX_SPLITS, math.ceil(_ENOUGH_TARGETS / max(hidden, 1))))
