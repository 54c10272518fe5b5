from __future__ import annotations

import numpy as np
import pytest
import torch

from fitting import fit, same_state
from linkwl.errors import InputError, TaskError
from linkwl.training import Trainer
from linkwl.training.parallel import batch_seed
from toy_model import DyingToy, Toy, ToyConfig, ToyEncoderConfig

STEPS = {"max_steps": 6, "evaluate_every": 2, "batches_per_step": 3}


def settings(dropout: float = 0.3, **training) -> ToyConfig:
    return ToyConfig(
        encoder=ToyEncoderConfig(dropout=dropout), training=ToyConfig().training.model_copy(update=STEPS | training)
    )


def test_one_worker_without_dropout_learns_what_no_worker_does(split):
    """Gradients are added in the order in which `backward` adds them."""
    plain, one = Toy(settings(dropout=0.0)), Toy(settings(dropout=0.0))
    histories = [fit(plain, split), fit(one, split, workers=1)]
    assert same_state(plain, one)
    assert histories[0].losses == histories[1].losses
    assert histories[0].valid == histories[1].valid


@pytest.mark.thorough
def test_the_weights_do_not_depend_on_the_number_of_workers(split):
    models = [Toy(settings()) for _ in range(3)]
    histories = [fit(model, split, workers=count) for count, model in enumerate(models, start=1)]
    assert same_state(models[0], models[1])
    assert same_state(models[0], models[2])
    assert histories[0].losses == histories[1].losses == histories[2].losses
    assert {history.threads for history in histories} == {1}


@pytest.mark.thorough
def test_a_killed_worker_is_replaced_and_the_step_repeated(split, tmp_path):
    alone, together = Toy(settings()), DyingToy(settings())
    together.folder = str(tmp_path)
    fit(alone, split, workers=1)
    fit(together, split, workers=2)
    assert (tmp_path / "kills").read_text() == "x"
    assert same_state(alone, together)


@pytest.mark.thorough
def test_a_killed_run_resumes_with_another_number_of_workers(split, tmp_path):
    class Killed(Exception):
        pass

    def stop(report):
        if report.step == 3:
            raise Killed

    whole, resumed = Toy(settings()), Toy(settings())
    fit(whole, split, workers=1)
    file = tmp_path / "run"
    with pytest.raises(Killed):
        fit(resumed, split, workers=1, checkpoint=file, checkpoint_seconds=0.0, on_step=stop)
    assert file.exists()
    fit(resumed, split, workers=2, checkpoint=file, resume=True)
    assert same_state(whole, resumed)
    with pytest.raises(InputError, match="data-parallel was True and is None now"):
        fit(resumed, split, checkpoint=file, resume=True)


def test_an_error_in_a_worker_is_a_sentence(split, monkeypatch):
    monkeypatch.setattr(Toy, "loss", lambda self, batch: 1 / 0)
    with pytest.raises(TaskError, match="training toy at step 1: ZeroDivisionError: division by zero"):
        fit(Toy(settings()), split, workers=1)


def test_a_loss_that_is_no_number_ends_the_run(split, monkeypatch):
    monkeypatch.setattr(Toy, "loss", lambda self, batch: self.trained[0].weight.sum() * np.nan)
    with pytest.raises(InputError, match="toy: the loss is nan at step 1"):
        fit(Toy(settings()), split, workers=1)


def test_every_worker_needs_a_batch(split):
    with pytest.raises(InputError, match=r"4 workers need as many batches in a step of toy, which has 3; use fewer"):
        fit(Toy(settings()), split, workers=4)
    with pytest.raises(ValueError, match="`workers` must be at least 1, got 0"):
        Trainer(workers=0)


def test_every_batch_of_every_step_has_its_own_dropout():
    seeds = {batch_seed(seed, step, number) for seed in range(3) for step in range(5) for number in range(4)}
    assert len(seeds) == 60
    torch.manual_seed(max(seeds))  # all are in the range that torch takes


def test_the_random_state_of_torch_is_left_alone(split):
    torch.manual_seed(5)
    before = torch.get_rng_state()
    fit(Toy(settings()), split, workers=1)
    assert torch.equal(torch.get_rng_state(), before)
