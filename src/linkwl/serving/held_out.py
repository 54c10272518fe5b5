"""How far the probabilities of a model can be trusted: on held-out links, and by the user's own verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from linkwl.errors import LinkwlError
from linkwl.metrics import auc, auc_interval, find_metric
from linkwl.metrics.calibration import BINS
from linkwl.predict.held_out import held_out_scores
from linkwl.predict.predictor import LinkPredictor
from linkwl.serving.decisions import Decision
from linkwl.typing import FloatArray

_LABELS = {"brier": "Brier score", "ece": "calibration error"}


def measure(predictor: LinkPredictor) -> dict[str, Any]:
    """The interval of the AUC and the bins of reliability on the test links, as values for JSON.

    Half of the test targets are links, so these probabilities are for a prior of one half. Both are empty if the test
    links of the model cannot be found again, for example because they were given in files.
    """
    try:
        scores = held_out_scores(predictor)
    except LinkwlError:
        return {"auc": None, "bins": []}
    recorded = predictor.record_.test.get("auc")
    if recorded is not None and abs(auc(scores.positive, scores.negative) - recorded) > 1e-6:
        return {"auc": None, "bins": []}
    positive, negative = (predictor.calibration_.probability(part, 0.5) for part in scores)
    low, high = auc_interval(scores.positive, scores.negative)
    return {
        "auc": [float(low), float(high)],
        "bins": bins_of(np.concatenate([positive, negative]), [True] * len(positive) + [False] * len(negative)),
    }


def bins_of(predicted: FloatArray, holds: Sequence[bool]) -> list[dict[str, float]]:
    """Bins of equal width over predicted probabilities, without empty ones, as values for JSON."""
    is_link = np.asarray(holds, dtype=np.bool_)
    place = np.minimum((predicted * BINS).astype(np.int64), BINS - 1)
    found = []
    for number in np.unique(place).tolist():
        inside = place == number
        found.append(
            {
                "low": number / BINS,
                "high": (number + 1) / BINS,
                "predicted": float(predicted[inside].mean()),
                "observed": float(is_link[inside].mean()),
                "count": int(inside.sum()),
            }
        )
    return found


def own_bins(decisions: Iterable[Decision]) -> list[dict[str, float]]:
    """The bins of the user's verdicts: accepted links hold, rejected ones do not, the others do not count."""
    judged = [decision for decision in decisions if decision.verdict != "later"]
    if not judged:
        return []
    predicted = np.array([decision.probability for decision in judged])
    return bins_of(predicted, [decision.verdict == "accepted" for decision in judged])


def metrics_of(predictor: LinkPredictor, interval: Sequence[float] | None) -> list[dict[str, Any]]:
    """The figures of the record on test links, with the interval of the AUC, as values for JSON."""
    found = []
    for name, value in predictor.record_.test.items():
        low, high = interval if name == "auc" and interval is not None else (None, None)
        label = _LABELS.get(name) or find_metric(name).title
        found.append({"id": name, "label": label, "value": float(value), "low": low, "high": high})
    return found
