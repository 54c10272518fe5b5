"""``linkwl predict``: rank the missing links, or score given pairs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.console import console, progress_bar, say
from linkwl.cli.engine_option import EngineOption, open_engine
from linkwl.cli.graph_argument import ColumnsOption, TypesOption, open_graph, split_columns
from linkwl.errors import InputError
from linkwl.files import check_writable

if TYPE_CHECKING:
    from rich.progress import Progress
    from rich.table import Table

    from linkwl.predict import LinkPredictor, Ranking

FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a trained model.")]
GraphOption = Annotated[
    str | None,
    typer.Option("--graph", metavar="GRAPH", help="A graph other than the training graph: a name or a file."),
]
FeaturesOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Node features of that graph, by id.")]
PriorOption = Annotated[
    float | None,
    typer.Option(
        metavar="P", help="Share of links among the scored pairs; by default the share of all pairs that are linked."
    ),
]

_LONG_SECONDS = 600
_ROWS_SHOWN = 10


def predict(
    folder: FolderArgument,
    graph: GraphOption = None,
    features: FeaturesOption = None,
    columns: ColumnsOption = None,
    types: TypesOption = None,
    pairs: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Pairs to score: two node names per line, as in an edge list.")
    ] = None,
    top_k: Annotated[int | None, typer.Option(metavar="K", help="Number of missing links to find.")] = None,
    node: Annotated[
        str | None, typer.Option("--for", metavar="NODE", help="Find missing links of one node only.")
    ] = None,
    candidates: Annotated[
        str, typer.Option(metavar="C", help="Pairs to rank: all, or hops:3 for pairs within three edges.")
    ] = "all",
    prior: PriorOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The file to write: .csv or .parquet.")
    ] = None,
    engine: EngineOption = None,
) -> None:
    """Rank the missing links of a graph, or score given pairs.

    Writes source, target (or head, relation, tail), score, probability and rank, to a file or to standard output.
    Pairs that are linked, and pairs of a node with itself, are never among the missing links. Ties are broken by node
    index.

    [bold]Examples[/]

      linkwl predict airports-model --top-k 20

      linkwl predict airports-model --top-k 5 --for JNU

      linkwl predict my-model --top-k 1000 --candidates hops:2 --out new_links.parquet

      linkwl predict my-model --pairs questions.csv --out answers.csv

      linkwl predict my-model --graph next_year.csv --top-k 100
    """
    from linkwl.graph.readers.pairs import read_pairs
    from linkwl.predict import LinkPredictor
    from linkwl.predict.candidates import WithinHops
    from linkwl.predict.question import Question
    from linkwl.predict.ranking import check_ending

    if (pairs is None) == (top_k is None):
        raise InputError("give either --top-k K, for the likeliest missing links, or --pairs FILE, for given pairs.")
    if pairs is not None and (node is not None or candidates != "all"):
        raise InputError("--for and --candidates restrict the missing links; use them with --top-k.")
    check_options(graph, prior, features=features, columns=columns, types=types)
    if out is not None:
        check_ending(out)
        check_writable(out, graph, features, types, pairs)
    where = open_engine(engine)
    predictor = LinkPredictor.load(folder)
    observed = predictor.observe(
        None if graph is None else open_graph(graph, features=features, columns=split_columns(columns), types=types)
    )
    if pairs is not None:
        named = read_pairs(pairs, observed.ids)
        if count := int(observed.contains(named).sum()):
            say(f"{count:,} of the {len(named):,} pairs are already linked; the links influence their scores.")
        try:
            ranking = predictor.rank_indices(named, graph=observed, prior=prior)
        except InputError as error:
            raise InputError(error.problem, path=pairs) from error
    else:
        with progress_bar() as bar:
            ranking = predictor.recommend(
                top_k or 0,
                for_node=node,
                candidates=candidates,
                graph=observed,
                prior=prior,
                engine=where,
                on_progress=_progress(bar, observed.name, candidates),
            )
        if isinstance(chosen := Question().candidates(observed, candidates), WithinHops):
            say(
                f"{chosen.share_of_links():.0%} of the existing links would be among the candidates {candidates} if "
                "they were missing."
            )
    say_share(predictor, predictor.prior_for(observed, prior))
    if out is not None:
        ranking.save(out)
        say(f"{len(ranking):,} pairs written to {out}")
        console.print(ranking_table(ranking))
    else:
        ranking.write_csv(sys.stdout.buffer)


def check_options(graph: str | None, prior: float | None, **of_graph: object) -> None:
    """Raises InputError if the prior is out of range, or options of another graph are given without one."""
    for name, value in of_graph.items():
        if value is not None and graph is None:
            raise InputError(f"--{name} is about another graph; name that graph with --graph.")
    if prior is not None and not 0 < prior < 1:
        raise InputError(f"--prior {prior}: a share lies between 0 and 1.")


def say_share(predictor: LinkPredictor, prior: float) -> None:
    """Prints the prior that the probabilities assume, and whether they are informative."""
    from linkwl.models.calibration import FLAT, share_text

    say(
        f"probabilities assume that the share of links among such pairs is {share_text(prior)}; change it with --prior."
    )
    if predictor.calibration_.is_flat:
        say(FLAT)


def _progress(bar: Progress, name: str, candidates: str) -> Callable[[int, int], None]:
    """A function that updates the bar; it warns once if the work will take long."""
    start, has_warned = time.monotonic(), False
    task = bar.add_task(f"ranking missing links of {name}", total=None)

    def show(done: int, total: int) -> None:
        nonlocal has_warned
        bar.update(task, completed=done, total=total)
        seconds = (time.monotonic() - start) * total / max(done, 1)
        if not has_warned and candidates == "all" and seconds > _LONG_SECONDS:
            has_warned = True
            say(
                f"scoring all {total:,} pairs will take about {seconds / 60:,.0f} minutes; "
                "--candidates hops:3 scores only pairs within three edges."
            )

    return show


def ranking_table(ranking: Ranking) -> Table:
    """The first rows, for a terminal."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("rank", *ranking.columns, "score", "probability"):
        table.add_column(heading, justify="left" if heading in ranking.columns else "right")
    for row in ranking.head(_ROWS_SHOWN):
        names = (escape(str(name)) for name in row[: len(ranking.columns)])
        table.add_row(str(row.rank), *names, f"{row.score:.3f}", f"{row.probability:.4g}")
    return table
