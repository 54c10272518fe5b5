"""Prediction: ranks, calibrates and explains the missing links of a graph."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from linkwl.predict.explain import explain_query
from linkwl.predict.explanation import Explanation
from linkwl.predict.ranking import RankedFact, RankedLink, Ranking
from linkwl.predict.search import rank_missing_links

if TYPE_CHECKING:
    from linkwl.predict.predictor import LinkPredictor

__all__ = [
    "Explanation",
    "LinkPredictor",
    "RankedFact",
    "RankedLink",
    "Ranking",
    "explain_query",
    "rank_missing_links",
]


def __getattr__(name: str) -> Any:
    # It imports torch, which takes a second and is not always needed.
    if name != "LinkPredictor":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.predictor").LinkPredictor
