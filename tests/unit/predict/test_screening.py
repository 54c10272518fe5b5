"""Screened rankings against exact ones."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from graphs import random_rows
from linkwl import Graph, create_model, rank_missing_links
from linkwl.engine import ProcessEngine
from linkwl.predict import screening
from linkwl.predict.screen_recall import ExactRows
from linkwl.predict.screening import Screening, screen_missing_links
from linkwl.predict.search import Best


@pytest.fixture(autouse=True)
def _few_survivors(monkeypatch):
    """A small part of the candidates, so that the screen matters."""
    monkeypatch.setattr(screening, "FEWEST_SURVIVORS", 1500)
    monkeypatch.setattr(screening, "SURVIVORS_PER_LINK", 1)


def clustered(num_nodes: int = 240, *, kind: str = "undirected") -> Graph:
    """Groups of twelve nodes with many edges inside, and some between; every other node is on the other side."""
    generator = np.random.default_rng(0)
    first = generator.integers(num_nodes, size=4 * num_nodes)
    second = (first // 12) * 12 + generator.integers(12, size=len(first))
    pairs = np.concatenate([np.stack([first, second], axis=1), random_rows(num_nodes, num_nodes)])
    if kind == "bipartite":
        pairs = np.sort(pairs[pairs[:, 0] % 2 != pairs[:, 1] % 2], axis=1)
        return Graph.from_pairs(pairs, num_nodes, part=np.arange(num_nodes) % 2)
    return Graph.from_pairs(pairs, num_nodes, is_directed=kind == "directed")


@pytest.mark.parametrize("kind", ["undirected", "directed", "bipartite"])
def test_the_best_are_those_of_an_exact_ranking(kind):
    graph = clustered(kind=kind)
    scorer = create_model("ppr").prepare(graph)
    pairs, scores = rank_missing_links(scorer, graph, 40)
    found = screen_missing_links(scorer, graph, 40)
    assert found.queries.tolist() == pairs.tolist()
    assert np.allclose(found.scores, scores, rtol=1e-12)
    measured = found.screening
    assert measured.num_candidates == graph.num_non_edges > 8 * measured.num_survivors
    assert measured.num_survivors == 1500
    assert measured.recall == 1
    assert measured.num_found == measured.num_expected > 0
    assert measured.num_rows > 2
    assert "recall 1.0000" in str(measured)


def test_bits_do_not_depend_on_threads(monkeypatch):
    graph = clustered()
    scorer = create_model("ra").prepare(graph)
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        monkeypatch.setattr(screening, "_PAIRS_PER_PART", 10_000)
        found.append(screen_missing_links(scorer, graph, 30, seed=5))
    first, second = found
    assert np.array_equal(first.queries, second.queries)
    assert np.array_equal(first.scores, second.scores)
    assert first.screening == second.screening


@pytest.mark.thorough
def test_the_engine_makes_no_difference(monkeypatch):
    monkeypatch.setattr(screening, "_PAIRS_PER_PART", 10_000)
    graph = clustered()
    scorer, progress = create_model("ra").prepare(graph), []
    here = screen_missing_links(scorer, graph, 30)
    there = screen_missing_links(
        scorer, graph, 30, engine=ProcessEngine(2), on_progress=lambda *step: progress.append(step)
    )
    assert np.array_equal(here.queries, there.queries)
    assert np.array_equal(here.scores, there.scores)
    assert here.screening == there.screening
    assert progress == sorted(progress)
    assert progress[-1] == (100, 100)


def test_a_bad_screen_is_noticed_and_its_rows_are_repaired(monkeypatch):
    graph = clustered()
    scorer = create_model("ra").prepare(graph)
    honest = screening.teach

    def wrong(*arguments, **options):
        student = honest(*arguments, **options)
        return replace(student, last_weight=-student.last_weight)

    monkeypatch.setattr(screening, "teach", wrong)
    found = screen_missing_links(scorer, graph, 40)
    assert found.screening.recall < 0.5
    expected, scores = rank_missing_links(scorer, graph, 40)
    best = {tuple(pair) for pair in expected.tolist()}
    assert len(best & {tuple(pair) for pair in found.queries.tolist()}) > 0  # those in the exact rows
    assert (np.diff(found.scores) <= 0).all()
    assert np.array_equal(found.scores, scorer(found.queries))


@pytest.mark.parametrize("pairs", [[(0, 1)], [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)], []])
def test_tiny_graphs(pairs):
    graph = Graph.from_pairs(np.array(pairs, dtype=np.int64).reshape(-1, 2), 4)
    scorer = create_model("cn").prepare(graph)
    found = screen_missing_links(scorer, graph, 10)
    assert found.queries.tolist() == rank_missing_links(scorer, graph, 10)[0].tolist()


def test_a_complete_graph_has_nothing_to_find():
    graph = Graph.from_pairs([(0, 1), (0, 2), (1, 2)], 3)
    found = screen_missing_links(create_model("cn").prepare(graph), graph, 5)
    assert len(found.queries) == 0
    assert found.screening == Screening(0, 0, 0, 0, 0, 0)


def test_at_least_one_link():
    graph = clustered(48)
    with pytest.raises(ValueError, match="`k` must be at least 1, got 0"):
        screen_missing_links(create_model("cn").prepare(graph), graph, 0)


def test_more_links_have_more_survivors(monkeypatch):
    monkeypatch.setattr(screening, "FEWEST_SURVIVORS", 10)
    monkeypatch.setattr(screening, "SURVIVORS_PER_LINK", 7)
    graph = clustered(96)
    rank = partial(screen_missing_links, create_model("ra").prepare(graph), graph)
    assert [rank(k).screening.num_survivors for k in (1, 20)] == [10, 140]


@pytest.mark.parametrize(("is_directed", "num_expected", "num_found"), [(False, 3, 2), (True, 2, 1)])
def test_pairs_of_the_exact_rows_are_counted_and_added(is_directed, num_expected, num_found):
    graph = Graph.from_pairs([(0, 1)], 6, is_directed=is_directed)
    best = Best(np.array([[1, 3], [3, 5], [1, 2]]), np.array([9.0, 8.0, 1.0]))
    rows = ExactRows(np.array([3]), np.array([[3, 4], [3, 5]]), np.array([7.0, 8.0]))
    found = screening._completed(graph, rows, best, 3, Screening(10, 4, 3, 1, 0, 0))
    assert found.queries.tolist() == [[1, 3], [3, 5], [3, 4]]
    assert found.screening == Screening(10, 4, 3, 1, num_expected, num_found)
