"""``linkwl predict``: rank the missing links or facts, or score given pairs or triples."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from linkwl.cli.console import ExcelSafeOption, QuietOption, check_json_target, say, write_json
from linkwl.cli.engine_option import EngineOption, open_engine
from linkwl.cli.graph_argument import ColumnsOption, like_fitted, open_graph, with_columns
from linkwl.cli.predict_options import (
    FolderArgument,
    GraphOption,
    PriorOption,
    check_dataset,
    check_options,
    check_request,
)
from linkwl.cli.predict_output import (
    dataset_json,
    files_text,
    hub_text,
    print_ranking,
    ranking_json,
    ranking_progress,
    say_second_values,
    say_share,
    share_text_of,
)
from linkwl.cli.progress import progress_bar
from linkwl.cli.reading_options import reads_graph
from linkwl.errors import InputError
from linkwl.files import check_model_exists, check_writable

if TYPE_CHECKING:
    from linkwl.cli.feature_options import Known
    from linkwl.graph import Observed
    from linkwl.graph.reading import Reading
    from linkwl.predict import LinkPredictor, Ranking
    from linkwl.predict.per_node import Side
    from linkwl.typing import Task

_TOP_K = 10
"""Number of answers to a question, if it is not given."""


@reads_graph("head", "relation", "tail", other_features=True)
def predict(
    folder: FolderArgument,
    how: Reading,
    known: Known,
    graph: GraphOption = None,
    columns: ColumnsOption = None,
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
        typer.Option(
            metavar="N", min=1, help="With --candidates hops:K: stop after about N candidates, those of random nodes."
        ),
    ] = None,
    ranking_method: Annotated[
        str,
        typer.Option(
            "--ranking",
            metavar="R",
            help="How --top-k finds the best of all pairs: exact scores every pair; screened lets a fast imitation of "
            "the model choose the pairs to score, and measures its recall; auto is exact for heuristics and "
            "for few pairs.",
        ),
    ] = "auto",
    second_values: Annotated[
        str,
        typer.Option(
            metavar="S",
            help="Facts that would give a head a second tail where nearly every head has one, or a tail a second head: "
            "drop leaves them out, keep ranks them, auto leaves them out unless the question is about them.",
        ),
    ] = "auto",
    min_score: Annotated[
        float | None,
        typer.Option(
            metavar="S", help="Write every missing link or fact with at least this score, to the folder --out."
        ),
    ] = None,
    min_probability: Annotated[
        float | None, typer.Option(metavar="P", help="The same, with at least this probability.")
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
    quiet: QuietOption = False,
    json: Annotated[
        str | None,
        typer.Option(
            "--json",
            metavar="FILE",
            help="Write the result and how it was found as JSON; '-' for standard output, instead of CSV.",
        ),
    ] = None,
) -> None:
    """Rank the missing links or facts of a graph, or score given pairs or triples.

    Writes source, target (or head, relation, tail), score, probability and rank, to a file or to standard output: as
    CSV, as Parquet, or as JSON with --json.
    Known links and facts are never among the missing ones, nor is a node paired with itself, unless the graph has facts
    from a node to itself. Ties are broken by index.

    [bold]Examples[/] for links

      linkwl predict airports-model --top-k 20

      linkwl predict airports-model --top-k 5 --for JNU

      linkwl predict my-model --top-k 1000 --candidates hops:2 --out new_links.parquet

      linkwl predict my-model --top-k 1000 --ranking screened --out new_links.csv

      linkwl predict my-model --top-k 20 --json - --quiet | jq '.predictions[].target'

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
    is_dataset = min_score is not None or min_probability is not None
    is_question = any(part is not None for part in (head, relation, tail, node, relations_of))
    check_request(
        files={"--pairs": pairs, "--triples": triples},
        is_top=top_k is not None or (is_question and not is_dataset),
        per_node=per_node,
        side=side,
        is_dataset=is_dataset,
        candidates=candidates,
        most=most,
        ranking=ranking_method,
    )
    check_options(graph, prior, how, known, columns)
    check_json_target(json, graph, *known.files, pairs, triples, out)
    check_model_exists(folder)

    from linkwl.predict import LinkPredictor
    from linkwl.predict.candidates import AllPairs
    from linkwl.predict.question import Question
    from linkwl.predict.ranking import check_ending

    question = Question(head, relation, tail, node, relations_of)
    if is_dataset:
        check_dataset(out, min_score, min_probability, most)
    elif out is not None:
        check_ending(out)
        check_writable(out, graph, *known.files, pairs, triples)
    where = open_engine(engine)
    predictor = LinkPredictor.load(folder)
    observed = predictor.observe(
        None
        if graph is None
        else open_graph(
            graph,
            reading=like_fitted(with_columns(how, columns), predictor),
            known=replace(known, pair_features=None),
        ),
        pair_features=known.pair_features,
    )
    share = predictor.prior_for(observed, prior)
    if is_dataset:
        assert out is not None
        with progress_bar() as bar:
            written = predictor.write_scores(
                out,
                min_score=min_score,
                min_probability=min_probability,
                question=question,
                candidates=candidates,
                second_values=second_values,
                graph=observed,
                prior=prior,
                engine=where,
                on_progress=ranking_progress(bar, observed, question.candidates(observed, candidates), candidates),
            )
        say_share(predictor, share)
        say(f"{written.num_rows:,} of {written.num_scored:,} {observed.task} written to {out}, {files_text(written)}")
        if written.num_left_out and (functional := getattr(observed, "functional", None)):
            say(
                f"{written.num_left_out:,} triples that would be second values were left out: in the data "
                f"{functional.to_text()}. --second-values keep writes them."
            )
        write_json(json, dataset_json(predictor, observed, written, out, share))
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
                second_values=second_values,
                graph=observed,
                prior=prior,
                engine=where,
                on_choice=lambda search: say(str(search)) if isinstance(chosen, AllPairs) else None,
                on_progress=ranking_progress(bar, observed, chosen, candidates),
            )
        if ranking.search is not None and ranking.search.screening is not None:
            say(str(ranking.search.screening))
        if text := share_text_of(chosen, candidates, observed.task):
            say(text)
        if not is_question and (text := hub_text(ranking)):
            say(text)
    say_share(predictor, share)
    write_json(json, ranking_json(predictor, observed, ranking, share))
    if out is not None or json != "-":
        print_ranking(ranking, out, observed.task, excel_safe=excel_safe)
    say_second_values(ranking)


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
