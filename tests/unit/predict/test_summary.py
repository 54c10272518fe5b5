from __future__ import annotations

import networkx as nx

from linkwl import LinkPredictor, create_model, load_graph
from linkwl.predict import summary as summary_module
from linkwl.predict.summary import summarise
from linkwl.protocols import PAPER
from linkwl.training import evaluate_split


def test_heuristics_are_measured_on_the_same_split(summary, predictor):
    split = PAPER.apply(predictor.graph_, 0)
    assert {run.split for run in summary.heuristics} == {predictor.record_.split}
    runs = {run.model: run for run in summary.heuristics}
    assert len(runs) == 8
    assert runs["ra"].metrics == evaluate_split(create_model("ra"), split, PAPER).metrics
    valid = [run.valid["auc"] for run in summary.heuristics]
    assert valid == sorted(valid, reverse=True)


def test_what_is_explained_comes_first(summary):
    pairs = [tuple(map(int, pair)) for pair in summary.top.queries[:3]]
    assert [explanation.pair for explanation in summary.explanations] == pairs


def test_on_a_large_graph_near_pairs_are_ranked_and_local_heuristics_compared(predictor, monkeypatch):
    monkeypatch.setattr(summary_module, "LARGEST_RANKED", 10)
    monkeypatch.setattr(summary_module, "LARGEST_SOLVED", 10)
    summary = summarise(predictor)
    assert not summary.is_whole
    assert {run.model for run in summary.heuristics} == {"cn", "aa", "ra", "pa", "jaccard"}


def test_a_heuristic_that_refuses_the_graph_is_left_out():
    graph = load_graph(list(nx.davis_southern_women_graph().edges), bipartite=True)
    summary = summarise(LinkPredictor("ra").fit(graph))
    assert "simrank" not in summary.figures
    assert {run.model for run in summary.heuristics} == set(summary.figures) >= {"ra", "katz"}
    assert (graph.part[summary.top.queries[:, 0]] != graph.part[summary.top.queries[:, 1]]).all()
