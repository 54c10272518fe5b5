"""``linkwl evaluate``: how well do models find held-out links?"""

from __future__ import annotations

from dataclasses import replace
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.completion import complete_models
from linkwl.cli.console import QuietOption, check_json_target, console, say, write_json
from linkwl.cli.engine_option import EngineOption, open_engine
from linkwl.cli.graph_argument import GraphArgument, JsonOption, open_graph
from linkwl.cli.progress import progress_bar
from linkwl.cli.protocol_option import HorizonOption, ProtocolOption, UntilOption, choose_protocol, say_division
from linkwl.cli.reading_options import reads_graph
from linkwl.cli.setting_options import ConfigOption, SetOption
from linkwl.cli.train import show_step
from linkwl.errors import InputError
from linkwl.files import check_writable
from linkwl.models.registry import MODELS, model_ids

if TYPE_CHECKING:
    from linkwl.cli.feature_options import Known
    from linkwl.graph import Graph, KnowledgeGraph
    from linkwl.graph.reading import Reading
    from linkwl.protocols import Protocol
    from linkwl.records import RunRecord


@reads_graph(features=True)
def evaluate(
    graph: GraphArgument,
    how: Reading,
    known: Known,
    model: Annotated[
        list[str],
        typer.Option(
            "--model",
            "-m",
            metavar="M[,M...]",
            autocompletion=complete_models,
            help=f"Models, separated by commas: {', '.join(MODELS)}; or all, for every model that fits the graph.",
        ),
    ],
    seeds: Annotated[
        int | None, typer.Option(help="Number of splits; by default that of the protocol, and 3 for all models.")
    ] = None,
    first_seed: Annotated[int, typer.Option(help="Seed of the first split.", min=0)] = 0,
    protocol: ProtocolOption = None,
    until: UntilOption = None,
    horizon: HorizonOption = None,
    split: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Files to take the split from, as `linkwl audit --out` writes them."),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Labelled triples of a benchmark's test, test0.txt, test1.txt, ..., for `indigo`."
        ),
    ] = None,
    config: ConfigOption = None,
    settings: SetOption = None,
    engine: EngineOption = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the models, best first, and their times; a PNG file.")
    ] = None,
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> None:
    """Measure models on held-out links of a graph, over several splits.

    Several models are ranked by their validation scores, and one is recommended. A model of `--model all` that cannot
    read the graph is left out, with its reason.

    The protocol draws every split. For pairs, `paper`, the default, holds out 10 % of the edges for test and 5 % for
    validation, with as many pairs that are not edges; `hits` holds out 20 % and 10 %; `heart` compares each held-out
    edge with 500 hard negatives; `temporal` observes the past and predicts the future. Models are trained again on each
    split.

    For triples, `indigo`, the default, separates facts from random triples and ranks relations, and `facts` is the same
    for few relations; `entities` ranks all entities as head and as tail, `entities-50` 50 random ones, `entities-roles`
    those that make sense; all of them use the division of a benchmark if there is one. `entities-unseen` tests on
    entities that training has never seen.

    [bold]Examples[/]

      linkwl evaluate airports --model cn,aa,ra

      linkwl evaluate my_edges.csv --model all --plot models.png

      linkwl evaluate my_edges.csv --model katz --set beta=0.005 --seeds 3

      linkwl evaluate usair --model ppr,simrank --json usair.json

      linkwl evaluate usair --model local-2fwl --config tuned --seeds 3

      linkwl evaluate my_edges.csv --model ra,walk-2fwl --split my_split/

      linkwl evaluate messages.csv --model ra,walk-2fwl --protocol temporal --time sent

      linkwl evaluate messages.csv --model ra --protocol temporal --time sent --until 2024-05-31 --horizon 30d

      linkwl evaluate data/fb237_v1 --model walk-2fwl --protocol indigo --labels data/labels

      linkwl evaluate cora --protocol heart --model ra,ppr,walk-2fwl --seeds 2 --engine processes:2
    """
    check_json_target(json, graph, *known.files, config)
    if plot is not None:
        check_plot(plot, graph, *known.files, config)
    if seeds is not None and seeds < 1:
        raise InputError(f"--seeds {seeds}: at least one split is needed.")

    from linkwl.cli.settings import create_models
    from linkwl.comparing import ALL, SEEDS_OF_ALL, compare_models, of_whole_splits
    from linkwl.protocols import find_protocol
    from linkwl.records import Evaluation
    from linkwl.reports.comparison import compare_runs
    from linkwl.reports.tables import evaluation_methods, evaluation_table, evaluation_title
    from linkwl.splits import FileSplit

    if protocol is not None:
        find_protocol(protocol)  # reports an unknown name before a large file is read
    where = open_engine(engine)
    loaded = open_graph(graph, reading=how, known=known)
    chosen = choose_protocol(protocol, loaded, until=until, horizon=horizon)
    if split is not None:
        files = FileSplit(split)
        chosen = replace(chosen, id="files", splitter=files, negatives=files, seeds=1)
    names = ",".join(model)
    is_lenient = ALL in (name.strip() for name in names.split(","))
    if is_lenient:
        names = ",".join(model_ids(task=loaded.task))
    count = seeds or (min(SEEDS_OF_ALL, chosen.seeds) if is_lenient else chosen.seeds)
    models = create_models(names, config, settings or [], dataset=graph, task=loaded.task)
    if labels is not None:
        loaded = _with_labels(loaded, labels, chosen)
    with progress_bar() as bar:
        task = bar.add_task(f"evaluating on {loaded.name}", total=count * len(models))
        steps = bar.add_task("training", visible=False, total=None)

        finished: list[RunRecord] = []

        def show_run(run: RunRecord) -> None:
            finished.append(run)
            bar.advance(task)
            if not console.is_terminal and count * len(models) > 1:
                say(run_text(run))

        is_stopped = False
        try:
            comparison = compare_models(
                loaded,
                models,
                chosen,
                range(first_seed, first_seed + count),
                engine=where,
                is_lenient=is_lenient,
                on_run=show_run,
                on_step=lambda report: show_step(bar, steps, report),
            )
        except KeyboardInterrupt:
            if not finished:
                raise
            is_stopped = True
            comparison = compare_runs(Evaluation(loaded.record, chosen.to_json(), tuple(of_whole_splits(finished))))
    result = comparison.evaluation
    if loaded.intake is not None and loaded.intake.notes:
        say(f"read {loaded.name}: {'; '.join(loaded.intake.notes)}")
    say_division(loaded, chosen)
    say(evaluation_title(result, loaded.task))
    console.print(evaluation_table(result, [row.model for row in comparison.standings]))
    for line in () if is_lenient else evaluation_methods(result):
        say(line)
    for name, reason in result.refusals.items():
        say(f"left out: {name}: {reason}")
    if len(comparison.standings) > 1:
        for sentence in comparison.sentences:
            say(sentence)
    if plot is not None:
        from linkwl.reports.comparison_figure import draw_comparison

        draw_comparison(comparison, plot)
        say(f"wrote {plot}")
    write_json(json, loads(result.to_json()) | comparison.to_json())
    if is_stopped:
        say(f"stopped after {len(finished)} of {count * len(models)} runs; this is what they show.")
        raise typer.Exit(130)


def run_text(run: RunRecord) -> str:
    """The first metric and the time of a run, for a log."""
    from linkwl.metrics import find_metric

    name, value = next(iter(run.metrics.items()))
    return f"{run.model}, seed {run.seed}: {find_metric(name).title} {100 * value:.2f} % ({run.seconds['fit']:.1f} s)"


def check_plot(plot: Path, *inputs: str | Path | None) -> None:
    """Raises InputError or OutputError before the work starts if the picture cannot be written."""
    if plot.suffix.lower() != ".png":
        raise InputError(f"--plot {plot}: expected the name of a PNG file, as in models.png.")
    check_writable(plot, *inputs)


def _with_labels(graph: Graph | KnowledgeGraph, folder: Path, protocol: Protocol) -> KnowledgeGraph:
    """The graph with the labelled triples of a folder.

    Raises:
        InputError: If the protocol would not use them, or they do not belong to the graph.
    """
    from linkwl.graph import KnowledgeGraph
    from linkwl.graph.readers.benchmark_folder import find_labelled, read_labelled
    from linkwl.splits import LabelledNegatives

    if not isinstance(protocol.negatives, LabelledNegatives):
        raise InputError(f"--labels {folder}: protocol `{protocol.id}` does not use labels; try --protocol indigo.")
    if not isinstance(graph, KnowledgeGraph):
        raise InputError(f"--labels {folder}: {graph.name} is a graph of pairs, and labels are for triples.")
    return read_labelled(find_labelled(folder), graph)
