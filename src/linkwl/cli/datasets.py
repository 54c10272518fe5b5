"""``linkwl datasets``: the benchmark graphs and their files."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from linkwl.cli.completion import complete_graph
from linkwl.cli.console import QuietOption, check_json_target, console, facts, say, write_json
from linkwl.cli.graph_argument import JsonOption, open_dataset

app = typer.Typer(
    help="List the benchmark graphs, describe one, or fetch its files.",
    epilog="Examples:  linkwl datasets list  |  linkwl datasets info cora  |  linkwl datasets fetch usair",
    invoke_without_command=True,
    add_completion=False,
)

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", autocompletion=complete_graph, help="A name from `linkwl datasets list`.")
]


@app.callback()
def default(context: typer.Context) -> None:
    """List the benchmark graphs, describe one, or fetch its files."""
    if context.invoked_subcommand is None:
        list_datasets()


@app.command("list")
def list_datasets(json: JsonOption = None) -> None:
    """List every graph of the catalogue and whether its files are on this machine.

    [bold]Example[/]

      linkwl datasets list
    """
    from rich.table import Table

    from linkwl.datasets import CATALOGUE, dataset_state

    check_json_target(json)
    table = Table(
        "name", "in the paper", "nodes", "edges", "relations", "features", "files", box=None, header_style="bold"
    )
    for column in table.columns[2:6]:
        column.justify = "right"
    for dataset in CATALOGUE.values():
        counts = (dataset.num_nodes, dataset.num_edges, dataset.num_relations, dataset.num_features)
        table.add_row(
            dataset.name,
            dataset.title if dataset.files else "-",
            *(f"{count:,}" for count in counts),
            dataset_state(dataset),
        )
    console.print(table)
    write_json(json, {"datasets": [asdict(dataset) for dataset in CATALOGUE.values()]})


@app.command("info")
def info(name: NameArgument, json: JsonOption = None) -> None:
    """Describe one graph: size, source, licence, files.

    [bold]Example[/]

      linkwl datasets info cora
    """
    from linkwl.datasets import find_dataset, find_file

    check_json_target(json)
    dataset = find_dataset(name)
    rows = {
        "name": dataset.name,
        "in the paper": dataset.title if dataset.files else "-",
        "nodes": f"{dataset.num_nodes:,}",
        "triples" if dataset.task == "triples" else "edges": f"{dataset.num_edges:,}",
        "features": f"{dataset.num_features:,}",
        **({"relations": f"{dataset.num_relations:,}"} if dataset.num_relations else {}),
        "source": dataset.source,
        "licence": dataset.licence,
    }
    for file in dataset.files:
        rows[file.path] = f"{file.num_bytes:,} bytes, {find_file(file) or f'to be downloaded from {file.url}'}"
    console.print(facts(rows))
    write_json(json, asdict(dataset))


@app.command("fetch")
def fetch(name: NameArgument, quiet: QuietOption = False, json: JsonOption = None) -> None:
    """Fetch the files of one graph into the cache, unless they are already there.

    [bold]Example[/]

      linkwl datasets fetch usair
    """
    from linkwl.datasets import find_dataset

    check_json_target(json)
    find_dataset(name)
    loaded = open_dataset(name)
    kind = "triples" if loaded.task == "triples" else "edges"
    say(f"{loaded.name} is ready: {loaded.num_nodes:,} nodes, {loaded.num_facts:,} {kind}.")
    write_json(json, asdict(loaded.record))
