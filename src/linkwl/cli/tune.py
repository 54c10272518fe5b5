"""``linkwl tune``: find good settings of a model for a graph."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.console import check_json_target, console, progress_bar, say, write_json
from linkwl.cli.feature_options import (
    CoordinatesOption,
    FeaturesOption,
    MissingFeatures,
    MissingFeaturesOption,
    PairFeaturesOption,
)
from linkwl.cli.graph_argument import GraphArgument, JsonOption, open_graph
from linkwl.cli.protocol_option import HorizonOption, ProtocolOption, UntilOption, choose_protocol
from linkwl.cli.reading_options import reads_graph
from linkwl.cli.train import show_step
from linkwl.errors import InputError
from linkwl.graph.reading import Reading
from linkwl.locks import locked
from linkwl.models.registry import MODELS, RECOMMENDED, find_row

if TYPE_CHECKING:
    from linkwl.tuning import Study

BEST = "best.toml"
"""The file of the best settings of all models in a folder; their trials are in MODEL.jsonl."""


@reads_graph()
def tune(
    graph: GraphArgument,
    how: Reading,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder of the study.")],
    model: Annotated[
        str, typer.Option("--model", "-m", metavar="M", help=f"The model: {', '.join(MODELS)}.")
    ] = RECOMMENDED,
    features: FeaturesOption = None,
    missing_features: MissingFeaturesOption = MissingFeatures.ERROR,
    coordinates: CoordinatesOption = "auto",
    pair_features: PairFeaturesOption = None,
    trials: Annotated[int, typer.Option(metavar="N", help="Number of settings to try.", min=1)] = 20,
    minutes: Annotated[float, typer.Option(metavar="T", help="CPU minutes after which the search ends.")] = 30.0,
    protocol: ProtocolOption = None,
    until: UntilOption = None,
    horizon: HorizonOption = None,
    seed: Annotated[int, typer.Option(help="Seed of the first split and of the search.", min=0)] = 0,
    json: JsonOption = None,
) -> None:
    """Search the settings of a model for a graph.

    The protocol splits the graph, and settings are compared on links that are hidden inside the training links of that
    split: its test links play no part, so that they still measure the winner honestly. The published settings come
    first, if there are any for this graph, then the defaults, then what the search suggests.

    Every trial is recorded when it ends. The same command continues an interrupted study, and with a larger --trials or
    --minutes it goes on with a finished one. Trials are kept in DIR/MODEL.jsonl, the best settings in DIR/best.toml.

    [bold]Examples[/]

      linkwl tune my_edges.csv --model gcn --out gcn-study

      linkwl tune usair --model seal --trials 10 --minutes 20 --out seal-study

      linkwl evaluate usair --model seal --config seal-study/best.toml
    """
    from linkwl.datasets import CATALOGUE
    from linkwl.files import write_text
    from linkwl.models.bundled import bundled_settings
    from linkwl.reports.study_table import study_table, study_text
    from linkwl.tuning import Budget
    from linkwl.tuning import tune as run_study
    from linkwl.tuning.study import load_folder, save_study

    check_json_target(json, graph, features, pair_features)
    find_row(model)
    if not minutes > 0:
        raise InputError(f"--minutes {minutes}: expected a number above 0.")
    loaded = open_graph(
        graph,
        features=features,
        missing_features=missing_features.value,
        coordinates=coordinates,
        pair_features=pair_features,
        reading=how,
    )
    chosen = choose_protocol(protocol, loaded, until=until, horizon=horizon)
    with locked(out), progress_bar() as bar:
        studies = {study.model: study for study in load_folder(out)}
        _check_folder(out, studies, chosen.view(loaded).digest)
        task = bar.add_task(f"tuning {model} on {loaded.name}", total=trials)
        steps = bar.add_task("training", visible=False, total=None)

        def save(study: Study) -> None:
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
            before=studies.get(model),
            on_trial=save,
            on_step=lambda report: show_step(bar, steps, report),
        )
        save(study)  # with today's budget, if nothing was left to try
    console.print(study_table(study))
    say(study_text(study))
    say(f"the trials are in {out / model}.jsonl, the best settings in {out / BEST}: add --config {out / BEST}")
    write_json(json, study.to_row())


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
