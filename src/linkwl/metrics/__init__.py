"""Metrics: numbers from the scores of pairs that are links and of pairs that are not, every tie defined."""

from linkwl.metrics.calibration import Reliability, brier_score, calibration_error, reliability
from linkwl.metrics.classification import auc, average_precision, precision_at_k
from linkwl.metrics.curves import Curve, precision_recall_curve, roc_curve
from linkwl.metrics.ranking import average_rank, hits_at_k, mean_reciprocal_rank

__all__ = [
    "Curve",
    "Reliability",
    "auc",
    "average_precision",
    "average_rank",
    "brier_score",
    "calibration_error",
    "hits_at_k",
    "mean_reciprocal_rank",
    "precision_at_k",
    "precision_recall_curve",
    "reliability",
    "roc_curve",
]
