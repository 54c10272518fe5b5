from __future__ import annotations

import re
from html.parser import HTMLParser

import networkx as nx
import numpy as np
import pytest

from linkwl import LinkPredictor, create_model, load_graph
from linkwl.datasets import load_airports
from linkwl.reports import model_report, report_figures
from linkwl.reports.model_report import make_report, write_report
from linkwl.splits import PAPER
from linkwl.training import evaluate_split


@pytest.fixture(scope="module")
def predictor():
    return LinkPredictor("local-2wl", settings={"training": {"max_steps": 12}}).fit(load_airports())


@pytest.fixture(scope="module")
def report(predictor):
    return make_report(predictor)


@pytest.fixture(scope="module")
def page(report, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(report, path)
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


def test_its_numbers_are_those_of_the_record(page, predictor, report):
    test = predictor.record_.test
    for text in (f"{100 * test['auc']:.2f}", f"{test['brier']:.3f}", f"{test['ece']:.3f}", "nothing leaks"):
        assert text in page
    for link in report.top:
        assert f"{link.score:.3f}" in page
        assert str(link.source) in page


def test_heuristics_are_measured_on_the_same_split(report, predictor):
    split = PAPER.apply(predictor.graph_, 0)
    assert {run.split for run in report.heuristics} == {predictor.record_.split}
    runs = {run.model: run for run in report.heuristics}
    assert len(runs) == 8
    assert runs["ra"].metrics == evaluate_split(create_model("ra"), split).metrics
    valid = [run.valid["auc"] for run in report.heuristics]
    assert valid == sorted(valid, reverse=True)


def test_what_is_explained_comes_first(report):
    pairs = [tuple(map(int, pair)) for pair in report.top.pairs[:3]]
    assert [explanation.pair for explanation in report.explanations] == pairs


def test_on_a_large_graph_near_pairs_are_ranked_and_local_heuristics_compared(predictor, monkeypatch, tmp_path):
    monkeypatch.setattr(model_report, "LARGEST_RANKED", 10)
    monkeypatch.setattr(model_report, "LARGEST_SOLVED", 10)
    report = make_report(predictor)
    assert not report.is_whole
    assert {run.model for run in report.heuristics} == {"cn", "aa", "ra", "pa", "jaccard"}
    write_report(report, tmp_path / "report.html")
    assert "those that two edges join were scored" in (tmp_path / "report.html").read_text()


def test_names_cannot_break_the_page(tmp_path):
    edges = [(f"<b>{p}", f"<b>{q}") for p, q in nx.karate_club_graph().edges]
    write_report(make_report(LinkPredictor("ra").fit(load_graph(edges))), tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "<b>3" not in page
    assert "&lt;b&gt;" in page


def test_pictures_are_the_same_every_time(report, predictor):
    graph, explanation = predictor.graph_, report.explanations[0]
    once, again = (report_figures.image(report_figures.neighbourhood(graph, explanation)) for _ in range(2))
    assert once == again


def test_a_pair_without_paths_is_drawn_as_well():
    graph = load_graph(np.array([(0, 1), (2, 3)]))
    explanation = LinkPredictor("pa").fit(nx.karate_club_graph()).explain((0, 2), graph=graph)
    assert report_figures.image(report_figures.neighbourhood(graph, explanation)).startswith("data:")
