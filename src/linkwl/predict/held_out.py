"""The scores and probabilities of the test links of a fitted predictor, which served no other purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from linkwl.protocols import target_scores
from linkwl.training.evaluate import fold_scores
from linkwl.training.train import measured_part, split_of
from linkwl.typing import FloatArray, Scores

if TYPE_CHECKING:
    from linkwl.predict.fitted_model import FittedModel


class HeldOutScores(NamedTuple):
    """Hidden links, and pairs that are not links."""

    positive: Scores
    negative: Scores


def held_out_scores(predictor: FittedModel) -> HeldOutScores:
    """The scores of the test targets of the split that the predictor was fitted to; of a sample, if there are many."""
    record = predictor.record_
    split = measured_part(split_of(record, predictor.graph_), record.seed)
    found = target_scores(split.test.targets, fold_scores(predictor.model_, split.test))
    return HeldOutScores(found.positive, found.negative)


def held_out_probabilities(predictor: FittedModel, prior: float) -> tuple[FloatArray, FloatArray]:
    """The probabilities of the same targets, for this share of links among them."""
    scores = held_out_scores(predictor)
    positive, negative = (predictor.calibration_.probability(part, prior) for part in scores)
    return positive, negative
