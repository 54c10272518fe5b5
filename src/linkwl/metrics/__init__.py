"""Metrics: numbers from the scores of pairs that are links and of pairs that are not, every tie defined."""

from linkwl.metrics.classification import auc, average_precision, precision_at_k
from linkwl.metrics.ranking import average_rank, hits_at_k, mean_reciprocal_rank

__all__ = ["auc", "average_precision", "average_rank", "hits_at_k", "mean_reciprocal_rank", "precision_at_k"]
