"""``linkwl train``: fit a model to a graph and save it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.completion import complete_model
from linkwl.cli.console import QuietOption, check_json_target, say, write_json
from linkwl.cli.engine_option import EngineOption, open_engine
from linkwl.cli.graph_argument import GraphArgument, JsonOption, open_graph
from linkwl.cli.progress import AT_MOST, progress_bar
from linkwl.cli.reading_options import reads_graph
from linkwl.cli.setting_options import ConfigOption, SetOption
from linkwl.errors import InputError
from linkwl.models.registry import MODELS, RECOMMENDED, find_row

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from linkwl.cli.feature_options import Known
    from linkwl.graph.reading import Reading
    from linkwl.models import StepReport
    from linkwl.predict import LinkPredictor
    from linkwl.records import TrainingRecord
    from linkwl.typing import Task

_AUTO = "auto"
_FEW = 1000
"""Links with which a tenth of them, the test links, are too few to rely on."""


@reads_graph(features=True)
def train(
    graph: GraphArgument,
    how: Reading,
    known: Known,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to save the model in.")],
    model: Annotated[
        str,
        typer.Option(
            "--model",
            "-m",
            metavar="M",
            autocompletion=complete_model,
            help=f"The model: {', '.join(MODELS)}; or auto, to select one by validation.",
        ),
    ] = RECOMMENDED,
    config: ConfigOption = None,
    settings: SetOption = None,
    seed: Annotated[int, typer.Option(help="Seed of the split and of training.", min=0)] = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Resume an interrupted run of this folder.")] = False,
    prior: Annotated[
        float | None,
        typer.Option(
            metavar="P", help="Share of links or facts among the queries to score; by default their share in the graph."
        ),
    ] = None,
    decisions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A table of decisions about missing links: source, target, for facts relation, and verdict, which is "
            "accepted, rejected or later.",
        ),
    ] = None,
    report: Annotated[bool, typer.Option(help="Write a report about the model to the folder.")] = True,
    engine: EngineOption = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Number of workers that share the batches of a training step (training.batches_per_step): processes, "
            "or with --engine ray actors of Ray. The weights do not depend on it.",
        ),
    ] = None,
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> None:
    """Train a model on a graph of links or facts and save it in a folder.

    5 % of the edges are held out for validation and to fit probabilities, 10 % for the test; a benchmark has its own
    division. With --resume, a run that was stopped with Ctrl-C or killed continues where it stopped, and ends with the
    same weights. A heuristic has nothing to learn: only its probabilities are fitted, and it is saved like any other
    model.

    With --decisions, accepted links are added to the graph, and rejected ones are negatives of training that the model
    does not recommend again. The held-out edges are the same as without decisions.

    [bold]Examples[/]

      linkwl train airports --out airports-model

      linkwl train my_edges.csv --features my_nodes.csv --out my-model

      linkwl train roads.csv --features junctions.csv --coordinates map:breite,laenge --out roads-model

      linkwl train my_edges.csv --features some_nodes.csv --missing-features fill --out my-model

      linkwl train my_edges.csv --pair-features trade.csv --out my-model

      linkwl train usair --model local-2fwl --config tuned --out usair-model --resume

      linkwl train usair --model 2wl --set training.learning_rate=0.01 --out usair-2wl

      linkwl train my_edges.csv --model auto --out my-model

      linkwl train cora --set training.batches_per_step=4 --workers 4 --out cora-model

      linkwl train my_edges.csv --decisions decisions.csv --out my-next-model

      linkwl train world --out world-model

      linkwl train my_facts.tsv --types my_types.csv --out facts-model

      linkwl train ratings.csv --source user --target film --bipartite --out films-model
    """
    check_json_target(json, graph, *known.files, config, decisions)
    _check_options(model, config, settings or [], prior)

    from linkwl.models.calibration import flat_text
    from linkwl.storage.model_folder import check_model_folder, checkpoints

    where = open_engine(engine)
    check_model_folder(out, resume=resume)
    loaded = open_graph(graph, reading=how, known=known)
    predictor = _make_predictor(model, config, settings or [], graph, loaded.task, prior, seed)
    with progress_bar() as bar:
        task = bar.add_task(f"training {model} on {loaded.name}", total=None)
        try:
            predictor.fit(
                loaded,
                decisions=decisions,
                folder=out,
                resume=resume,
                origin={
                    "graph": graph,
                    **known.origin,
                    **({} if decisions is None else {"decisions": str(decisions)}),
                    **{option: str(value) for option, value in how.given.items()},
                },
                engine=where,
                workers=workers,
                on_step=lambda report: show_step(bar, task, report),
            )
        except KeyboardInterrupt:
            is_kept = bool(checkpoints(out))
            say(
                f"stopped; to continue, add --resume to the same command ({out})."
                if is_kept
                else "stopped before training started."
            )
            raise typer.Exit(130) from None
    if loaded.intake is not None and loaded.intake.notes:
        say(f"read {loaded.name}: {'; '.join(loaded.intake.notes)}")
    if model == _AUTO:
        say(predictor.choice_)
    record = predictor.record_
    if record.decisions:
        from linkwl.graph.decisions import decisions_text

        say(decisions_text(record.decisions))
    say(f"{result_text(record, loaded.task)}; saved in {out}")
    if loaded.num_facts < _FEW:
        from linkwl.typing import FACT_WORD

        say(
            f"{loaded.name} has only {loaded.num_facts:,} {FACT_WORD[loaded.task]}s, so few were held out and these "
            "figures are rough; the report has their intervals, and `linkwl evaluate` averages over splits."
        )
    if predictor.calibration_.is_flat:
        say(flat_text(loaded.task))
    write_json(json, record.to_json())
    if report:
        _write_report(predictor, out)


def result_text(record: TrainingRecord, task: Task) -> str:
    """What a training run has reached: the metric that selects, or the metrics of which it is the mean."""
    from linkwl.metrics import find_metric
    from linkwl.typing import FACT_WORD

    metrics = [find_metric(name) for name in record.selects.split("+")]
    test, valid = (
        ", ".join(f"{100 * values[metric.id]:.2f} %{f' {metric.title}' if has_titles else ''}" for metric in metrics)
        for values, has_titles in ((record.test, True), (record.valid, False))
    )
    few = "{test:,} of {of:,} ".format(**record.sampled) if record.sampled else ""
    best = f" at step {record.training['best_step']:,} of {record.steps:,}" if record.steps else ""
    return (
        f"{record.model} on {record.graph.name}: {test} on {few}held-out {FACT_WORD[task]}s "
        f"(validation {valid}{best}), {record.seconds['fit']:.1f} seconds"
    )


def _check_options(model: str, config: Path | None, settings: list[str], prior: float | None) -> None:
    """Raises InputError for options that are wrong for any graph, before the graph is read."""
    if prior is not None and not 0 < prior < 1:
        raise InputError(f"--prior {prior}: a share lies between 0 and 1.")
    if model == _AUTO:
        if config is not None or settings:
            raise InputError(
                "--model auto compares models with their default settings; name one model to change settings."
            )
    elif "," in model:
        raise InputError(f"--model {model}: one model is trained at a time; name one, or auto.")
    else:
        find_row(model)


def _make_predictor(
    model: str, config: Path | None, settings: list[str], graph: str, task: Task, prior: float | None, seed: int
) -> LinkPredictor:
    """The predictor described by the options."""
    from linkwl.cli.settings import create_models
    from linkwl.predict import LinkPredictor

    if model == _AUTO:
        return LinkPredictor(_AUTO, prior=prior, seed=seed)
    (chosen,) = create_models(model, config, settings, dataset=graph, task=task)
    return LinkPredictor(chosen.id, settings=chosen.config.model_dump(), prior=prior, seed=seed)


def _write_report(predictor: LinkPredictor, folder: Path) -> None:
    from linkwl.predict.summary import summarise
    from linkwl.reports.model_report import write_report
    from linkwl.storage.model_folder import PAGE
    from linkwl.typing import FACT_WORD

    with progress_bar() as bar:
        task = bar.add_task("writing the report", total=None)
        summary = summarise(predictor, on_stage=lambda stage: bar.update(task, description=f"report: {stage}"))
        write_report(summary, folder / PAGE)
    what, options = FACT_WORD[predictor.graph_.task], "--top-k 20"
    if predictor.graph_.task == "triples":
        options += " --candidates roles"
    say(f"open {folder / PAGE} in a browser; rank {what}s with `linkwl predict {folder} {options}`")


def show_step(bar: Progress, task: TaskID, report: StepReport) -> None:
    """Updates a progress bar from the report of a step."""
    shown = next(row for row in bar.tasks if row.id == task)
    if shown.completed != report.step - 1:
        # A run starts or resumes: the speed of an earlier run says nothing about it.
        bar.reset(task, total=report.max_steps, completed=report.step - 1)
    bar.update(
        task,
        completed=report.step,
        total=report.max_steps,
        description=step_text(report),
        visible=True,
        left=AT_MOST,  # training ends early if validation does not improve
    )


def step_text(report: StepReport) -> str:
    """Loss and validation metric as a short text."""
    return report.text
