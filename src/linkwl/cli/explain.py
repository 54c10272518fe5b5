"""``linkwl explain``: explain the score of a pair or triple."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkwl.cli.console import QuietOption, check_json_target, say, write_json
from linkwl.cli.graph_argument import ColumnsOption, JsonOption, like_fitted, open_graph, with_columns
from linkwl.cli.predict_options import FolderArgument, GraphOption, PriorOption, check_options
from linkwl.cli.predict_output import say_share
from linkwl.cli.progress import progress_bar
from linkwl.cli.reading_options import reads_graph
from linkwl.errors import InputError
from linkwl.files import check_model_exists, check_writable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from linkwl.cli.feature_options import Known
    from linkwl.graph import Observed
    from linkwl.graph.reading import Reading
    from linkwl.predict import Explanation


@reads_graph(other_features=True)
def explain(
    folder: FolderArgument,
    how: Reading,
    known: Known,
    pair: Annotated[
        tuple[str, str] | None, typer.Option("--pair", metavar="A B", help="The two nodes, by name.")
    ] = None,
    triple: Annotated[
        tuple[str, str, str] | None,
        typer.Option("--triple", metavar="H R T", help="Head, relation and tail, by name, of a knowledge graph."),
    ] = None,
    graph: GraphOption = None,
    columns: ColumnsOption = None,
    prior: PriorOption = None,
    groups: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Number of groups of evidence, and one more for a kind that would have none; by default 4, or 10 for "
            "sums over neighbours.",
        ),
    ] = None,
    scores: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Number of scores of the model, at most; by default 64, all combinations of six groups."
        ),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the two nodes and the paths between them: PNG or SVG.")
    ] = None,
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> None:
    """Explain the score of a pair or triple: groups of evidence and the contribution of each.

    Shared neighbours, paths, what is known about the two nodes, and their other links are removed in all
    combinations. The contribution of a group is what it adds to the score, averaged over all orders; with a baseline,
    the contributions add up to the score. Up to six groups are exact; of more, a sample of combinations is scored, and
    each contribution has a standard error. An observed link is removed before it is explained. The paths of a triple
    are facts, grouped by the rule that they follow, with how often this rule holds in the graph.

    [bold]Examples[/]

      linkwl explain airports-model --pair JNU WRG

      linkwl explain my-model --pair ann bob --json why.json --picture why.svg

      linkwl explain my-model --pair ann bob --groups 8 --scores 256

      linkwl explain world-model --triple Switzerland "official language" German --picture why.svg
    """
    check_options(graph, prior, how, known, columns)
    check_json_target(json, graph, *known.files)
    if picture is not None:
        if picture.suffix.lower() not in (".png", ".svg"):
            raise InputError(
                f"pictures are PNG or SVG files; end the name in .png or .svg, not {picture.suffix or 'nothing'}.",
                path=picture,
            )
        if json is not None and Path(json).resolve() == picture.resolve():
            raise InputError("--json and --picture name the same file; give two files.")
        check_writable(picture, graph, *known.files)
    query = pair or triple
    if query is None or (pair is not None and triple is not None):
        raise InputError("give either --pair A B, or --triple H R T for a knowledge graph.")
    check_model_exists(folder)

    import numpy as np

    from linkwl.predict import LinkPredictor

    predictor = LinkPredictor.load(folder)
    _check_kind(predictor.graph_, pair is not None)
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
    options: dict[str, Any] = {"groups": groups} | ({} if scores is None else {"budget": scores})
    with progress_bar() as bar:
        task = bar.add_task("removing evidence", total=None)
        explanation = predictor.explain(
            query,
            graph=observed,
            on_progress=lambda done, total: bar.update(task, completed=done, total=total),
            **options,
        )
    share = predictor.prior_for(observed, prior)
    probability = float(predictor.calibration_.probability(np.array([explanation.score]), share)[0])
    say(explanation.to_text(observed))
    say(f"  probability {probability:.4g}")
    say_share(predictor, share)
    if picture is not None:
        from linkwl.reports.report_figures import save_figure

        save_figure(_draw(observed, explanation), picture)
        say(f"wrote the picture to {picture}")
    write_json(json, explanation.to_json(observed) | {"probability": probability})


def _check_kind(graph: Observed, is_pair: bool) -> None:
    """Raises InputError if a pair is asked for in a graph of triples, or a triple in a graph of pairs."""
    if is_pair and graph.task == "triples":
        raise InputError(f"{graph.name} is a graph of triples: explain a fact with --triple H R T instead of --pair.")
    if not is_pair and graph.task == "pairs":
        raise InputError(f"{graph.name} is a graph of pairs: explain a link with --pair A B instead of --triple.")


def _draw(observed: Observed, explanation: Explanation) -> Figure:
    from linkwl.graph import Graph, KnowledgeGraph
    from linkwl.predict.explain_triple import TripleExplanation
    from linkwl.reports.report_figures import neighbourhood
    from linkwl.reports.triple_figure import fact_paths

    if not isinstance(explanation, TripleExplanation):
        assert isinstance(observed, Graph)
        return neighbourhood(observed, explanation)
    assert isinstance(observed, KnowledgeGraph)
    return fact_paths(observed, explanation)
