"""Models: score the pairs of an observed graph, all through one interface."""

from linkwl.models.base import LinkModel, ModelConfig
from linkwl.models.recommend import rank_missing_links
from linkwl.models.registry import MODELS, create_model

__all__ = ["MODELS", "LinkModel", "ModelConfig", "create_model", "rank_missing_links"]
