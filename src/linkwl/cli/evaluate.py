"""``linkwl evaluate``: how well do models find held-out links?"""

from __future__ import annotations

from typing import Annotated

import typer

from linkwl.cli.console import check_json_target, console, progress_bar, say, write_json
from linkwl.cli.graph_argument import GraphArgument, JsonOption, open_graph
from linkwl.cli.settings import ConfigOption, SetOption
from linkwl.cli.train import show_step
from linkwl.errors import InputError
from linkwl.models import MODELS


def evaluate(
    graph: GraphArgument,
    model: Annotated[
        list[str],
        typer.Option("--model", "-m", metavar="M[,M...]", help=f"Models, separated by commas: {', '.join(MODELS)}."),
    ],
    seeds: Annotated[int | None, typer.Option(help="Number of splits; by default what the protocol asks for.")] = None,
    first_seed: Annotated[int, typer.Option(help="Seed of the first split.", min=0)] = 0,
    protocol: Annotated[str, typer.Option(help="How to split and what to measure.")] = "paper",
    config: ConfigOption = None,
    settings: SetOption = None,
    json: JsonOption = None,
) -> None:
    """Measure models on held-out links of a graph: AUC and average precision over several splits.

    Every split is drawn afresh: 10 % of the edges for test, 5 % for validation, and as many pairs that are no edges.
    Models with weights are trained anew on each.

    [bold]Examples[/]

      linkwl evaluate airports --model cn,aa,ra

      linkwl evaluate my_edges.csv --model katz --set beta=0.005 --seeds 3

      linkwl evaluate usair --model ppr,simrank --json usair.json

      linkwl evaluate usair --model local-2fwl --config tuned --seeds 3
    """
    from linkwl.cli.settings import create_models
    from linkwl.reports.tables import evaluation_table, evaluation_title
    from linkwl.splits import find_protocol
    from linkwl.training import evaluate_models

    check_json_target(json, graph, config)
    chosen = find_protocol(protocol)
    count = chosen.seeds if seeds is None else seeds
    if count < 1:
        raise InputError(f"--seeds {count}: at least one split is needed.")
    models = create_models(",".join(model), config, settings or [], dataset=graph)
    loaded = open_graph(graph)
    if loaded.is_directed:
        say(f"protocol `{chosen.id}` is over unordered pairs: the directions of the edges are forgotten.")
    with progress_bar() as bar:
        task = bar.add_task(f"evaluating on {loaded.name}", total=count * len(models))
        steps = bar.add_task("training", visible=False, total=None)
        result = evaluate_models(
            loaded,
            models,
            chosen,
            range(first_seed, first_seed + count),
            on_run=lambda run: bar.update(task, advance=1, description=f"{loaded.name}: {run.model}, seed {run.seed}"),
            on_step=lambda report: show_step(bar, steps, report),
        )
    if loaded.intake is not None and loaded.intake.notes:
        say(f"read {loaded.name}: {'; '.join(loaded.intake.notes)}")
    say(evaluation_title(result))
    console.print(evaluation_table(result))
    write_json(json, result.to_json())
