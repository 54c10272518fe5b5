"""Models fitted to a split, in one call."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from linkwl import Graph, LinkPredictor
from linkwl.models import History, LinkModel
from linkwl.protocols import PAPER, Protocol, TrainingData
from linkwl.splits import Fold, Split, Targets
from linkwl.storage.model_folder import SavedModel
from linkwl.training import Trainer

QUICK_WALKS = {"gates": "off", "steps": 3, "readout": {"members": 2}, "training": {"max_steps": 20}}
"""Settings of `walk-2fwl` that are trained in a second."""


def fit(model: LinkModel, split: Split, seed: int = 0, *, protocol: Protocol = PAPER, **options: Any) -> History:
    """Fits a model to the folds of a split that it may see."""
    return model.fit(TrainingData.of(split, protocol), Trainer(seed, **options))


def swapped(fold: Fold) -> Fold:
    """The fold with positives and negatives exchanged."""
    return replace(fold, targets=Targets(fold.negatives, fold.positives))


def same_state(one: LinkModel, other: LinkModel) -> bool:
    """Whether two models have learned the same, to the bit."""
    first, second = one.state(), other.state()
    return first.keys() == second.keys() and all(np.array_equal(first[name], second[name]) for name in first)


def train_model(
    model: LinkModel, graph: Graph, folder: Path, *, seed: int = 0, prior: float | None = None, **options: Any
) -> SavedModel:
    """Fits a predictor into a folder, and gives what is saved there."""
    predictor = LinkPredictor(model.id, settings=model.config.model_dump(), prior=prior, seed=seed)
    predictor.fit(graph, folder=folder, **options)
    return SavedModel(predictor.model_, predictor.graph_, predictor.calibration_, predictor.record_)
