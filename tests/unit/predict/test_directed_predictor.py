"""A directed graph from fitting to the ranked list: the directions stay."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from linkwl import InputError, LinkPredictor, LinkwlWarning, load_graph
from linkwl.datasets import load_airports

QUICK = {"gates": "off", "steps": 3, "readout": {"members": 2}, "training": {"max_steps": 20}}


def papers(seed=0):
    """Later papers cite earlier ones."""
    pairs = np.sort(np.random.default_rng(seed).integers(0, 60, (300, 2)), axis=1)
    return [(f"paper {p}", f"paper {q}") for q, p in pairs.tolist() if p != q]


@pytest.fixture(scope="module")
def graph():
    return load_graph(papers(), directed=True, name="papers")


@pytest.fixture(scope="module", params=["walk-2fwl", "pa"])
def fitted(request, graph):
    return LinkPredictor(request.param, settings=QUICK if request.param == "walk-2fwl" else None).fit(graph)


def test_directions_stay(fitted, graph, tmp_path):
    assert fitted.graph_ is graph
    assert fitted.record_.protocol["pairs"] == "ordered"
    assert fitted.calibration_.prior == graph.num_edges / (60 * 59)
    there, back = fitted.decision_function([("paper 50", "paper 3"), ("paper 3", "paper 50")])
    assert there > back
    fitted.save(tmp_path / "m")
    loaded = LinkPredictor.load(tmp_path / "m")
    assert loaded.decision_function([("paper 50", "paper 3")]) == there
    assert loaded.directed is True


def test_a_ranking_tells_which_way(fitted, graph):
    pairs = [(link.source, link.target) for link in fitted.recommend(60 * 59)]
    assert len(pairs) == len(set(pairs)) == graph.num_non_edges
    assert not set(pairs) & set(papers())
    both_ways = {
        (link.source == "paper 20", link.target == "paper 20") for link in fitted.recommend(200, for_node="paper 20")
    }
    assert both_ways == {(True, False), (False, True)}


def test_another_graph_is_read_with_its_directions(fitted, tmp_path):
    file = tmp_path / "next.csv"
    file.write_text("\n".join(",".join(pair) for pair in papers(seed=1)))
    observed = fitted.observe(file)
    assert observed.is_directed
    assert len(fitted.rank([("paper 50", "paper 3")], graph=file)) == 1
    with pytest.raises(InputError, match="an undirected graph has no directions to keep"):
        fitted.observe(load_airports())


def test_a_model_of_undirected_links_reads_directed_ones_without_directions(graph):
    undirected = LinkPredictor("cn").fit(load_airports())
    assert undirected.directed is None
    with pytest.warns(LinkwlWarning, match="papers: the directions of the edges are dropped, because cn was trained"):
        assert undirected.observe(graph) is graph.links


def test_a_model_that_reads_no_directions_scores_both_alike(graph):
    with pytest.warns(LinkwlWarning, match="papers: mf reads no directions: a pair has the same score both ways"):
        blind = LinkPredictor("mf").fit(graph)
    assert blind.graph_ is graph
    there, back = blind.decision_function([("paper 50", "paper 3"), ("paper 3", "paper 50")])
    assert there == back
    assert len(blind.recommend(5)) == 5
    assert blind.explain(("paper 50", "paper 3")).score == there


def test_networkx_says_itself_whether_it_is_directed():
    fitted = LinkPredictor("ra").fit(nx.gn_graph(60, seed=0))
    assert fitted.graph_.is_directed
