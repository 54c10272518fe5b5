"""The arguments of commands that use a trained model, and checks of them before the model is read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.completion import complete_graph
from linkwl.errors import InputError

if TYPE_CHECKING:
    from linkwl.cli.feature_options import Known
    from linkwl.graph.reading import Reading

FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a trained model.")]
GraphOption = Annotated[
    str | None,
    typer.Option(
        "--graph",
        metavar="GRAPH",
        autocompletion=complete_graph,
        help="A graph other than the training graph: a name or a file.",
    ),
]
PriorOption = Annotated[
    float | None,
    typer.Option(
        metavar="P",
        help="Share of links or facts among the scored queries; by default their share in the graph.",
    ),
]


def check_request(
    *,
    files: Mapping[str, Path | None],
    is_top: bool,
    per_node: int | None,
    side: str | None,
    is_dataset: bool,
    candidates: str,
    most: int | None,
    ranking: str,
) -> None:
    """Raises InputError if the options of ``linkwl predict`` ask for nothing, for two things, or contradict each other.

    Args:
        files: Files of queries, by the option that names them.
        is_top: Whether the best of all queries are asked for.
        per_node: How many are asked for of every node.
        side: Which nodes these are.
        is_dataset: Whether all queries above a threshold are asked for.
        candidates: Which queries are ranked.
        most: How many of them.
        ranking: How they are ranked.
    """
    given = [option for option, file in files.items() if file is not None]
    if len(given) + is_top + (per_node is not None) + is_dataset != 1:
        raise InputError(
            "give either --top-k K, for the likeliest missing links or facts, a part of them such as --for NODE, "
            "--per-node K, for those of every node, --min-score S or --min-probability P, for all above it, or --pairs "
            "FILE or --triples FILE, for given ones."
        )
    if side is not None and per_node is None:
        raise InputError("--side chooses the nodes of --per-node; give both, or leave it out.")
    if most is not None and per_node is not None:
        raise InputError("--most takes the candidates of some nodes, and --per-node those of all; give one of them.")
    if given and (candidates != "all" or most is not None):
        raise InputError("--candidates and --most restrict the missing links or facts; use them with --top-k.")
    if ranking != "auto" and (given or per_node is not None):
        raise InputError("--ranking is how the best of all pairs are found; use it with --top-k.")


def check_options(graph: str | None, prior: float | None, how: Reading, known: Known, columns: str | None) -> None:
    """Raises InputError if the prior is out of range, or options of another graph are given without one."""
    of_graph = known.of_graph | ({} if columns is None else {"columns": columns}) | how.given
    if graph is None and of_graph:
        name = next(iter(of_graph)).replace("_", "-")
        raise InputError(f"--{name} is about another graph; name that graph with --graph.")
    if prior is not None and not 0 < prior < 1:
        raise InputError(f"--prior {prior}: a share lies between 0 and 1.")


def check_dataset(out: Path | None, min_score: float | None, min_probability: float | None, most: int | None) -> None:
    """Raises InputError or OutputError if options of a dataset are wrong for any model, before one is read."""
    from linkwl.predict.dataset_out import Threshold, check_new_folder

    Threshold(min_score, min_probability)
    if most is not None:
        raise InputError("--most takes some of the candidates, and all above the threshold are written; give one.")
    if out is None:
        raise InputError("--min-score and --min-probability write a folder of Parquet files; name it with --out.")
    check_new_folder(out)
