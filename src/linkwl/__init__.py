"""Predict missing links in graphs with two-dimensional Weisfeiler-Lehman graph neural networks."""

import os
from typing import TYPE_CHECKING, Any

from linkwl.lazy import lazy_names

if TYPE_CHECKING:
    from linkwl.comparing import compare
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
    from linkwl.predict import LinkPredictor, rank_missing_links
    from linkwl.protocols import PROTOCOLS, Protocol
    from linkwl.splits import Fold, RandomSplit, Split, Targets, audit_split
    from linkwl.training import Trainer, evaluate_models, evaluate_split

    __version__: str

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

# NumPy, PyArrow and Numba take a second to import, and torch another; `linkwl --help` needs none of them.
_find = lazy_names(
    __name__,
    {
        "linkwl.comparing": ["compare"],
        "linkwl.datasets": ["load_dataset"],
        "linkwl.errors": [
            "DownloadError",
            "InputError",
            "LinkwlError",
            "LinkwlWarning",
            "MemoryLimitError",
            "OutputError",
            "SplitError",
            "TaskError",
            "UnknownNameError",
        ],
        "linkwl.graph": ["Graph", "KnowledgeGraph", "Observed", "load_graph"],
        "linkwl.memory": ["limit_memory"],
        "linkwl.models": ["LinkModel", "Scorer", "create_model"],
        "linkwl.predict": ["LinkPredictor", "rank_missing_links"],
        "linkwl.protocols": ["PROTOCOLS", "Protocol"],
        "linkwl.splits": ["Fold", "RandomSplit", "Split", "Targets", "audit_split"],
        "linkwl.training": ["Trainer", "evaluate_models", "evaluate_split"],
    },
)


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
    if name == "__version__":
        from importlib.metadata import version

        return version("linkwl")
    return _find(name)


def __dir__() -> list[str]:
    # What is imported here for our own use is not for users.
    return sorted([*__all__, *_PARTS, "__all__", "__doc__", "__version__"])
