from __future__ import annotations

import signal
from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.metrics import average_precision_score, roc_auc_score

import triple_model
from fitting import fit, same_state, swapped
from linkwl import PROTOCOLS, Graph, LinkModel, LinkwlWarning, create_model, evaluate_models, evaluate_split
from linkwl.datasets import load_airports
from linkwl.metrics import accuracy, best_threshold
from linkwl.models.base import FormulaScorer
from linkwl.protocols import target_scores
from linkwl.records import Evaluation
from linkwl.training.evaluate import decision_threshold, fold_scores, note_weights
from triple_graphs import relatives

PAPER = PROTOCOLS["paper"]


class Recorder(LinkModel):
    """Gives every pair the same score, and remembers what it was shown."""

    id, title, reference = "recorder", "Recorder", "none"

    def __init__(self):
        super().__init__()
        self.seen = []

    def prepare(self, observed):
        def score(pairs):
            self.seen.append((observed, pairs))
            return np.zeros(len(pairs))

        return FormulaScorer(observed, score)

    def describe(self, observed):
        return "always zero"


def test_a_constant_scorer_gets_exactly_one_half():
    run = evaluate_split(Recorder(), PAPER.apply(load_airports(), 0), PAPER)
    assert run.metrics == {"auc": 0.5, "ap": 0.5}
    assert run.valid == {"auc": 0.5, "ap": 0.5}


def test_a_model_sees_the_observed_graph_of_each_fold_and_its_targets():
    model, split = Recorder(), PAPER.apply(load_airports(), 0)
    evaluate_split(model, split, PAPER)
    (valid_graph, valid_pairs), (test_graph, test_pairs) = model.seen
    assert valid_graph.digest == split.train.observed.digest
    assert test_graph.num_edges == split.train.observed.num_edges + len(split.valid.positives)
    assert len(valid_pairs) == 300
    assert len(test_pairs) == 602
    assert not test_graph.has_edges(test_pairs).any()


def test_metrics_are_scikit_learns():
    split, model = PAPER.apply(load_airports(), 2), create_model("ra")
    run = evaluate_split(model, split, PAPER)
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


@pytest.fixture
def result(toy):
    """A learned model and a heuristic on two seeds; what was told on the way."""
    told, steps = [], []
    models = [toy(), create_model("cn")]
    evaluation = evaluate_models(
        load_airports(), models, PAPER, [4, 5], on_run=told.append, on_step=lambda report: steps.append(report)
    )
    return evaluation, models, told, steps


def test_learned_models_are_trained_anew_for_every_seed(result, toy):
    evaluation, models, told, steps = result
    assert [(run.seed, run.model) for run in told] == [(4, "toy"), (4, "cn"), (5, "toy"), (5, "cn")]
    assert [(report.seed, report.step) for report in steps] == [(s, k) for s in (4, 5) for k in range(1, 41)]
    assert models[0].network is None  # clones were trained
    run = evaluation.runs[0]
    split, model = PAPER.apply(load_airports(), 4), toy()
    history = fit(model, split, 4)
    assert run.metrics == evaluate_split(model, split, PAPER).metrics
    assert run.valid["auc"] == history.best_valid
    assert run.training == {
        "best_step": history.best_step,
        "stopped": "max_steps",
        "threads": torch.get_num_threads(),
        "device": "cpu",
    }
    assert run.steps == 40
    assert run.seconds["fit"] > 0
    assert run.config["training"]["max_steps"] == 40


def test_what_needs_no_training_says_so(result):
    run = result[0].runs[1]
    assert (run.model, run.steps, run.training, run.seconds["fit"]) == ("cn", 0, {}, 0.0)


def test_the_record_goes_through_json(result):
    evaluation = result[0]
    assert Evaluation.from_json(evaluation.to_json()).runs == evaluation.runs
    assert evaluation.versions["torch"]


def test_the_test_fold_has_no_part_in_training(toy):
    """Other test targets, drawn among the same reserved pairs, leave the weights as they are."""
    split = PAPER.apply(load_airports(), 0)
    other = replace(split, test=swapped(split.test))
    models = [toy(), toy()]
    for model, part in zip(models, (split, other), strict=True):
        fit(model, part, 0)
    assert same_state(*models)
    first, second = (evaluate_split(model, split, PAPER).metrics["auc"] for model in models)
    assert first == second
    assert evaluate_split(models[0], other, PAPER).metrics["auc"] == pytest.approx(1 - first)


def test_ctrl_c_ends_the_evaluation(toy):
    def interrupt(report):
        if report.step == 3:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        evaluate_models(load_airports(), [toy()], PAPER, [0, 1], on_step=interrupt)


def test_a_trained_model_is_measured_as_it_is(toy):
    split, model = PAPER.apply(load_airports(), 0), toy()
    fit(model, split, 0)
    before = {name: weight.copy() for name, weight in model.state().items()}
    run = evaluate_split(model, split, PAPER)
    assert (run.steps, run.training) == (0, {})
    assert all(np.array_equal(before[name], weight) for name, weight in model.state().items())


def test_the_threshold_of_accuracy_comes_from_validation_unless_scores_are_log_odds():
    protocol = replace(PAPER, metrics=("auc", "acc"))
    split = protocol.apply(load_airports(), 0)
    ra = create_model("ra")
    valid = target_scores(split.valid.targets, fold_scores(ra, split.valid))
    threshold = best_threshold(valid.positive, valid.negative)
    assert decision_threshold(ra, valid) == threshold > 0
    test = target_scores(split.test.targets, fold_scores(ra, split.test))
    run = evaluate_split(ra, split, protocol)
    assert run.metrics["acc"] == accuracy(test.positive, test.negative, threshold)
    assert run.valid["acc"] == accuracy(valid.positive, valid.negative, threshold)
    assert decision_threshold(create_model("walk-2fwl"), valid) == 0.0


def test_a_model_of_triples_is_measured_under_every_protocol_of_triples(monkeypatch):
    triple_model.register(monkeypatch)
    for name in ("indigo", "entities-50", "entities-unseen"):
        protocol = PROTOCOLS[name]
        run = evaluate_models(relatives(), [create_model("toy-triple")], protocol, [0]).runs[0]
        assert set(run.metrics) == set(protocol.metrics)
        assert run.valid[protocol.selection.id] > 0.5 * (name == "indigo")


def test_models_with_and_without_directions_meet_the_same_ordered_pairs():
    directed = Graph.from_pairs(np.random.default_rng(0).integers(0, 40, (250, 2)), 40, is_directed=True, name="d")
    models = [create_model(name) for name in ("mf", "pa", "logistic")]
    with pytest.warns(
        LinkwlWarning, match="d: mf and logistic read no directions: a pair has the same score both ways"
    ):
        result = evaluate_models(directed, models, PAPER, [0])
    assert result.protocol["pairs"] == "ordered"
    assert len({run.split for run in result.runs}) == 1
    recorder = Recorder()
    split = PAPER.apply(directed, 0)
    evaluate_split(recorder, split, PAPER)
    observed, pairs = recorder.seen[-1]
    assert observed is split.test.observed.links
    assert np.array_equal(pairs, split.test.targets.queries)


def test_models_that_read_no_weights_are_named():
    graph = Graph.from_pairs([(0, 1), (1, 2)], 3, weight=np.array([1.0, 2.0]), name="calls")
    blind, reading = create_model("gcn"), create_model("cn")
    with pytest.warns(LinkwlWarning, match="calls: gcn reads no weights: all edges count the same"):
        note_weights([blind, reading], graph)
    note_weights([reading], graph)  # a warning would be an error
    note_weights([blind], graph.unweighted())
