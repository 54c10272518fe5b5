from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

from linkwl import Graph, LinkPredictor
from linkwl.cli.predict_output import files_text, hub_text, ranking_json, ranking_table, share_text_of
from linkwl.datasets import load_airports
from linkwl.predict.candidates import AllPairs, WithinHops


@pytest.fixture(scope="module")
def predictor():
    return LinkPredictor("cn").fit(load_airports())


def test_the_first_rows_are_shown(predictor):
    table = ranking_table(predictor.recommend(12))
    assert table.row_count == 10
    console = Console(width=100, file=None, record=True, quiet=False)
    with console.capture() as captured:
        console.print(table)
    assert captured.get().split()[:5] == ["rank", "source", "target", "score", "probability"]


def test_rows_of_json_are_those_of_the_ranking(predictor):
    ranking = predictor.recommend(2)
    found = ranking_json(predictor, predictor.graph_, ranking, 0.25)
    assert (found["prior"], found["pairs"], found["graph"]["name"]) == (0.25, 2, "airports")
    assert [row["rank"] for row in found["predictions"]] == [1, 2]


def test_numbers_of_files_in_words():
    assert files_text(SimpleNamespace(num_files=1)) == "1 file"
    assert files_text(SimpleNamespace(num_files=1200)) == "1,200 files"


def test_candidates_say_what_they_leave_out(predictor):
    graph = predictor.graph_
    assert share_text_of(AllPairs(graph), "all", "pairs") == ""
    assert share_text_of(WithinHops(graph, 2), "hops:2", "pairs") == (
        "94% of the existing links would be among the candidates hops:2 if they were missing."
    )


@pytest.mark.parametrize(("num_of_hub", "says"), [(6, "0 is an end of 6 of the 10 links; --per-node K"), (5, "")])
def test_a_node_in_most_rows_is_named(predictor, num_of_hub, says):
    others = [(2 * k + 1, 2 * k + 2) for k in range(10 - num_of_hub)]
    queries = np.array([*((0, 30 + k) for k in range(num_of_hub)), *others], dtype=np.int32)
    graph = Graph.from_pairs([(0, 1)], 50, is_directed=True)
    ranking = predictor._ranking(graph, queries, np.arange(10.0), 0.1)
    assert hub_text(ranking).startswith(says)
    assert bool(hub_text(ranking)) == bool(says)
    assert hub_text(ranking[:4]) == ""  # of few rows it says nothing
