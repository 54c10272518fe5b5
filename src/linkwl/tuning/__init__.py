"""Tuning: settings chosen on links that are hidden inside the training links."""

from linkwl.tuning.study import Budget, Confirmation, Search, Study, Trial
from linkwl.tuning.tune import tune

__all__ = ["Budget", "Confirmation", "Search", "Study", "Trial", "tune"]
