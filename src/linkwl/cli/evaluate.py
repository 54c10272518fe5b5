"""``linkwl evaluate``: how well do models find held-out links?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from linkwl.cli.console import check_json_target, console, progress_bar, say, write_json
from linkwl.cli.engine_option import EngineOption, open_engine
from linkwl.cli.graph_argument import (
    GraphArgument,
    HeadOption,
    JsonOption,
    RelationOption,
    TailOption,
    TimeOption,
    TypesOption,
    open_graph,
    triple_columns,
)
from linkwl.cli.settings import ConfigOption, SetOption
from linkwl.cli.train import show_step
from linkwl.errors import InputError
from linkwl.models import MODELS
from linkwl.protocols import PROTOCOLS


def evaluate(
    graph: GraphArgument,
    model: Annotated[
        list[str],
        typer.Option("--model", "-m", metavar="M[,M...]", help=f"Models, separated by commas: {', '.join(MODELS)}."),
    ],
    seeds: Annotated[int | None, typer.Option(help="Number of splits; by default that of the protocol.")] = None,
    first_seed: Annotated[int, typer.Option(help="Seed of the first split.", min=0)] = 0,
    protocol: Annotated[
        str, typer.Option(metavar="P", help=f"How to split and what to measure: {', '.join(PROTOCOLS)}.")
    ] = "paper",
    split: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Files to take the split from, as `linkwl audit --out` writes them."),
    ] = None,
    time: TimeOption = None,
    head: HeadOption = None,
    relation: RelationOption = None,
    tail: TailOption = None,
    types: TypesOption = None,
    config: ConfigOption = None,
    settings: SetOption = None,
    engine: EngineOption = None,
    json: JsonOption = None,
) -> None:
    """Measure models on held-out links of a graph, over several splits.

    The protocol draws every split: `paper` holds out 10 % of the edges for test and 5 % for validation, with as many
    pairs that are not edges; `hits` holds out 20 % and 10 %; `heart` compares each held-out edge with 500 hard
    negatives; `temporal` observes the past and predicts the future. Models are trained again on each split.

    [bold]Examples[/]

      linkwl evaluate airports --model cn,aa,ra

      linkwl evaluate my_edges.csv --model katz --set beta=0.005 --seeds 3

      linkwl evaluate usair --model ppr,simrank --json usair.json

      linkwl evaluate usair --model local-2fwl --config tuned --seeds 3

      linkwl evaluate my_edges.csv --model ra,walk-2fwl --split my_split/

      linkwl evaluate messages.csv --model ra,walk-2fwl --protocol temporal --time sent

      linkwl evaluate cora --protocol heart --model ra,ppr,walk-2fwl --seeds 2 --engine processes:2
    """
    from linkwl.cli.settings import create_models
    from linkwl.protocols import find_protocol
    from linkwl.reports.tables import evaluation_table, evaluation_title
    from linkwl.splits import FileSplit
    from linkwl.training import evaluate_models

    check_json_target(json, graph, types, config)
    chosen = find_protocol(protocol)
    if split is not None:
        files = FileSplit(split)
        chosen = replace(chosen, id="files", splitter=files, negatives=files, seeds=1)
    count = chosen.seeds if seeds is None else seeds
    if count < 1:
        raise InputError(f"--seeds {count}: at least one split is needed.")
    models = create_models(",".join(model), config, settings or [], dataset=graph)
    where = open_engine(engine)
    loaded = open_graph(graph, time=time, columns=triple_columns(head, relation, tail), types=types)
    with progress_bar() as bar:
        task = bar.add_task(f"evaluating on {loaded.name}", total=count * len(models))
        steps = bar.add_task("training", visible=False, total=None)
        result = evaluate_models(
            loaded,
            models,
            chosen,
            range(first_seed, first_seed + count),
            engine=where,
            on_run=lambda run: bar.update(task, advance=1, description=f"{loaded.name}: {run.model}, seed {run.seed}"),
            on_step=lambda report: show_step(bar, steps, report),
        )
    if loaded.intake is not None and loaded.intake.notes:
        say(f"read {loaded.name}: {'; '.join(loaded.intake.notes)}")
    say(evaluation_title(result))
    console.print(evaluation_table(result))
    write_json(json, result.to_json())
