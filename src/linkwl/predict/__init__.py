"""The main job: from a graph to ranked, calibrated, explained missing links."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from linkwl.predict.explain import Explanation, explain_pair
from linkwl.predict.ranking import RankedLink, Ranking

if TYPE_CHECKING:
    from linkwl.predict.predictor import LinkPredictor

__all__ = ["Explanation", "LinkPredictor", "RankedLink", "Ranking", "explain_pair"]


def __getattr__(name: str) -> Any:
    # It imports torch, which takes a second, and not everyone needs it.
    if name != "LinkPredictor":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.predictor").LinkPredictor
