"""Scores with the same bits whatever is scored with them."""

from __future__ import annotations

from threading import Lock

import numpy as np

from linkwl.graph import Graph
from linkwl.models import LinkModel
from linkwl.models.registry import is_learned
from linkwl.typing import Pairs, Scores

_STEPS_PER_UNIT = 1 << 20
_ONE_AT_A_TIME = Lock()  # models keep what they read last, and how many threads torch has is the whole process's


class SteadyModel:
    """A model whose networks run in double precision, and whose scores are rounded to a millionth.

    In what order a product of matrices adds up depends on how many rows it has, so the score of a pair alone and that
    of the same pair among a million differ in their last bits. In double precision that is far below the rounding, and
    pairs that are alike tie. Formulas are steady by themselves.

    Args:
        model: The model; its weights are copied.
    """

    def __init__(self, model: LinkModel) -> None:
        self._is_learned = is_learned(model)
        self._model = model
        if is_learned(model):
            twin = model.clone()
            twin.load_state_dict(model.state_dict(), model.shape)
            twin.trained.double()
            self._model = twin.freeze()

    def __call__(self, observed: Graph, pairs: Pairs) -> Scores:
        """One score per pair; several threads may ask, and are answered one after the other."""
        with _ONE_AT_A_TIME:
            scores = self._model(observed, pairs)
        return np.round(scores * _STEPS_PER_UNIT) / _STEPS_PER_UNIT if self._is_learned else scores
