"""``linkwl train``: fit a model to a graph and save it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.console import check_json_target, progress_bar, say, write_json
from linkwl.cli.graph_argument import GraphArgument, JsonOption, open_graph
from linkwl.cli.settings import ConfigOption, SetOption
from linkwl.errors import InputError
from linkwl.models.registry import RECOMMENDED, model_ids

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from linkwl.training import StepReport
    from linkwl.training.model_folder import SavedModel

_LEARNED = ", ".join(model_ids("network", "own", "baseline"))


def train(
    graph: GraphArgument,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to save the model in.")],
    model: Annotated[str, typer.Option("--model", "-m", metavar="M", help=f"The model: {_LEARNED}.")] = RECOMMENDED,
    features: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Node features by id: CSV, Parquet, .npy or .npz.")
    ] = None,
    config: ConfigOption = None,
    settings: SetOption = None,
    seed: Annotated[int, typer.Option(help="Of the held-out edges and of training.", min=0)] = 0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a run of this folder that was stopped or killed.")
    ] = False,
    prior: Annotated[
        float | None,
        typer.Option(metavar="P", help="Share of links among pairs to ask about; by default as many as are linked."),
    ] = None,
    report: Annotated[bool, typer.Option(help="Write a page about the model into the folder.")] = True,
    json: JsonOption = None,
) -> None:
    """Train a model on a graph and save it in a folder.

    5 % of the edges are held out to watch training and to fit probabilities, 10 % to measure. A run that is
    stopped with Ctrl-C or killed goes on with --resume where it was, and ends with the same weights.

    [bold]Examples[/]

      linkwl train airports --out airports-model

      linkwl train my_edges.csv --features my_nodes.csv --out my-model

      linkwl train usair --model local-2fwl --config tuned --out usair-model --resume

      linkwl train usair --model 2wl --set training.learning_rate=0.01 --out usair-2wl
    """
    from linkwl.cli.settings import create_models
    from linkwl.models.calibration import FLAT
    from linkwl.models.registry import is_learned

    check_json_target(json, graph, features, config)
    chosen, *others = create_models(model, config, settings or [], dataset=graph)
    if others:
        raise InputError(f"--model {model}: one model is trained at a time; name one.")
    if not is_learned(chosen):
        raise InputError(
            f"{chosen.id} is a formula: there is nothing to train; `linkwl evaluate` measures it, "
            f"LinkPredictor({chosen.id!r}) ranks with it, or choose from {_LEARNED}."
        )
    from linkwl.training.train import CHECKPOINT, check_model_folder, train_model

    if prior is not None and not 0 < prior < 1:
        raise InputError(f"--prior {prior}: a share lies between 0 and 1.")
    check_model_folder(out, resume=resume)
    loaded = open_graph(graph, features=features)
    if loaded.is_directed:
        say("training is over unordered pairs: the directions of the edges are forgotten.")
    source = {"graph": graph, "features": None if features is None else str(features)}
    with progress_bar() as bar:
        task = bar.add_task(f"training {chosen.id} on {loaded.name}", total=chosen.training.max_steps)
        try:
            saved = train_model(
                chosen,
                loaded,
                out,
                seed=seed,
                prior=prior,
                source=source,
                resume=resume,
                on_plan=lambda plan: say(plan.text),
                on_step=lambda report: show_step(bar, task, report),
            )
        except KeyboardInterrupt:
            is_kept = (out / CHECKPOINT).exists()
            say(
                f"stopped; go on with the same command and --resume ({out})." if is_kept else "stopped before it began."
            )
            raise typer.Exit(130) from None
    if loaded.intake is not None and loaded.intake.notes:
        say(f"read {loaded.name}: {'; '.join(loaded.intake.notes)}")
    record = saved.record
    say(
        f"{chosen.id} on {loaded.name}: {100 * record.test['auc']:.2f} % AUC on links it never saw (validation "
        f"{100 * record.valid['auc']:.2f} % at step {record.training['best_step']:,} of {record.steps:,}), "
        f"{record.seconds['fit']:.1f} seconds; saved in {out}"
    )
    if saved.calibration.is_flat:
        say(FLAT)
    write_json(json, record.to_json())
    if report:
        _write_report(saved, out)


def _write_report(saved: SavedModel, folder: Path) -> None:
    from linkwl.predict import LinkPredictor
    from linkwl.reports.model_report import make_report, write_report
    from linkwl.training.model_folder import PAGE

    with progress_bar() as bar:
        task = bar.add_task("writing the report", total=None)
        told = make_report(
            LinkPredictor.of(saved), on_stage=lambda stage: bar.update(task, description=f"report: {stage}")
        )
        write_report(told, folder / PAGE)
    say(f"open {folder / PAGE} in a browser; rank links with `linkwl predict {folder} --top-k 20`")


def show_step(bar: Progress, task: TaskID, report: StepReport) -> None:
    """Moves a bar on by what a step reports."""
    shown = next(row for row in bar.tasks if row.id == task)
    if shown.completed != report.step - 1:
        # A run begins, anew or where it was left: the pace of another one says nothing about it.
        bar.reset(task, total=report.max_steps, completed=report.step - 1)
    bar.update(task, completed=report.step, description=step_text(report), visible=True)


def step_text(report: StepReport) -> str:
    """Loss and validation AUC in a few words."""
    text = f"{report.model}, seed {report.seed}: loss {report.loss:.3f}"
    if report.valid_auc is None or report.best_auc is None:
        return text
    best = f" (best {100 * report.best_auc:.2f} %)" if report.best_auc != report.valid_auc else ""
    return f"{text}, valid AUC {100 * report.valid_auc:.2f} %{best}"
