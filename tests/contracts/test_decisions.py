"""Every model that learns hears of rejected links; without decisions nothing changes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import linkwl
from facts import random_facts
from fitting import QUICK_WALKS, same_state
from linkwl.models import create_model
from linkwl.models.gradient import GradientModel
from linkwl.models.registry import ROWS, model_ids
from linkwl.protocols import TrainingData, protocol_for
from linkwl.training import Trainer

STEPS = {"training": {"max_steps": 2}}
SMALL = {
    ("walk-2fwl", "pairs"): QUICK_WALKS | STEPS,
    ("node2vec", "pairs"): {"channels": 8, "walks": 2, "length": 10, "parts": 2},
    ("seal-node2vec", "pairs"): {"vectors": {"channels": 8, "walks": 2, "length": 10}} | STEPS,
}
LEARNED = [
    (name, task) for task in ("pairs", "triples") for name in model_ids(task=task) if ROWS[name].family != "heuristic"
]


def training_data(task):
    if task == "pairs":
        edges = np.random.default_rng(0).integers(0, 40, (150, 2, 2)).min(axis=2)
        graph = linkwl.Graph.from_pairs(edges, 40)
    else:
        graph = random_facts(30, 6, 120)
    protocol = protocol_for(graph)
    return TrainingData.of(protocol.apply(graph, seed=0), protocol)


def fitted(name, task, data, **settings):
    own = SMALL.get((name, task))
    if own is None:
        own = STEPS if isinstance(create_model(name, task), GradientModel) else {}
    model = create_model(name, task, **own, **settings)
    model.fit(data, Trainer(0))
    return model


def with_rejected(data):
    """The same data with rejected queries that no held-out fold has, so that nothing else changes."""
    ranks = np.arange(0, data.reserved.num_absent, data.reserved.num_absent // 40)[:30]
    return replace(data, rejected=data.reserved.absent(ranks))


@pytest.mark.parametrize(("name", "task"), LEARNED, ids=[f"{name}-{task}" for name, task in LEARNED])
def test_rejected_queries_reach_training(name, task):
    data = training_data(task)
    assert not same_state(fitted(name, task, data), fitted(name, task, with_rejected(data)))


def test_rejected_queries_reach_training_as_published():
    data, paper = training_data("triples"), {"variant": "paper"}
    with_ = fitted("local-2wl", "triples", with_rejected(data), **paper)
    assert not same_state(fitted("local-2wl", "triples", data, **paper), with_)


def test_scores_of_rejected_links_fall():
    graph = linkwl.load_dataset("airports")
    settings = {"training": {"max_steps": 60}}
    before = linkwl.LinkPredictor("local-2wl", settings=settings).fit(graph)
    best = [(link.source, link.target) for link in before.recommend(30)]
    others = [(link.source, link.target) for link in before.recommend(300)][200:]
    rows = [{"source": source, "target": target, "verdict": "rejected"} for source, target in best]
    after = linkwl.LinkPredictor("local-2wl", settings=settings).fit(graph, decisions=rows)
    falls = [(before.decision_function(pairs) - after.decision_function(pairs)).mean() for pairs in (best, others)]
    assert falls[0] > falls[1]
