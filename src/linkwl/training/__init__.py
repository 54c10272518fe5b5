"""Training and evaluation of models on splits, with records of the results."""

from linkwl.training.evaluate import evaluate_models, evaluate_split
from linkwl.training.trainer import Trainer

__all__ = ["Trainer", "evaluate_models", "evaluate_split"]
