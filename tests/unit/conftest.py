from __future__ import annotations

import pytest

import triple_model
from linkwl import LinkPredictor
from linkwl.datasets import load_airports
from linkwl.models.gradient import TrainingConfig
from linkwl.predict.summary import summarise
from linkwl.protocols import PAPER
from toy_model import Toy, ToyConfig, ToyEncoderConfig
from triple_graphs import relatives


@pytest.fixture(scope="session")
def split():
    """A split of the airport graph; models must not change it."""
    return PAPER.apply(load_airports(), seed=0)


@pytest.fixture(scope="session")
def predictor():
    """A network that was trained briefly on the airport graph."""
    return LinkPredictor("local-2wl", settings={"training": {"max_steps": 12}}).fit(load_airports())


@pytest.fixture(scope="session")
def summary(predictor):
    """What reports tell of it."""
    return summarise(predictor)


@pytest.fixture(scope="session")
def fact_predictor():
    """A model of triples that was trained briefly on families."""
    with pytest.MonkeyPatch.context() as patch:
        triple_model.register(patch)
        return LinkPredictor("toy-triple").fit(relatives(30))


@pytest.fixture(scope="session")
def fact_summary(fact_predictor):
    """What reports tell of it."""
    return summarise(fact_predictor)


@pytest.fixture
def toy():
    """Makes a small model from settings of its training."""

    def make(*, dropout=0.3, **training):
        defaults = {"max_steps": 40, "patience": 40, "evaluate_every": 4, "learning_rate": 0.01}
        config = ToyConfig(encoder=ToyEncoderConfig(dropout=dropout), training=TrainingConfig(**defaults | training))
        return Toy(config)

    return make
