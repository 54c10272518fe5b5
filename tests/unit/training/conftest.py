from __future__ import annotations

import pytest

from linkwl.datasets import load_airports
from linkwl.models.learned import TrainingConfig
from linkwl.splits import PAPER
from toy_model import Toy, ToyConfig, ToyEncoderConfig


@pytest.fixture(scope="session")
def split():
    """A split of the airport graph; models must not change it."""
    return PAPER.apply(load_airports(), seed=0)


@pytest.fixture
def toy():
    """Makes a small model from settings of its training."""

    def make(*, dropout=0.3, **training):
        defaults = {"max_steps": 40, "patience": 40, "evaluate_every": 4, "learning_rate": 0.01}
        config = ToyConfig(encoder=ToyEncoderConfig(dropout=dropout), training=TrainingConfig(**defaults | training))
        return Toy(config)

    return make
