"""Several models on one graph, compared in one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from linkwl.errors import InputError
from linkwl.graph import Observed, load_graph
from linkwl.graph.node_table import Missing
from linkwl.graph.readers.pair_features import add_pair_features
from linkwl.graph.reading import ReadingOptions
from linkwl.models import LinkModel, StepReport, create_model
from linkwl.models.registry import MODELS, find_row, model_ids
from linkwl.progress import progress_bar
from linkwl.protocols import Protocol, find_protocol, protocol_for
from linkwl.records import RunRecord
from linkwl.training import evaluate_models

if TYPE_CHECKING:
    from linkwl.engine import Engine
    from linkwl.reports.comparison import Comparison

ALL = "all"
"""Stands for every model of the graph's kind."""
SEEDS_OF_ALL = 3


def compare(
    graph: Any,
    models: str | Sequence[str | LinkModel] | None = None,
    *,
    protocol: Protocol | str | None = None,
    seeds: int | Sequence[int] | None = None,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    features: Any = None,
    missing_features: Missing = "error",
    pair_features: Any = None,
    engine: Engine | None = None,
    progress: bool | None = None,
    **options: Unpack[ReadingOptions],
) -> Comparison:
    """Trains and measures models on the same splits of a graph, and ranks them by their validation scores.

    The result is a table with a recommendation, which a notebook shows; it has ``to_pandas`` and ``plot``.
    ``linkwl evaluate GRAPH --model ra,katz`` prints the same ranking.

    Args:
        graph: A graph, or anything that :func:`linkwl.load_graph` takes.
        models: Names such as ``["ra", "walk-2fwl"]`` or ``"ra,walk-2fwl"``, or models; ``"all"`` for every model of
            such graphs, without those that cannot read this one. By default those that ``LinkPredictor("auto")``
            chooses from.
        protocol: How links are hidden and found ones are counted; by default that of :meth:`LinkPredictor.fit`.
        seeds: The number of splits, or their seeds; by default the number that the protocol recommends, and 3 if no
            models are named.
        settings: Settings by the name of the model.
        features: A file of node features by node id, or an object; see :func:`linkwl.load_graph`.
        missing_features: ``"fill"`` to allow nodes without features.
        pair_features: A file or a table of numbers about pairs.
        engine: The engine that works on the splits; by default inline.
        progress: Whether to show a progress bar; None for one in a notebook or a terminal.
        options: How to read the graph, as in :func:`linkwl.load_graph`.

    Raises:
        InputError: If a name is unknown, the graph cannot be read, or no model can read it.

    Example:
        >>> import linkwl
        >>> found = linkwl.compare(linkwl.load_dataset("airports"), "cn,ra,pa", seeds=3)
        >>> [row.model for row in found], found.recommended.model
        (['pa', 'ra', 'cn'], 'pa')
    """
    names = _names(models)
    for name in names or ():
        if isinstance(name, str):
            find_row(name)  # reports an unknown name before a large file is read
    loaded = load_graph(graph, features=features, missing_features=missing_features, **options)
    loaded = loaded if pair_features is None else add_pair_features(loaded, pair_features)
    chosen = find_protocol(protocol) if isinstance(protocol, str) else protocol or protocol_for(loaded)
    is_all = names is None and models is not None
    wanted: Sequence[str | LinkModel] = names or (model_ids(task=loaded.task) if is_all else _default_models(loaded))
    unused = sorted(set(settings or {}) - {name if isinstance(name, str) else name.id for name in wanted})
    if unused:
        raise InputError(f"`settings` has values for {unused[0]!r}, which is not compared; name it in `models`.")
    made = [
        create_model(name, loaded.task, **(settings or {}).get(name, {})) if isinstance(name, str) else name
        for name in wanted
    ]
    splits = _seeds(seeds, chosen, is_few=models is None or is_all)
    total = len(splits) * len(made)
    with progress_bar(progress) as bar:
        finished: list[RunRecord] = []

        def show_run(run: RunRecord) -> None:
            finished.append(run)
            bar.update(f"finished {run.model}, seed {run.seed}", len(finished), total)

        return compare_models(
            loaded,
            made,
            chosen,
            splits,
            engine=engine,
            is_lenient=is_all,
            on_run=show_run,
            on_step=lambda step: bar.update(step.text, len(finished), total),
        )


def compare_models(
    graph: Observed,
    models: Sequence[LinkModel],
    protocol: Protocol,
    seeds: Sequence[int],
    *,
    engine: Engine | None = None,
    is_lenient: bool = False,
    on_run: Callable[[RunRecord], None] | None = None,
    on_step: Callable[[StepReport], None] | None = None,
) -> Comparison:
    """Measures models and ranks them; the arguments are those of :func:`linkwl.evaluate_models`.

    Raises:
        InputError: If all models refuse the graph.
    """
    from linkwl.reports.comparison import compare_runs

    result = evaluate_models(
        graph, models, protocol, seeds, engine=engine, is_lenient=is_lenient, on_run=on_run, on_step=on_step
    )
    if not result.runs:
        raise InputError(f"no model could be run on {graph.name}: {next(iter(result.refusals.values()))}")
    return compare_runs(result)


def of_whole_splits(runs: Sequence[RunRecord]) -> list[RunRecord]:
    """The runs on splits that every model has finished, or those on the first split if there is none."""
    models = {run.model for run in runs}
    seeds = dict.fromkeys(run.seed for run in runs)
    whole = [seed for seed in seeds if {run.model for run in runs if run.seed == seed} == models]
    kept = whole or list(seeds)[:1]
    return [run for run in runs if run.seed in kept]


def _names(models: str | Sequence[str | LinkModel] | None) -> list[str | LinkModel] | None:
    """The models that are named, each once; None for the default and for all."""
    if models is None or models == ALL or (not isinstance(models, str) and list(models) == [ALL]):
        return None
    given = [name.strip() for name in models.split(",")] if isinstance(models, str) else list(models)
    named = list(dict.fromkeys(name for name in given if name))
    if not named:
        raise InputError(f"`models` names no model; choose from {', '.join(MODELS)}.")
    return named


def _default_models(graph: Observed) -> list[str]:
    from linkwl.predict.predictor import auto_models  # it imports torch

    return auto_models(graph.task)


def _seeds(seeds: int | Sequence[int] | None, protocol: Protocol, *, is_few: bool) -> Sequence[int]:
    if seeds is None:
        return range(min(SEEDS_OF_ALL, protocol.seeds) if is_few else protocol.seeds)
    found = range(int(seeds)) if isinstance(seeds, int | np.integer) else [int(seed) for seed in seeds]
    if len(found) == 0:
        raise InputError(f"`seeds` {seeds}: at least one split is needed.")
    return found
