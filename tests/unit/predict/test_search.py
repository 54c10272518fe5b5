from __future__ import annotations

import numpy as np
import pytest

from linkwl import Graph, create_model, rank_missing_links
from linkwl.engine import ProcessEngine
from linkwl.predict import candidates
from linkwl.predict.question import Question


def test_the_best_missing_links_of_a_small_graph():
    # 0 and 3 share 1 and 2, as 1 and 2 share 0 and 3; 0 and 4 share 1, as 3 and 4 do.
    graph = Graph.from_pairs([(0, 1), (0, 2), (1, 3), (2, 3), (1, 4)], 6)
    pairs, scores = rank_missing_links(create_model("cn"), graph, 4)
    assert pairs.tolist() == [[0, 3], [1, 2], [0, 4], [3, 4]]
    assert scores.tolist() == [2, 2, 1, 1]


def test_ties_come_in_ascending_order_whatever_the_blocks(monkeypatch):
    graph = Graph.from_pairs(np.random.default_rng(0).integers(0, 40, (80, 2)), 40)
    model = create_model("cn")
    pairs, scores = rank_missing_links(model, graph, 50)
    monkeypatch.setattr(candidates, "BLOCK", 7)
    again, again_scores = rank_missing_links(model, graph, 50)
    assert again.tolist() == pairs.tolist()
    assert again_scores.tolist() == scores.tolist()
    every = graph.non_edges(np.arange(graph.num_non_edges))
    order = sorted(zip(-model(graph, every), every.tolist(), strict=True))
    assert pairs.tolist() == [pair for _, pair in order[:50]]


@pytest.mark.thorough
def test_the_engine_makes_no_difference(monkeypatch):
    graph = Graph.from_pairs(np.random.default_rng(0).integers(0, 40, (80, 2)), 40)
    monkeypatch.setattr(candidates, "BLOCK", 90)
    for text in ("all", "hops:3"):
        chosen, progress = Question().candidates(graph, text), []
        here = rank_missing_links(create_model("ra"), graph, 25, candidates=chosen)
        there = rank_missing_links(
            create_model("ra"),
            graph,
            25,
            candidates=chosen,
            engine=ProcessEngine(2),
            on_progress=lambda done, total, progress=progress: progress.append(done),
        )
        assert [array.tolist() for array in here] == [array.tolist() for array in there]
        assert progress[-1] == chosen.total


def test_enough_is_enough():
    graph = Graph.from_pairs(np.random.default_rng(0).integers(0, 400, (900, 2)), 400)
    some = candidates.WithinHops(graph, 2, most=100)
    progress = []
    found, _ = rank_missing_links(
        create_model("cn"), graph, 10**6, candidates=some, on_progress=lambda *told: progress.append(told)
    )
    everything, _ = rank_missing_links(create_model("cn"), graph, 10**6, candidates=candidates.WithinHops(graph, 2))
    assert 100 <= len(found) < len(everything) / 2
    assert progress[-1] == (400, 400)


def test_asking_for_more_than_there_is_gives_all():
    graph = Graph.from_pairs([(0, 1), (1, 2)], 4)
    assert len(rank_missing_links(create_model("pa"), graph, 100)[0]) == graph.num_non_edges == 4


def test_fewer_than_one_is_refused():
    with pytest.raises(ValueError, match="`k` must be at least 1, got 0"):
        rank_missing_links(create_model("cn"), Graph.from_pairs([(0, 1)], 3), 0)


def test_progress_ends_with_all(monkeypatch):
    monkeypatch.setattr(candidates, "BLOCK", 10)
    graph, seen = Graph.from_pairs([(0, 1), (1, 2)], 9), []
    rank_missing_links(create_model("pa"), graph, 3, on_progress=lambda *told: seen.append(told))
    assert seen == [(10, 34), (20, 34), (30, 34), (34, 34)]
