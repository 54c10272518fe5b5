from __future__ import annotations

import numpy as np
import pytest

from linkwl import create_model
from linkwl.metrics import TargetScores, auc, hits_at_k, mean_reciprocal_rank
from linkwl.predict.held_out_figures import (
    hard_negatives,
    known_to_test,
    measure_held_out,
    score_held_out,
    shown_cuts,
)
from linkwl.protocols import PAPER, protocol_for
from linkwl.training.evaluate import fold_scores


def test_figures_are_those_of_the_metrics(predictor, summary):
    split = PAPER.apply(predictor.graph_, 0)
    hard = hard_negatives(predictor.graph_, split, 0)
    for name, model in (("local-2wl", predictor.model_), ("ra", create_model("ra"))):
        scores, of_hard = score_held_out(model, split, hard)
        found = summary.figures[name]
        positive, negative = np.split(fold_scores(model, split.test), 2)
        assert found.auc.value == auc(positive, negative)
        assert {k: hits.value for k, hits in found.hits.items()} == {
            k: hits_at_k(positive, negative, k) for k in (1, 10)
        }
        assert found.mrr == mean_reciprocal_rank(positive, negative)
        assert found.hard_auc.value == auc(positive, of_hard)
        assert found.auc.low < found.auc.value < found.auc.high
        assert found.hard_auc.low < found.hard_auc.value < found.hard_auc.high
        assert found == measure_held_out(scores, of_hard)


def test_every_model_meets_the_same_hard_negatives(predictor):
    split = PAPER.apply(predictor.graph_, 0)
    once, again = (hard_negatives(predictor.graph_, split, 0) for _ in range(2))
    assert once.tolist() == again.tolist()
    assert len(once) == len(split.test.positives)
    assert not predictor.graph_.contains(once).any()


def test_hard_negatives_are_harder_for_counts_of_neighbours(summary):
    assert summary.figures["cn"].hard_auc.value < summary.figures["cn"].auc.value


def test_hard_facts_differ_in_the_tail_alone(fact_predictor):
    graph = fact_predictor.graph_
    split = protocol_for(graph).apply(graph, 0)
    hard = hard_negatives(graph, split, 0)
    observed, hidden = split.test.observed, split.test.positives
    assert len(hard) > 20
    assert not known_to_test(graph, split).contains(hard).any()
    starts = {(h, r) for h, r, _ in hidden.tolist()}
    roles = {(r, t) for _, r, t in observed.triples.tolist()}
    assert all((h, r) in starts for h, r, _ in hard.tolist())
    assert np.mean([(r, t) in roles for _, r, t in hard.tolist()]) == 1


@pytest.mark.parametrize(
    ("num_negatives", "cuts"), [(1, [1]), (8, [1]), (30, [1]), (301, [1, 10]), (600, [10, 50]), (5000, [50, 100])]
)
def test_chance_reaches_no_cut_often(num_negatives, cuts):
    assert shown_cuts(TargetScores(np.zeros(3), np.zeros(num_negatives))) == cuts


def test_cuts_fit_the_shortest_list_or_pool():
    scores = TargetScores(np.zeros(2), np.zeros(700), lists=np.array([0, 20, 700]))
    assert shown_cuts(scores) == [1]
    assert shown_cuts(TargetScores(np.zeros(2), np.zeros(700), pools=np.array([0, 350, 700]))) == [1, 10]


def test_too_few_hard_negatives_give_no_figure(predictor):
    split = PAPER.apply(predictor.graph_, 0)
    _, hard = score_held_out(predictor.model_, split, hard_negatives(predictor.graph_, split, 0)[:4])
    assert hard is None
