from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import networkx as nx
import numpy as np
import pytest

from linkwl import LinkPredictor, load_graph
from linkwl.predict.summary import summarise
from linkwl.reports import report_figures
from linkwl.reports.model_report import write_report


@pytest.fixture(scope="module")
def page(summary, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(summary, path)
    return path.read_text(encoding="utf-8")


class Tags(HTMLParser):
    """Opens and closes every tag, and keeps what pages load."""

    def __init__(self):
        super().__init__()
        self.open, self.sources = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "img", "br", "link"):
            self.open.append(tag)
        self.sources += [value for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else(page):
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert len(tags.sources) == 6
    assert all(source.startswith("data:image/svg+xml;base64,") for source in tags.sources)
    assert "<script" not in page
    assert not re.search(r"https?://", re.sub(r'src="[^"]*"', "", page))


def test_its_numbers_are_those_of_the_record(page, predictor, summary):
    test = predictor.record_.test
    for text in (f"{100 * test['auc']:.2f}", f"{test['brier']:.3f}", f"{test['ece']:.3f}", "nothing leaks"):
        assert text in page
    for link in summary.top:
        assert f"{link.score:.3f}" in page
        assert str(link.source) in page


def test_a_page_of_near_pairs_says_so(summary, tmp_path):
    write_report(replace(summary, is_whole=False), tmp_path / "report.html")
    assert "Scored were pairs with a common neighbour" in (tmp_path / "report.html").read_text()


def test_names_cannot_break_the_page(tmp_path):
    edges = [(f"<b>{p}", f"<b>{q}") for p, q in nx.karate_club_graph().edges]
    write_report(summarise(LinkPredictor("ra").fit(load_graph(edges))), tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "<b>3" not in page
    assert "&lt;b&gt;" in page


def test_pictures_are_the_same_every_time(summary, predictor):
    graph, explanation = predictor.graph_, summary.explanations[0]
    once, again = (report_figures.image(report_figures.neighbourhood(graph, explanation)) for _ in range(2))
    assert once == again


def test_a_pair_without_paths_is_drawn_as_well():
    graph = load_graph(np.array([(0, 1), (2, 3)]))
    explanation = LinkPredictor("pa").fit(nx.karate_club_graph()).explain((0, 2), graph=graph)
    assert report_figures.image(report_figures.neighbourhood(graph, explanation)).startswith("data:")
