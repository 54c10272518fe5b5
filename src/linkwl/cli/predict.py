"""``linkwl predict``: rank the missing links or facts, or score given pairs or triples."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from linkwl.cli.console import ExcelSafeOption, check_json_target, console, progress_bar, say, write_json
from linkwl.cli.engine_option import EngineOption, open_engine
from linkwl.cli.feature_options import (
    CoordinatesOption,
    MissingFeatures,
    MissingFeaturesOption,
    OtherFeaturesOption,
    PairFeaturesOption,
)
from linkwl.cli.graph_argument import ColumnsOption, JsonOption, TypesOption, like_fitted, open_graph, with_columns
from linkwl.cli.reading_options import reads_graph
from linkwl.errors import InputError
from linkwl.files import check_writable
from linkwl.graph.reading import Reading
from linkwl.printable import printable
from linkwl.typing import FACT_WORD, Task

if TYPE_CHECKING:
    from rich.progress import Progress
    from rich.table import Table

    from linkwl.graph import Observed
    from linkwl.predict import LinkPredictor, Ranking
    from linkwl.predict.candidates import Candidates
    from linkwl.predict.dataset_out import Written
    from linkwl.predict.per_node import Side

FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a trained model.")]
GraphOption = Annotated[
    str | None,
    typer.Option("--graph", metavar="GRAPH", help="A graph other than the training graph: a name or a file."),
]
PriorOption = Annotated[
    float | None,
    typer.Option(
        metavar="P",
        help="Share of links or facts among the scored queries; by default their share in the graph.",
    ),
]

_LONG_SECONDS = 60
_ROWS_SHOWN = 10
_TOP_K = 10
"""Number of answers to a question, if it is not given."""


@reads_graph("head", "relation", "tail")
def predict(
    folder: FolderArgument,
    how: Reading,
    graph: GraphOption = None,
    features: OtherFeaturesOption = None,
    missing_features: MissingFeaturesOption = MissingFeatures.ERROR,
    coordinates: CoordinatesOption = "auto",
    pair_features: PairFeaturesOption = None,
    columns: ColumnsOption = None,
    types: TypesOption = None,
    pairs: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Pairs to score: two node names per line, as in an edge list.")
    ] = None,
    triples: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Triples to score: a head, a relation and a tail per line.")
    ] = None,
    top_k: Annotated[
        int | None,
        typer.Option(metavar="K", help=f"Number of missing links or facts to find; {_TOP_K} if a part is given."),
    ] = None,
    per_node: Annotated[
        int | None, typer.Option(metavar="K", help="Number of missing links to find for every node.")
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(
            metavar="SIDE",
            help="With --per-node: left or right, the nodes of one side of a bipartite graph, or the sources or the "
            "targets of a directed one.",
        ),
    ] = None,
    node: Annotated[
        str | None, typer.Option("--for", metavar="NODE", help="Find links of one node, or facts on either side of it.")
    ] = None,
    head: Annotated[str | None, typer.Option(metavar="NODE", help="Find facts with this head.")] = None,
    relation: Annotated[str | None, typer.Option(metavar="REL", help="Find facts with this relation.")] = None,
    tail: Annotated[str | None, typer.Option(metavar="NODE", help="Find facts with this tail.")] = None,
    relations_of: Annotated[
        tuple[str, str] | None, typer.Option(metavar="A B", help="Find relations from A to B and from B to A.")
    ] = None,
    candidates: Annotated[
        str,
        typer.Option(
            metavar="C",
            help="Which nodes to pair: all; hops:3 for nodes within three edges; for facts roles, heads and tails that "
            "their relation already has.",
        ),
    ] = "all",
    most: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Stop after about N candidates of hops, those of random nodes."),
    ] = None,
    ranking_method: Annotated[
        str,
        typer.Option(
            "--ranking",
            metavar="R",
            help="How --top-k finds the best of all pairs: exact scores every pair; screened lets a fast imitation of "
            "the model choose the pairs to score, and measures its recall; auto is exact if that takes about ten "
            "seconds at most.",
        ),
    ] = "auto",
    min_score: Annotated[
        float | None,
        typer.Option(
            metavar="S", help="Write every missing link or fact with at least this score, to the folder --out."
        ),
    ] = None,
    min_probability: Annotated[
        float | None, typer.Option(metavar="P", help="The same, for those with at least this probability.")
    ] = None,
    prior: PriorOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="The file to write: Parquet if it ends in .parquet, else CSV. With --min-score or --min-probability a "
            "folder of Parquet files.",
        ),
    ] = None,
    excel_safe: ExcelSafeOption = False,
    engine: EngineOption = None,
    json: JsonOption = None,
) -> None:
    """Rank the missing links or facts of a graph, or score given pairs or triples.

    Writes source, target (or head, relation, tail), score, probability and rank, to a file or to standard output.
    Known links and facts are never among the missing ones, nor is a node paired with itself, unless the graph has facts
    from a node to itself. Ties are broken by index.

    [bold]Examples[/] for links

      linkwl predict airports-model --top-k 20

      linkwl predict airports-model --top-k 5 --for JNU

      linkwl predict my-model --top-k 1000 --candidates hops:2 --out new_links.parquet

      linkwl predict my-model --top-k 1000 --ranking screened --out new_links.csv --json how_found.json

      linkwl predict my-model --min-probability 0.5 --candidates hops:2 --engine processes:4 --out likely_links/

      linkwl predict shop-model --per-node 5 --side left --out items_for_every_user.csv

      linkwl predict my-model --pairs questions.csv --out answers.csv

      linkwl predict my-model --graph next_year.csv --top-k 100

    [bold]Examples[/] for facts

      linkwl predict world-model --head France --relation borders

      linkwl predict world-model --relation capital --tail Paris

      linkwl predict world-model --for Norway --top-k 20

      linkwl predict world-model --relations-of Norway Sweden

      linkwl predict facts-model --top-k 1000 --candidates roles --out new_facts.parquet

      linkwl predict facts-model --triples questions.tsv --out answers.csv

      linkwl predict facts-model --graph other_facts.csv --columns subject,verb,object --top-k 100
    """
    from linkwl.predict import LinkPredictor
    from linkwl.predict.candidates import AllPairs, WithinHops
    from linkwl.predict.question import Question
    from linkwl.predict.ranking import check_ending
    from linkwl.predict.triple_candidates import TriplesOfRoles, TriplesWithinHops

    question = Question(head, relation, tail, node, relations_of)
    given = [option for option, file in (("--pairs", pairs), ("--triples", triples)) if file is not None]
    is_dataset = min_score is not None or min_probability is not None
    is_top = top_k is not None or (bool(question.given) and not is_dataset)
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
    if ranking_method != "auto" and (given or per_node is not None):
        raise InputError("--ranking is how the best of all pairs are found; use it with --top-k.")
    about_features = {"coordinates": coordinates, "missing-features": missing_features.value}
    others = {name: value for name, value in about_features.items() if value not in ("auto", "error")}
    check_options(graph, prior, how, features=features, columns=columns, types=types, **others)
    if is_dataset:
        check_dataset(out, min_score, min_probability, most)
    elif out is not None:
        check_ending(out)
        check_writable(out, graph, features, pair_features, types, pairs, triples)
    if json == "-" and out is None:
        raise InputError("--json - and the ranking would both go to standard output; name a file with --out.")
    check_json_target(json, graph, features, pair_features, types, pairs, triples, out)
    where = open_engine(engine)
    predictor = LinkPredictor.load(folder)
    observed = predictor.observe(
        None
        if graph is None
        else open_graph(
            graph,
            features=features,
            missing_features=missing_features.value,
            coordinates=coordinates,
            reading=like_fitted(with_columns(how, columns), predictor),
            types=types,
        ),
        pair_features=pair_features,
    )
    if is_dataset:
        assert out is not None
        with progress_bar() as bar:
            written = predictor.write_scores(
                out,
                min_score=min_score,
                min_probability=min_probability,
                question=question,
                candidates=candidates,
                graph=observed,
                prior=prior,
                engine=where,
                on_progress=_progress(bar, observed, question.candidates(observed, candidates), candidates),
            )
        say_share(predictor, predictor.prior_for(observed, prior))
        say(f"{written.num_rows:,} of {written.num_scored:,} {observed.task} written to {out}, {files_text(written)}")
        return
    if (file := pairs or triples) is not None:
        ranking = _rank_file(predictor, observed, file, "pairs" if pairs is not None else "triples", prior)
    elif per_node is not None:
        with progress_bar() as bar:
            task = bar.add_task(f"ranking missing links of every node of {observed.name}", total=None)
            ranking = predictor.recommend_per_node(
                per_node,
                side=cast("Side | None", side),
                candidates=candidates,
                graph=observed,
                prior=prior,
                engine=where,
                on_progress=lambda done, total: bar.update(task, completed=done, total=total),
            )
    else:
        chosen = question.candidates(observed, candidates, most=most)
        if most is not None:
            say(f"candidates {candidates} of random nodes are ranked until there are {most:,} of them.")
        with progress_bar() as bar:
            ranking = predictor.recommend(
                _TOP_K if top_k is None else top_k,
                for_node=node,
                head=head,
                relation=relation,
                tail=tail,
                relations_of=relations_of,
                candidates=candidates,
                most=most,
                ranking=ranking_method,
                graph=observed,
                prior=prior,
                engine=where,
                on_choice=lambda search: say(str(search)) if isinstance(chosen, AllPairs) else None,
                on_progress=_progress(bar, observed, chosen, candidates),
            )
        if ranking.search is not None and ranking.search.screening is not None:
            say(str(ranking.search.screening))
        if isinstance(chosen, WithinHops | TriplesWithinHops | TriplesOfRoles):
            say(
                f"{chosen.share_of_links():.0%} of the existing {FACT_WORD[observed.task]}s would be among the "
                f"candidates {candidates} if they were missing."
            )
    share = predictor.prior_for(observed, prior)
    say_share(predictor, share)
    write_json(json, _facts(predictor, observed, ranking, share))
    if out is not None:
        ranking.save(out, excel_safe=excel_safe)
        say(f"{len(ranking):,} {observed.task} written to {out}")
        console.print(ranking_table(ranking))
    else:
        _print_csv(ranking, excel_safe)


def _facts(predictor: LinkPredictor, observed: Observed, ranking: Ranking, prior: float) -> dict[str, Any]:
    """What a ranking is of and how it was found, for JSON."""
    found = {} if ranking.search is None else {"ranking": ranking.search.to_json()}
    graph = {"graph": asdict(observed.record), "model": predictor.model_.id, "prior": prior}
    return graph | {observed.task: len(ranking)} | found


def check_dataset(out: Path | None, min_score: float | None, min_probability: float | None, most: int | None) -> None:
    """Raises InputError or OutputError if options of a dataset are wrong for any model, before one is read."""
    from linkwl.predict.dataset_out import Threshold, check_new_folder

    Threshold(min_score, min_probability)
    if most is not None:
        raise InputError("--most takes some of the candidates, and all above the threshold are written; give one.")
    if out is None:
        raise InputError("--min-score and --min-probability write a folder of Parquet files; name it with --out.")
    check_new_folder(out)


def files_text(written: Written) -> str:
    """The number of files, in words."""
    return "1 file" if written.num_files == 1 else f"{written.num_files:,} files"


def _print_csv(ranking: Ranking, excel_safe: bool) -> None:
    """Writes CSV to standard output; on a terminal, control characters in names are spelled out."""
    if not sys.stdout.isatty():
        ranking.write_csv(sys.stdout.buffer, excel_safe=excel_safe)
        return
    stream = BytesIO()
    ranking.write_csv(stream, excel_safe=excel_safe)
    sys.stdout.write(printable(stream.getvalue().decode()))


def _rank_file(predictor: LinkPredictor, observed: Observed, file: Path, kind: Task, prior: float | None) -> Ranking:
    """The scores of the pairs or triples in a file."""
    from linkwl.graph import KnowledgeGraph
    from linkwl.graph.readers.pairs import read_pairs
    from linkwl.graph.readers.triples import read_triples

    if observed.task != kind:
        raise InputError(
            f"--{kind} {file}: {observed.name} is a graph of {observed.task}; give them with --{observed.task}."
        )
    queries = read_triples(file, observed) if isinstance(observed, KnowledgeGraph) else read_pairs(file, observed.ids)
    if count := int(observed.contains(queries).sum()):
        are, known = ("are already linked", "links") if kind == "pairs" else ("are already known", "facts")
        say(f"{count:,} of the {len(queries):,} {kind} {are}; the {known} influence their scores.")
    try:
        return predictor.rank_indices(queries, graph=observed, prior=prior)
    except InputError as error:
        raise InputError(error.problem, path=file) from error


def check_options(graph: str | None, prior: float | None, how: Reading, **of_graph: object) -> None:
    """Raises InputError if the prior is out of range, or options of another graph are given without one."""
    for name, value in (of_graph | how.given).items():
        if value is not None and graph is None:
            raise InputError(f"--{name.replace('_', '-')} is about another graph; name that graph with --graph.")
    if prior is not None and not 0 < prior < 1:
        raise InputError(f"--prior {prior}: a share lies between 0 and 1.")


def say_share(predictor: LinkPredictor, prior: float) -> None:
    """Prints the prior that the probabilities assume, and whether they are informative."""
    from linkwl.models.calibration import flat_text, share_text

    task = predictor.graph_.task
    say(
        f"probabilities assume that the share of {FACT_WORD[task]}s among such {task} is {share_text(prior)}; "
        "change it with --prior."
    )
    if predictor.calibration_.is_flat:
        say(flat_text(task))


def _progress(bar: Progress, observed: Observed, chosen: Candidates, text: str) -> Callable[[int, int], None]:
    """A function that updates the bar; it warns once if the work will take long."""
    start, has_warned = time.monotonic(), False
    task = bar.add_task(f"ranking missing {FACT_WORD[observed.task]}s of {observed.name}", total=None)

    def show(done: int, total: int) -> None:
        nonlocal has_warned
        bar.update(task, completed=done, total=total)
        seconds = (time.monotonic() - start) * total / max(done, 1)
        if not has_warned and chosen.most is None and seconds > _LONG_SECONDS:
            has_warned = True
            if chosen.num_queries is None:
                what, remedy = f"the candidates {text}", "--most N stops after about N of them"
            else:
                what = f"all {chosen.num_queries:,} {observed.task}"
                remedy = "--candidates hops:3 scores only nodes within three edges of each other"
                if observed.task == "triples":
                    remedy = "--candidates roles scores only heads and tails that their relation already has"
            minutes = max(1, round(seconds / 60))
            say(f"scoring {what} will take about {minutes:,} minute{'s' if minutes > 1 else ''}; {remedy}.")

    return show


def ranking_table(ranking: Ranking) -> Table:
    """The first rows, for a terminal."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("rank", *ranking.columns, "score", "probability"):
        is_name = heading in ranking.columns
        table.add_column(heading, justify="left" if is_name else "right", overflow="fold" if is_name else "ellipsis")
    for row in ranking.head(_ROWS_SHOWN):
        names = (escape(printable(str(name), lines=False)) for name in row[: len(ranking.columns)])
        table.add_row(str(row.rank), *names, f"{row.score:.4g}", f"{row.probability:.4g}")
    return table
