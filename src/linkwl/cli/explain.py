"""``linkwl explain``: why a pair has its score."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from linkwl.cli.console import check_json_target, progress_bar, say, write_json
from linkwl.cli.graph_argument import JsonOption, open_graph
from linkwl.cli.predict import (
    FeaturesOption,
    FolderArgument,
    GraphOption,
    PriorOption,
    check_question,
    say_share,
)
from linkwl.errors import InputError
from linkwl.files import check_writable


def explain(
    folder: FolderArgument,
    pair: Annotated[tuple[str, str], typer.Option("--pair", metavar="A B", help="The two nodes, by name.")],
    graph: GraphOption = None,
    features: FeaturesOption = None,
    prior: PriorOption = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the two nodes and what is between them: PNG or SVG.")
    ] = None,
    json: JsonOption = None,
) -> None:
    """Say why two nodes have their score: the paths between them and what each contributes.

    Short paths, those of two and three edges through nodes with few neighbours, are cut one after the other, and what
    the score falls by is their part of it. The parts add up to the score. An observed link is explained as if it were
    not there.

    [bold]Examples[/]

      linkwl explain airports-model --pair JNU WRG

      linkwl explain my-model --pair ann bob --json why.json --picture why.svg
    """
    from linkwl.predict import LinkPredictor

    check_question(graph, features, prior)
    check_json_target(json, graph, features)
    if picture is not None:
        if picture.suffix.lower() not in (".png", ".svg"):
            raise InputError(
                f"pictures are drawn as PNG or SVG, not {picture.suffix or 'without an ending'}.", path=picture
            )
        if json is not None and Path(json).resolve() == picture.resolve():
            raise InputError("--json and --picture name the same file; give them two.")
        check_writable(picture, graph, features)
    predictor = LinkPredictor.load(folder)
    observed = predictor.graph_ if graph is None else open_graph(graph, features=features).to_undirected()
    with progress_bar() as bar:
        task = bar.add_task("taking paths away", total=None)
        explanation = predictor.explain(
            pair, graph=observed, on_progress=lambda done, total: bar.update(task, completed=done, total=total)
        )
    share = predictor.prior_for(observed, prior)
    probability = float(predictor.calibration_.probability(np.array([explanation.score]), share)[0])
    say(explanation.to_text(observed))
    say(f"  probability {probability:.4g}")
    say_share(predictor, share)
    if picture is not None:
        from linkwl.reports.report_figures import neighbourhood, save_figure

        save_figure(neighbourhood(observed, explanation), picture)
        say(f"drawn in {picture}")
    write_json(json, explanation.to_json(observed) | {"probability": probability})
