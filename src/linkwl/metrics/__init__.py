"""Metrics of the scores of positives and negatives, with defined ties."""

from linkwl.metrics.calibration import Reliability, brier_score, calibration_error, reliability
from linkwl.metrics.classification import accuracy, auc, average_precision, best_threshold, precision_at_k
from linkwl.metrics.curves import Curve, precision_recall_curve, roc_curve
from linkwl.metrics.intervals import Interval, auc_interval, auc_variance, share_interval
from linkwl.metrics.paired import PairedDifference, paired_difference
from linkwl.metrics.ranking import average_rank, hits_at_k, mean_reciprocal_rank, relation_hits_at_k
from linkwl.metrics.registry import Metric, RelationScores, TargetScores, find_metric

__all__ = [
    "Curve",
    "Interval",
    "Metric",
    "PairedDifference",
    "RelationScores",
    "Reliability",
    "TargetScores",
    "accuracy",
    "auc",
    "auc_interval",
    "auc_variance",
    "average_precision",
    "average_rank",
    "best_threshold",
    "brier_score",
    "calibration_error",
    "find_metric",
    "hits_at_k",
    "mean_reciprocal_rank",
    "paired_difference",
    "precision_at_k",
    "precision_recall_curve",
    "relation_hits_at_k",
    "reliability",
    "roc_curve",
    "share_interval",
]
