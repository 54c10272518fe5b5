"""Models: score queries about an observed graph, with one lifecycle for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwl.lazy import lazy_names

if TYPE_CHECKING:
    from linkwl.models.base import LinkModel, ModelConfig, Needs, Scorer
    from linkwl.models.history import History, StepReport
    from linkwl.models.registry import MODELS, create_model

__all__ = ["MODELS", "History", "LinkModel", "ModelConfig", "Needs", "Scorer", "StepReport", "create_model"]

__getattr__ = lazy_names(
    __name__,
    {
        "linkwl.models.base": ["LinkModel", "ModelConfig", "Needs", "Scorer"],
        "linkwl.models.history": ["History", "StepReport"],
        "linkwl.models.registry": ["MODELS", "create_model"],
    },
)
