"""Training and evaluation: from a model and a split to a record."""

from linkwl.training.evaluate import evaluate_models, evaluate_split

__all__ = ["evaluate_models", "evaluate_split"]
