from __future__ import annotations

import itertools
import signal
from dataclasses import replace

import numpy as np
import pytest
import torch

from fitting import fit, same_state, swapped
from linkwl import InputError
from linkwl.metrics import auc
from toy_model import Toy


def valid(model, split):
    scores = model(split.valid.observed, np.concatenate([split.valid.positives, split.valid.negatives]))
    return auc(*np.split(scores, [len(split.valid.positives)]))


def test_training_lowers_the_loss_and_beats_chance(toy, split):
    history = fit(toy(max_steps=150, dropout=0.0), split)
    assert np.mean(history.losses[-10:]) < 0.9 * np.mean(history.losses[:10])
    assert history.best_valid > 0.8


def test_the_best_weights_are_restored(toy, split):
    model = toy(max_steps=60, learning_rate=0.1)
    history = fit(model, split)
    assert history.best_step < 60  # else there is nothing to restore
    assert valid(model, split) == history.best_valid == max(auc for _, auc in history.valid)


def test_the_last_weights_are_kept_where_asked_for(toy, split):
    model = toy(max_steps=60, learning_rate=0.1, keep="last", patience=1)
    history = fit(model, split)
    assert (history.steps, history.best_step, history.stopped) == (60, 60, "max_steps")
    assert history.best_valid < max(auc for _, auc in history.valid)  # else the best would be the last
    assert valid(model, split) == history.best_valid


def test_looks_come_every_few_steps_and_at_the_end(toy, split):
    history = fit(toy(max_steps=10, evaluate_every=4), split)
    assert [step for step, _ in history.valid] == [4, 8, 10]
    assert (history.steps, history.stopped) == (10, "max_steps")
    assert history.seconds > 0
    assert (history.threads, history.device) == (torch.get_num_threads(), "cpu")


def test_patience_ends_it(toy, split):
    model = toy(max_steps=500, patience=8, learning_rate=1e-12)  # scores hardly move, their order not at all
    history = fit(model, split)
    assert (history.steps, history.stopped, history.best_step) == (12, "patience", 4)
    assert history.summary["stopped"] == "patience"


def test_the_seed_decides_every_bit(toy, split):
    models = [toy() for _ in range(3)]
    histories = [fit(model, split, seed) for model, seed in zip(models, (3, 3, 4), strict=True)]
    assert same_state(models[0], models[1])
    assert not same_state(models[0], models[2])
    assert histories[0].losses == histories[1].losses != histories[2].losses


def test_global_random_states_are_neither_used_nor_changed(toy, split):
    model, other = toy(), toy()
    torch.manual_seed(1)
    np.random.seed(1)  # noqa: NPY002
    before, numpy_before = torch.get_rng_state(), np.random.get_state()[1].copy()  # noqa: NPY002
    fit(model, split)
    assert torch.equal(torch.get_rng_state(), before)
    assert np.array_equal(np.random.get_state()[1], numpy_before)  # noqa: NPY002
    torch.manual_seed(2)
    fit(other, split)
    assert same_state(model, other)


def test_old_weights_make_no_difference(toy, split):
    fresh, used = toy(), toy()
    fit(used, split, seed=9)
    fit(used, split)
    fit(fresh, split)
    assert same_state(fresh, used)


class Spy(Toy):
    """Remembers what it was shown in training."""

    def __init__(self, config):
        super().__init__(config)
        self.seen = []

    def logits(self, observed, pairs):
        if self.trained.training:
            self.seen.append((observed, pairs))
        return super().logits(observed, pairs)


def test_no_target_is_observed_while_it_is_predicted(toy, split):
    spy = Spy(toy().config)
    fit(spy, split)
    assert len(spy.seen) == 40
    held_out = [pairs for fold in (split.valid, split.test) for pairs in (fold.positives, fold.negatives)]
    held_out = {tuple(pair) for pairs in held_out for pair in np.sort(pairs, axis=1).tolist()}
    for observed, pairs in spy.seen:
        assert not observed.has_edges(pairs).any()
        assert not held_out & {tuple(pair) for pair in np.sort(pairs, axis=1).tolist()}


def test_the_labels_of_held_out_pairs_change_no_step(toy, split):
    """A test target may be a link or not, and a validation target too: the losses are the same to the bit."""
    other = replace(split, valid=swapped(split.valid), test=swapped(split.test))
    assert other.reserved.digest == split.reserved.digest
    first, second = fit(toy(), split), fit(toy(), other)
    assert first.losses == second.losses
    assert first.valid != second.valid


def test_the_number_of_steps_may_follow_the_number_of_links(toy, split):
    reports = []
    model = toy(max_steps=1000, links_per_step=10**6, evaluate_every=200, keep="last")
    assert fit(model, split, on_step=reports.append).steps == 400  # the fewest
    assert {report.max_steps for report in reports} == {400}
    assert model.plan(split.train.observed).max_steps == 400


def test_every_step_is_reported(toy, split):
    reports = []
    history = fit(toy(max_steps=9, evaluate_every=4), split, seed=5, on_step=reports.append)
    assert [report.step for report in reports] == list(range(1, 10))
    assert [report.loss for report in reports] == history.losses
    assert {(report.model, report.seed, report.max_steps) for report in reports} == {("toy", 5, 9)}
    assert [report.valid is None for report in reports] == [True] * 3 + [False] * 6
    assert reports[-1].best_valid == history.best_valid


def test_a_loss_that_is_no_number_is_an_error_that_names_the_learning_rate(toy, split):
    class Broken(Toy):
        def logits(self, observed, pairs):
            return super().logits(observed, pairs) / 0.0

    with pytest.raises(InputError, match=r"toy: the loss is nan at step 1 with learning rate 0.05; .*rate=0.005"):
        fit(Broken(toy(learning_rate=0.05).config), split)


def test_a_score_that_is_no_number_is_seen_at_the_last_step(toy, split):
    class Overflowing(Toy):
        def logits(self, observed, pairs):
            factor = 1.0 if self.trained.training else float("inf")
            return super().logits(observed, pairs) * factor

    with pytest.raises(InputError, match=r"toy: a score is not a finite number at step 3 with learning rate 0.01"):
        fit(Overflowing(toy(max_steps=3).config), split)


def interrupting(step):
    def on_step(report):
        if report.step == step:
            signal.raise_signal(signal.SIGINT)

    return on_step


def test_ctrl_c_keeps_the_best_weights(toy, split):
    model = toy(learning_rate=0.1)
    reports = []

    def on_step(report):
        reports.append(report)
        interrupting(22)(report)

    with pytest.raises(KeyboardInterrupt):
        fit(model, split, on_step=on_step)
    assert len(reports) == 22
    assert valid(model, split) == reports[-1].best_valid
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_with_a_checkpoint_is_raised_and_the_run_can_be_resumed(toy, split, tmp_path):
    whole, stopped, resumed = toy(), toy(), toy()
    history = fit(whole, split)
    path = tmp_path / "c.safetensors"
    with pytest.raises(KeyboardInterrupt):
        fit(stopped, split, checkpoint=path, on_step=interrupting(22))
    reports = []
    again = fit(resumed, split, checkpoint=path, resume=True, on_step=reports.append)
    assert reports[0].step == 23
    assert same_state(whole, resumed)
    assert (again.losses, again.valid, again.stopped) == (history.losses, history.valid, "max_steps")


@pytest.mark.parametrize("steps", [1, 3, 4, 5, 16, 39])
def test_a_run_stopped_after_any_step_ends_with_the_same_bits(toy, split, tmp_path, steps):
    """Stopped without warning, before the next checkpoint would be written."""
    whole, stopped, resumed = toy(), toy(), toy()
    history = fit(whole, split)
    path = tmp_path / "c.safetensors"

    def stop(report):
        if report.step == steps + 1:
            raise MemoryError

    with pytest.raises(MemoryError):
        fit(stopped, split, checkpoint=path, checkpoint_seconds=0, on_step=stop)
    torch.manual_seed(steps)
    reports = []
    again = fit(resumed, split, checkpoint=path, resume=True, on_step=reports.append)
    assert [report.step for report in reports] == list(range(steps + 1, 41))
    assert same_state(whole, resumed)
    assert again.losses == history.losses
    assert again.valid == history.valid


def test_a_resumed_run_takes_as_many_threads_as_before(toy, split, tmp_path):
    path, before, used = tmp_path / "c.safetensors", torch.get_num_threads(), []

    def on_threads(count, **options):
        torch.set_num_threads(count)
        try:
            return fit(toy(), split, checkpoint=path, **options)
        finally:
            torch.set_num_threads(before)

    with pytest.raises(KeyboardInterrupt):
        on_threads(3, on_step=interrupting(22))
    again = on_threads(2, resume=True, on_step=lambda _: used.append(torch.get_num_threads()))
    assert set(used) == {3}
    assert again.threads == 3


def test_resuming_a_finished_run_takes_no_step(toy, split, tmp_path):
    whole, again = toy(), toy()
    path = tmp_path / "c.safetensors"
    first = fit(whole, split, checkpoint=path)
    second = fit(again, split, checkpoint=path, resume=True, on_step=lambda _: pytest.fail("a step was taken"))
    assert same_state(whole, again)
    assert first.to_json() == second.to_json()


def test_without_resume_a_checkpoint_is_written_over(toy, split, tmp_path):
    path = tmp_path / "c.safetensors"
    fit(toy(), split, seed=1, checkpoint=path)
    model, other = toy(), toy()
    fit(model, split, seed=0, checkpoint=path)
    fit(other, split)
    assert same_state(model, other)


def test_resume_without_a_file_starts_anew(toy, split, tmp_path):
    model, other = toy(), toy()
    fit(model, split, checkpoint=tmp_path / "c.safetensors", resume=True)
    fit(other, split)
    assert same_state(model, other)
    with pytest.raises(ValueError, match="`resume` needs `checkpoint`"):
        fit(toy(), split, resume=True)


def test_weight_decay_and_negatives_are_taken_from_the_config(toy, split):
    models = [toy(), toy(weight_decay=0.5), toy(negatives_per_positive=3), toy(batch_ratio=0.5)]
    for model in models:
        fit(model, split)
    for one, other in itertools.combinations(models, 2):
        assert not same_state(one, other)
