"""When a ranking is screened."""

from __future__ import annotations

import math

import numpy as np
import pytest

from graphs import random_rows
from linkwl import Graph, LinkPredictor, create_model, load_dataset
from linkwl.errors import InputError, LinkwlError
from linkwl.models.base import FormulaScorer
from linkwl.predict.method import choose_method
from linkwl.predict.question import Question


def slow_scorer(graph: Graph, quick: float) -> FormulaScorer:
    scorer = create_model("ra").prepare(graph)
    scorer.quick = quick
    return scorer


def test_many_pairs_of_a_slow_model_are_screened():
    graph = Graph.from_pairs(random_rows(50, 90), 50)
    every = Question().candidates(graph)
    found = choose_method("auto", slow_scorer(graph, 100), every)
    assert found.method == "screened"
    assert f"{graph.num_non_edges:,}" in found.reason
    assert choose_method("auto", slow_scorer(graph, 1e4), every).method == "exact"
    assert choose_method("auto", slow_scorer(graph, math.inf), every).method == "exact"
    assert choose_method("exact", slow_scorer(graph, 1), every).method == "exact"
    assert choose_method("screened", slow_scorer(graph, 1e9), every).method == "screened"


def test_other_candidates_are_never_screened():
    graph = Graph.from_pairs(random_rows(50, 90), 50)
    for near in (Question().candidates(graph, "hops:2"), Question(for_node=3).candidates(graph)):
        assert choose_method("auto", slow_scorer(graph, 1), near).method == "exact"
        with pytest.raises(InputError, match="a screened ranking is one of all pairs of a graph"):
            choose_method("screened", slow_scorer(graph, 1), near)


def test_an_unknown_method_is_named():
    graph = Graph.from_pairs(random_rows(50, 90), 50)
    with pytest.raises(LinkwlError, match="unknown ranking 'screend'; did you mean 'screened'"):
        choose_method("screend", slow_scorer(graph, 1), Question().candidates(graph))


def test_a_ranking_says_how_it_was_found():
    predictor = LinkPredictor("ra").fit(load_dataset("airports"))
    chosen = []
    exact = predictor.recommend(20)
    screened = predictor.recommend(20, ranking="screened", on_choice=chosen.append)
    assert exact.search is not None
    assert exact.search.method == "exact"
    assert exact.search.to_json() == {"method": "exact", "reason": exact.search.reason}
    assert screened.search is not None
    assert [search.method for search in chosen] == ["screened"]
    written = screened.search.to_json()
    assert written["recall"] == 1
    assert written["num_candidates"] == written["num_survivors"] == predictor.graph_.num_absent
    assert np.array_equal(screened.queries, exact.queries)
    assert np.array_equal(screened.scores, exact.scores)
    assert "recall 1.0000" in str(screened.search)
    assert predictor.rank([("JNU", "WRG")]).search is None
