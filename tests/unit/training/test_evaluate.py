from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from linkwl import PROTOCOLS, LinkModel, create_model, evaluate_models, evaluate_split
from linkwl.datasets import load_airports

PAPER = PROTOCOLS["paper"]


class Recorder(LinkModel):
    """Gives every pair the same score, and remembers what it was shown."""

    id, title, reference = "recorder", "Recorder", "none"

    def __init__(self):
        super().__init__()
        self.seen = []

    def _score(self, observed, pairs):
        self.seen.append((observed, pairs))
        return np.zeros(len(pairs))

    def describe(self, observed):
        return "always zero"


def test_a_constant_scorer_gets_exactly_one_half():
    run = evaluate_split(Recorder(), PAPER.apply(load_airports(), 0))
    assert run.metrics == {"auc": 0.5, "ap": 0.5}
    assert run.valid == {"auc": 0.5, "ap": 0.5}


def test_a_model_sees_the_observed_graph_of_each_fold_and_its_targets():
    model, split = Recorder(), PAPER.apply(load_airports(), 0)
    evaluate_split(model, split)
    (valid_graph, valid_pairs), (test_graph, test_pairs) = model.seen
    assert valid_graph.digest == split.train.observed.digest
    assert test_graph.num_edges == split.train.observed.num_edges + len(split.valid.positives)
    assert len(valid_pairs) == 300
    assert len(test_pairs) == 602
    assert not test_graph.has_edges(test_pairs).any()


def test_metrics_are_scikit_learns():
    split, model = PAPER.apply(load_airports(), 2), create_model("ra")
    run = evaluate_split(model, split)
    scores = model(split.test.observed, np.concatenate([split.test.positives, split.test.negatives]))
    labels = np.repeat([1, 0], 301)
    assert run.metrics["auc"] == pytest.approx(roc_auc_score(labels, scores), abs=1e-12)
    assert run.metrics["ap"] == pytest.approx(average_precision_score(labels, scores), abs=1e-12)


def test_every_model_meets_the_same_splits():
    told = []
    models = [create_model("cn"), create_model("katz", beta=0.002)]
    result = evaluate_models(load_airports(), models, PAPER, [4, 5], on_run=told.append)
    assert [(run.seed, run.model) for run in result.runs] == [(4, "cn"), (4, "katz"), (5, "cn"), (5, "katz")]
    assert told == list(result.runs)
    assert result.runs[0].split == result.runs[1].split != result.runs[2].split
    assert result.runs[1].config == {"beta": 0.002}
    assert result.protocol["id"] == "paper"
    mean = np.mean([run.metrics["auc"] for run in result.runs if run.model == "cn"])
    assert result.summary["cn"]["auc"]["mean"] == pytest.approx(mean)
