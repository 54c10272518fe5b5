from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from linkwl import Trainer, create_model
from linkwl.datasets import load_airports
from linkwl.models import History
from linkwl.protocols import PAPER, TrainingData


def test_a_formula_has_nothing_to_learn(split):
    history = create_model("ra").fit(TrainingData.of(split, PAPER), Trainer())
    assert history == History()
    assert history.summary == {}


def test_the_trainer_of_a_network_runs_the_loop(toy, split):
    reports, plans = [], []
    trainer = Trainer(seed=5, on_step=reports.append, on_plan=plans.append)
    history = toy(max_steps=6).fit(TrainingData.of(split, PAPER), trainer)
    assert [report.step for report in reports] == list(range(1, 7))
    assert {report.seed for report in reports} == {5}
    assert {report.metric for report in reports} == {"AUC"}
    assert (history.steps, history.metric, len(plans)) == (6, "auc", 1)


def test_to_resume_needs_a_checkpoint():
    with pytest.raises(ValueError, match="`resume` needs `checkpoint`, the file to resume from"):
        Trainer(resume=True)


def test_torch_is_not_imported_for_a_formula():
    code = (
        "import sys, linkwl; from linkwl.protocols import PAPER, TrainingData;"
        "split = PAPER.apply(linkwl.load_dataset('airports'), 0);"
        "linkwl.create_model('cn').fit(TrainingData.of(split, PAPER), linkwl.Trainer());"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_another_metric_selects(toy):
    """The weights that are kept are those that are best by the metric of the protocol."""
    from linkwl.protocols import PROTOCOLS

    hits = PROTOCOLS["hits"]
    split = hits.apply(load_airports(), 0)
    model = toy(max_steps=40, learning_rate=0.1)
    history = model.fit(TrainingData.of(split, hits), Trainer())
    scores = model(split.valid.observed, split.valid.targets.queries)
    assert history.metric == "hits@100"
    assert history.best_valid == max(value for _, value in history.valid)
    assert hits.measure(split.valid.targets, scores)["hits@100"] == pytest.approx(history.best_valid)


def test_many_validation_targets_are_sampled(toy, split, monkeypatch):
    monkeypatch.setattr("linkwl.training.loop.MOST_WATCHED_PAIRS", 20)
    history = toy(max_steps=8).fit(TrainingData.of(split, PAPER), Trainer())
    assert all((100 * value) % 1 < 1e-9 for _, value in history.valid)  # ten links, ten other pairs: whole percents
    assert history.summary["validated_on"] == 20
    again, other = (toy(max_steps=8).fit(TrainingData.of(split, PAPER), Trainer(seed)) for seed in (0, 1))
    assert again.valid == history.valid
    assert other.valid != history.valid


def test_all_targets_of_a_small_graph_are_validated_on(toy, split):
    history = toy(max_steps=4).fit(TrainingData.of(split, PAPER), Trainer())
    assert history.watched == 0
    assert "validated_on" not in history.summary
    targets = split.valid.targets
    model = toy(max_steps=4)
    model.fit(TrainingData.of(split, PAPER), Trainer())
    scores = model(split.valid.observed, targets.queries)
    assert PAPER.measure(targets, scores)["auc"] == pytest.approx(history.best_valid, abs=1e-9)


def test_lists_are_sampled_as_before(toy, monkeypatch):
    """Records of protocols with lists were made with a larger sample, which has to stay the same."""
    from linkwl.protocols import PROTOCOLS

    heart = PROTOCOLS["heart"]
    split = heart.apply(load_airports(), 0)
    monkeypatch.setattr("linkwl.training.loop.MOST_WATCHED_PAIRS", 1)
    monkeypatch.setattr("linkwl.training.loop.MOST_WATCHED", 5010)
    expected = split.valid.targets.sample(5010, np.random.default_rng(0))
    for seed in (0, 1):
        history = toy(max_steps=4).fit(TrainingData.of(split, heart), Trainer(seed))
        assert history.watched == len(expected.queries)
