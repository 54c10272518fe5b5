"""``linkwl tune``: find good settings of a model for a graph."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkwl.cli.completion import complete_model
from linkwl.cli.console import QuietOption, check_json_target, console, say, write_json
from linkwl.cli.engine_option import EngineOption, open_engine
from linkwl.cli.graph_argument import GraphArgument, JsonOption, open_graph
from linkwl.cli.progress import progress_bar
from linkwl.cli.protocol_option import HorizonOption, ProtocolOption, UntilOption, choose_protocol
from linkwl.cli.reading_options import reads_graph
from linkwl.cli.train import show_step
from linkwl.errors import InputError, UnknownNameError
from linkwl.models.registry import MODELS, RECOMMENDED, find_row

if TYPE_CHECKING:
    from linkwl.cli.feature_options import Known
    from linkwl.graph.reading import Reading
    from linkwl.tuning import Study

BEST = "best.toml"
"""The file of the best settings of all models in a folder; their trials are in MODEL.jsonl."""
_WIDTH = 4
"""Trials of a wave."""


@reads_graph(features=True)
def tune(
    graph: GraphArgument,
    how: Reading,
    known: Known,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder of the study.")],
    model: Annotated[
        str,
        typer.Option(
            "--model", "-m", metavar="M", autocompletion=complete_model, help=f"The model: {', '.join(MODELS)}."
        ),
    ] = RECOMMENDED,
    trials: Annotated[int, typer.Option(metavar="N", help="Number of settings to try.", min=1)] = 20,
    minutes: Annotated[float, typer.Option(metavar="T", help="CPU minutes after which the search ends.")] = 30.0,
    sampler: Annotated[
        str | None, typer.Option(metavar="S", help="How settings are drawn: tpe, the default, or random.")
    ] = None,
    wave: Annotated[
        int | None,
        typer.Option(metavar="W", help="Number of trials that may run side by side; by default 4.", min=1),
    ] = None,
    prune: Annotated[
        bool | None,
        typer.Option("--prune/--no-prune", help="End trials early whose first splits are poor; by default yes."),
    ] = None,
    splits: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            help="Splits that a trial is measured on; by default 1 to 3, for 500 hidden links.",
            min=1,
            max=100,
        ),
    ] = None,
    confirm: Annotated[
        int,
        typer.Option(
            metavar="K", help="Fresh splits to measure the winner on, beside the defaults; 0 for none.", min=0
        ),
    ] = 5,
    storage: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|URL",
            help="Where trials are kept besides DIR: FILE.jsonl, FILE.db (SQLite), another file (an Optuna journal), "
            "sqlite:///FILE or postgresql://USER@HOST/DATABASE.",
        ),
    ] = None,
    protocol: ProtocolOption = None,
    until: UntilOption = None,
    horizon: HorizonOption = None,
    seed: Annotated[int, typer.Option(help="Seed of the first split and of the search.", min=0)] = 0,
    engine: EngineOption = None,
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> None:
    """Search the settings of a model for a graph.

    The protocol splits the graph, and settings are compared on links that are hidden inside the training links of that
    split: its test links play no part, so that they still measure the winner honestly. The published settings come
    first, if there are any for this graph, then the defaults, then what the search suggests. In the end the winner and
    the defaults are measured on splits of the training links that no trial has seen.

    Trials come in waves. Those of a wave are drawn from the results of earlier waves alone and may run side by side,
    with --engine processes:N; how many do changes nothing but the time. A trial has one thread, unless --wave is 1.

    Every trial is recorded when it ends. The same command continues an interrupted study with the same trials as if it
    had not been interrupted, and with a larger --trials or --minutes it goes on with a finished one. Trials are kept in
    DIR/MODEL.jsonl, the best settings in DIR/best.toml; DIR/MODEL.html shows the study.

    [bold]Examples[/]

      linkwl tune my_edges.csv --model gcn --out gcn-study

      linkwl tune my_edges.csv --model gcn --trials 40 --engine processes:4 --out gcn-study

      linkwl tune usair --model seal --trials 10 --minutes 20 --sampler random --no-prune --out seal-study

      linkwl tune usair --model gcn --storage sqlite:///studies.db --out gcn-study

      linkwl evaluate usair --model seal --config seal-study/best.toml
    """
    check_json_target(json, graph, *known.files)
    row = find_row(model)
    if not minutes > 0:
        raise InputError(f"--minutes {minutes}: expected a number above 0.")

    from linkwl.datasets import CATALOGUE
    from linkwl.files import write_text
    from linkwl.locks import locked
    from linkwl.models.bundled import bundled_settings
    from linkwl.reports.study_page import write_study_page
    from linkwl.reports.study_table import confirmation_text, study_table, study_text
    from linkwl.tuning import Budget, Search
    from linkwl.tuning import tune as run_study
    from linkwl.tuning.importance import importance_of_settings
    from linkwl.tuning.stores import StudyName, joined, open_store
    from linkwl.tuning.study import load_folder, save_study

    given = _given_search(sampler, wave, prune)
    where = open_engine(engine)
    loaded = open_graph(graph, reading=how, known=known)
    chosen = choose_protocol(protocol, loaded, until=until, horizon=horizon)
    view, space = chosen.view(loaded), row.load_class(loaded.task).search_space
    with locked(out), ExitStack() as stack:
        studies = {study.model: study for study in load_folder(out)}
        _check_folder(out, studies, view.digest)
        before, store = studies.get(model), None
        if storage is not None and space:
            store = open_store(storage, StudyName(model, view.record, chosen.id, seed), space)
            stack.enter_context(store.locked())
            before = joined(before, store.load())
        bar = stack.enter_context(progress_bar())
        task = bar.add_task(f"tuning {model} on {loaded.name}", total=trials)
        steps = bar.add_task("training", visible=False, total=None)

        def save(study: Study) -> None:
            if store is not None:
                store.save(study)
            save_study(out, study)
            studies[model] = study
            write_text(out / BEST, best_toml(studies))
            bar.update(task, completed=len(study.trials), description=study_text(study))

        study = run_study(
            loaded,
            model,
            chosen,
            budget=Budget(trials, minutes),
            published=bundled_settings(model, graph, "paper") if graph in CATALOGUE else None,
            seed=seed,
            search=replace(Search(width=_WIDTH, is_pruned=True) if before is None else before.search, **given),
            splits=before.splits if before is not None and splits is None else splits,
            fresh_splits=confirm,
            engine=where,
            before=before,
            on_trial=save,
            on_step=lambda report: show_step(bar, steps, report),
        )
        save(study)  # with today's budget, if nothing was left to try
        page = out / f"{model}.html"
        write_study_page(study, space, importance_of_settings(study, space), page)
    console.print(study_table(study))
    say(study_text(study))
    if study.confirmation is not None:
        say(confirmation_text(study))
    say(f"the trials are in {out / model}.jsonl, and {page} shows them")
    say(f"the best settings are in {out / BEST}: add --config {out / BEST}")
    write_json(json, study.to_row())


def _given_search(sampler: str | None, wave: int | None, prune: bool | None) -> dict[str, Any]:
    """The parts of the search that were given; the others are those of an earlier study, or the defaults."""
    from linkwl.tuning.study import SAMPLERS

    if sampler is not None and sampler not in SAMPLERS:
        raise UnknownNameError("sampler", sampler, SAMPLERS)
    given = {"sampler": sampler, "width": wave, "is_pruned": prune}
    return {name: value for name, value in given.items() if value is not None}


def best_toml(studies: Mapping[str, Study]) -> str:
    """The best settings of some models on one graph, a table for each."""
    from linkwl.models.settings import settings_toml

    name = next(iter(studies.values())).graph.name
    tables = (f"\n[{model}]\n{settings_toml(study.best.settings)}" for model, study in studies.items() if study.best)
    return f"# Best settings on {name}, found by `linkwl tune`.\n{''.join(tables)}"


def _check_folder(folder: Path, studies: Mapping[str, Study], digest: str) -> None:
    """Raises InputError if the folder holds studies of another graph."""
    for study in studies.values():
        if study.graph.digest != digest:
            raise InputError(
                f"{folder} holds a study of {study.model} on {study.graph.name}, which has other links or features; "
                "give another folder."
            )
