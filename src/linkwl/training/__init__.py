"""Training and evaluation: from a model and a split to a record."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from linkwl.training.evaluate import evaluate_models, evaluate_split
from linkwl.training.history import History, StepReport

if TYPE_CHECKING:
    from linkwl.training.loop import fit
    from linkwl.training.model_folder import load_model, save_model

__all__ = ["History", "StepReport", "evaluate_models", "evaluate_split", "fit", "load_model", "save_model"]

# These import torch, which takes a second, and not everyone needs them.
_LAZY = {"fit": "loop", "load_model": "model_folder", "save_model": "model_folder"}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
