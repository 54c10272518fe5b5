"""The pages that are checked in a browser: a name, and a function that makes the page in a folder and returns its file.

Another page, such as one of a site, is one more line of :data:`PAGES`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest

import triple_model
from linkwl import LinkPredictor, load_graph
from linkwl.datasets import airport_table, load_airports, load_world, place_table
from linkwl.predict.summary import summarise
from linkwl.reports.demo import write_demo
from linkwl.reports.model_report import write_report
from linkwl.reports.study_page import write_study_page
from linkwl.reports.world_demo import write_world_demo
from studies import SPACE, study_of_twelve


def make_report(folder: Path) -> Path:
    """A network that was trained briefly, on a graph of long names without a place to break."""
    edges = [(f"member_{p}_of_the_club_before_it_divided", f"member {q}") for p, q in nx.karate_club_graph().edges]
    predictor = LinkPredictor("local-2wl", settings={"training": {"max_steps": 12}}).fit(load_graph(edges))
    write_report(summarise(predictor), folder / "report.html")
    return folder / "report.html"


def make_demo(folder: Path) -> Path:
    write_demo(summarise(LinkPredictor("pa").fit(load_airports())), airport_table(), folder)
    return folder / "index.html"


def make_world_demo(folder: Path) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        triple_model.register(patch)
        write_world_demo(summarise(LinkPredictor("toy-triple").fit(load_world())), place_table(), folder)
    return folder / "index.html"


def make_study(folder: Path) -> Path:
    write_study_page(study_of_twelve(), SPACE, {"group.share": 0.9, "kind": 0.1}, folder / "study.html")
    return folder / "study.html"


PAGES: dict[str, Callable[[Path], Path]] = {
    "report": make_report,
    "demo": make_demo,
    "world demo": make_world_demo,
    "study": make_study,
}
