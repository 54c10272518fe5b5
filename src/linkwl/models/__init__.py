"""Models: score queries about an observed graph, with one lifecycle for all."""

from linkwl.models.base import LinkModel, ModelConfig, Needs, Scorer
from linkwl.models.history import History, StepReport
from linkwl.models.registry import MODELS, create_model

__all__ = ["MODELS", "History", "LinkModel", "ModelConfig", "Needs", "Scorer", "StepReport", "create_model"]
