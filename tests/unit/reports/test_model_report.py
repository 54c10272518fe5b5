from __future__ import annotations

import base64
import csv
import html
import re
from dataclasses import replace
from html.parser import HTMLParser

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest

from linkwl import LinkPredictor, load_dataset, load_graph
from linkwl.graph.node_ids import NodeIds
from linkwl.predict.summary import summarise
from linkwl.reports import model_report, report_figures
from linkwl.reports.model_report import write_report
from linkwl.reports.report_figures import BLUE, ORANGE, UNCLEAR


@pytest.fixture(scope="module")
def page(summary, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(summary, path)
    return path.read_text(encoding="utf-8")


class Tags(HTMLParser):
    """Opens and closes every tag, and keeps what pages load."""

    def __init__(self):
        super().__init__()
        self.open, self.sources, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "img", "br", "link"):
            self.open.append(tag)
        self.sources += [value for name, value in attrs if name in ("src", "srcset")]
        self.links += [value for name, value in attrs if name == "href"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else(page):
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert len(tags.sources) == 9
    assert all(source.startswith("data:image/svg+xml;base64,") for source in tags.sources)
    assert all(link.startswith(("data:text/csv;base64,", "#")) for link in tags.links)
    assert page.count("<script") == 1
    assert not re.search(r"https?://", re.sub(r'src="[^"]*"', "", page))


def test_its_numbers_are_those_of_the_record(page, predictor, summary):
    test = predictor.record_.test
    for text in (f"{100 * test['auc']:.2f}", f"{test['brier']:.3f}", f"{test['ece']:.3f}", "nothing leaks"):
        assert text in page
    for link in summary.top:
        assert f"{link.score:.3f}" in page
        assert str(link.source) in page


def test_the_figures_of_the_summary_are_shown(page, summary):
    figures = summary.figures["local-2wl"]
    for estimate in (figures.auc, figures.hard_auc, *figures.hits.values()):
        assert f"<b>{100 * estimate.value:.1f} %</b>" in page
        assert f"<span>{100 * estimate.low:.1f}–{100 * estimate.high:.1f} %</span>" in page
    assert f"<b>{figures.mrr:.3f}</b> MRR" in page
    for name in ("pa", "ra", "cn"):
        assert f"{100 * summary.figures[name].hard_auc.value:.2f}<small>" in page
    assert "301 pairs without a link\nthat share a neighbour" in page


def test_the_download_is_the_ranking(page, summary):
    address = re.search(r'href="data:text/csv;base64,([^"]*)" download="missing_links.csv"', page)
    rows = list(csv.DictReader(base64.b64decode(address[1]).decode().splitlines()))
    assert [(row["source"], row["target"]) for row in rows] == [(link.source, link.target) for link in summary.listed]
    assert len(rows) == 100
    assert [float(row["probability"]) for row in rows] == summary.listed.probabilities.tolist()


def test_a_graph_without_hard_negatives_says_so(tmp_path):
    matching = [(2 * k, 2 * k + 1) for k in range(40)]
    write_report(summarise(LinkPredictor("pa").fit(load_graph(matching))), tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "Too few pairs without a link share a neighbour" in page
    assert "hard %" not in page


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


def lines(figure):
    """The colours of the thick lines of a picture, without the dashed one."""
    return [line.get_color() for line in figure.axes[0].lines][:-1]


@pytest.mark.parametrize(
    ("contribution", "drop", "colour"),
    [(2.0, 1.0, ORANGE), (-2.0, -1.0, BLUE), (2.0, -1.0, UNCLEAR), (-4.5, 3.0, UNCLEAR)],
)
def test_a_group_is_never_coloured_against_its_removal(contribution, drop, colour):
    graph = load_graph(np.array([(0, 1), (1, 2), (2, 3)]))
    found = LinkPredictor("ra").fit(nx.karate_club_graph()).explain((0, 2), graph=graph)
    part = replace(found.parts[0], contribution=contribution, drop=drop)
    assert set(lines(report_figures.neighbourhood(graph, replace(found, parts=(part,))))) == {colour}


def test_a_pair_without_paths_is_drawn_as_well():
    graph = load_graph(np.array([(0, 1), (2, 3)]))
    explanation = LinkPredictor("pa").fit(nx.karate_club_graph()).explain((0, 2), graph=graph)
    assert report_figures.image(report_figures.neighbourhood(graph, explanation)).startswith("data:")


@pytest.fixture(scope="module")
def fact_page(fact_summary, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(fact_summary, path)
    return path.read_text(encoding="utf-8")


def test_a_page_of_facts_is_whole_and_needs_nothing_else(fact_page, fact_summary):
    tags = Tags()
    tags.feed(fact_page)
    assert tags.open == []
    assert len(tags.sources) == 6 + len(fact_summary.explanations)
    assert all(source.startswith("data:image/svg+xml;base64,") for source in tags.sources)
    assert fact_page.count("<script") == 1


def test_a_page_of_facts_says_what_was_found(fact_page, fact_summary, fact_predictor):
    graph, page = fact_predictor.graph_, html.unescape(fact_page)
    test = fact_predictor.record_.test
    for text in (f"{100 * test['auc']:.2f}", f"{100 * test['acc']:.2f}", f"{test['ece']:.3f}", "nothing leaks"):
        assert text in page
    for fact in fact_summary.top:
        assert f"{fact.score:.3f}" in page
    for rule in fact_summary.triples.rules:
        assert rule.to_text(graph) in page
    for explanation in fact_summary.explanations:
        assert explanation.parts
        for part in explanation.parts:
            assert explanation.group_text(graph, part.group) in page
            assert f"{part.contribution:+.3f}" in page
        for evidence in explanation.roles:
            assert evidence.to_text(graph) in page
    for row in fact_summary.triples.relations:
        assert f"<td>{graph.relations[row.relation]}</td>" in page
    assert "child of and parent of: 100 % of 240 and" in page
    assert "sibling of: 100 % of" in page
    for found in fact_summary.triples.tests:
        assert f"{100 * found.found:.0f} %" in page


def test_a_page_of_facts_tells_what_was_read(tmp_path, fact_summary):
    graph = fact_summary.graph
    assert graph.intake is not None
    write_report(fact_summary, tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert f"{graph.intake.rows:,} rows of triples" in page
    assert "4: sibling of 360, child of 240, parent of 240, married to 60" in page


def test_names_cannot_break_a_page_of_facts(tmp_path, fact_predictor, fact_summary):
    renamed = replace(fact_summary.graph, relations=NodeIds(pa.array([f"<b>{k}" for k in range(4)]), kind="relation"))
    ranking = replace(fact_summary.top, columns=renamed.query_columns)
    triples = replace(fact_summary.triples, best=ranking)
    write_report(replace(fact_summary, graph=renamed, top=ranking, triples=triples), tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "<b>3" not in page
    assert "&lt;b&gt;3" in page


def test_a_page_of_facts_says_what_was_ranked(tmp_path, fact_page, fact_summary):
    assert f"All {fact_summary.graph.num_absent:,} triples that are not facts were scored." in fact_page
    write_report(replace(fact_summary, is_whole=False), tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    number = fact_summary.triples.num_ranked
    assert f"Scored were {number:,} of the {number:,} triples" in page
    triples = replace(fact_summary.triples, num_ranked=7)
    write_report(replace(fact_summary, is_whole=False, triples=triples), tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert f"Scored were a random sample of 7 of the {number:,} triples" in page


def test_of_many_relations_the_first_are_listed(tmp_path, fact_summary, monkeypatch):
    monkeypatch.setattr(model_report, "_MOST_RELATIONS", 2)
    write_report(fact_summary, tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "The 2 relations with the most facts, of 4." in page
    assert '<td>married to</td><td class="number">60</td>' not in page


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        (load_graph([("a", "b"), ("b", "c")]), ""),
        (load_graph([("a", "b"), ("b", "c")], directed=True), ", directed"),
        (load_graph([("a", "x"), ("b", "x")], bipartite=True), ", two sides"),
        (load_graph(np.array([(0, 1), (1, 2)]), features=np.eye(3)), ", 3 features for each node"),
        (load_dataset("airports"), ", places"),
    ],
)
def test_the_first_line_says_what_kind_of_graph_it_is(graph, words):
    assert model_report._kind(graph) == words


def test_second_values_are_named(fact_page):
    assert "In the data each head has one tail under married to; each tail has one head under married to." in fact_page
    assert "linkwl predict --second-values keep ranks them" in fact_page
