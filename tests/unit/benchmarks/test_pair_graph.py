"""The plain networks on the explicit graph of pairs compute what ours compute."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import torch

from facts import random_facts
from linkwl.models.triples.published_lines import draw_lines
from pages import ROOT

FACTS = random_facts(60, 5, 150, loops=False)


@pytest.fixture
def pair_graph(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    yield pytest.importorskip("pair_graph")
    sys.modules.pop("pair_graph", None)


@pytest.mark.parametrize("form", ["edges", "rows"])
@pytest.mark.parametrize(("model", "rounds"), [("indigo", 2), ("local-2wl", 1), ("local-2wl", 2)])
def test_both_sides_have_the_same_loss(pair_graph, model, rounds, form):
    lines = draw_lines(
        FACTS.triples[::2], FACTS.triples[1::2], 60, 5, np.random.default_rng(0), loops=model == "indigo"
    )
    settings = {"variant": "paper", "channels": 8, "dropout": 0.0}
    if model == "local-2wl":
        settings["rounds"] = rounds
    ours = pair_graph.Ours(model, lines, FACTS, settings)
    plain = pair_graph.Plain(model, lines, FACTS, settings, form)
    mine, theirs = ours.model.network, plain.network
    with torch.no_grad():
        theirs.inner.weight.copy_(mine.inner.weight.T)
        theirs.bias.copy_(mine.bias if model == "indigo" else mine.branch.bias)
        theirs.outer.weight.copy_(mine.outer.weight)
        (theirs.outer_bias if model == "indigo" else theirs.outer.bias).copy_(mine.outer.bias)
    for _ in range(3):  # the gradients are equal, or the losses would part
        assert ours.epoch() == pytest.approx(plain.epoch(), rel=1e-4)


def test_every_adjacency_is_there(pair_graph):
    pairs = np.array([(0, 1), (0, 2), (1, 1), (3, 4)])
    graph = pair_graph.ExplicitPairGraph(pairs, "edges", symmetric=False)
    assert graph.num_adjacencies == 4
    heard = graph.hear(torch.eye(4))
    expected = [[1 / 5, 2 / 5, 2 / 5, 0], [2 / 3, 1 / 3, 0, 0], [2 / 3, 0, 1 / 3, 0], [0, 0, 0, 1]]
    torch.testing.assert_close(heard, torch.tensor(expected))
