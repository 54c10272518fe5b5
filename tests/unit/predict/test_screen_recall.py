"""Rows that are scored exactly hold all candidates of their nodes."""

from __future__ import annotations

import numpy as np
import pytest

from graphs import random_rows
from linkwl import Graph, create_model
from linkwl.predict import screen_recall
from linkwl.predict.screen_recall import exact_rows


@pytest.mark.parametrize("is_directed", [False, True])
def test_rows_hold_every_candidate_of_their_nodes(monkeypatch, is_directed):
    monkeypatch.setattr(screen_recall, "FEWEST_PAIRS", 200)
    graph = Graph.from_pairs(random_rows(40, 120), 40, is_directed=is_directed)
    scorer = create_model("cn").prepare(graph)
    rows = exact_rows(scorer, graph, np.array([[3, 9], [3, 7]]), np.random.default_rng(0))
    assert rows.num_rows == len(np.unique(rows.nodes)) >= 3
    assert 3 in rows.nodes
    every = graph.non_edges(np.arange(graph.num_non_edges))
    is_ours = np.isin(every[:, 0], rows.nodes) | (np.isin(every[:, 1], rows.nodes) & (not is_directed))
    assert rows.pairs.tolist() == every[is_ours].tolist()
    assert np.array_equal(rows.scores, scorer(rows.pairs))
