"""Predict missing links in graphs with two-dimensional Weisfeiler-Lehman graph neural networks."""

import os
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from linkwl.datasets import load_dataset
from linkwl.errors import (
    DownloadError,
    InputError,
    LinkwlError,
    LinkwlWarning,
    MemoryLimitError,
    OutputError,
    SplitError,
    TaskError,
    UnknownNameError,
)
from linkwl.graph import Graph, KnowledgeGraph, Observed, load_graph
from linkwl.memory import limit_memory
from linkwl.models import LinkModel, Scorer, create_model
from linkwl.predict import rank_missing_links
from linkwl.protocols import PROTOCOLS, Protocol
from linkwl.splits import Fold, RandomSplit, Split, Targets, audit_split
from linkwl.training import Trainer, evaluate_models, evaluate_split

if TYPE_CHECKING:
    from linkwl.comparing import compare
    from linkwl.predict import LinkPredictor

__all__ = [
    "PROTOCOLS",
    "DownloadError",
    "Fold",
    "Graph",
    "InputError",
    "KnowledgeGraph",
    "LinkModel",
    "LinkPredictor",
    "LinkwlError",
    "LinkwlWarning",
    "MemoryLimitError",
    "Observed",
    "OutputError",
    "Protocol",
    "RandomSplit",
    "Scorer",
    "Split",
    "SplitError",
    "Targets",
    "TaskError",
    "Trainer",
    "UnknownNameError",
    "audit_split",
    "compare",
    "create_model",
    "evaluate_models",
    "evaluate_split",
    "limit_memory",
    "load_dataset",
    "load_graph",
    "rank_missing_links",
]

# Idle OpenMP threads must sleep, not spin: beside any other process this is several times faster. Torch reads this
# once, when it is imported, and nothing above imports it.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

__version__ = version("linkwl")


_PARTS = (
    "datasets",
    "engine",
    "graph",
    "metrics",
    "models",
    "nn",
    "plots",
    "predict",
    "protocols",
    "splits",
    "training",
    "tuning",
    "wl",
)
"""The modules for use from outside that are named after what they hold; others can be imported by their full names."""


def __getattr__(name: str) -> Any:
    # These take a second to import, and are not always needed.
    if name in _PARTS:
        return import_module(f"{__name__}.{name}")
    if name == "LinkPredictor":
        return import_module(f"{__name__}.predict").LinkPredictor
    if name == "compare":
        return import_module(f"{__name__}.comparing").compare
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    # What is imported here for our own use is not for users.
    return sorted([*__all__, *_PARTS, "__all__", "__doc__", "__version__"])
