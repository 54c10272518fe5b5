"""Predict missing links in graphs with two-dimensional Weisfeiler-Lehman graph neural networks."""

import os
from importlib.metadata import version

from linkwl.datasets import load_dataset
from linkwl.errors import (
    DownloadError,
    InputError,
    LinkwlError,
    MemoryLimitError,
    OutputError,
    SplitError,
    UnknownNameError,
)
from linkwl.graph import Graph, load_graph
from linkwl.models import LinkModel, create_model, rank_missing_links
from linkwl.splits import PROTOCOLS, Fold, Protocol, RandomSplit, Split, audit_split
from linkwl.training import evaluate_models, evaluate_split

__all__ = [
    "PROTOCOLS",
    "DownloadError",
    "Fold",
    "Graph",
    "InputError",
    "LinkModel",
    "LinkwlError",
    "MemoryLimitError",
    "OutputError",
    "Protocol",
    "RandomSplit",
    "Split",
    "SplitError",
    "UnknownNameError",
    "audit_split",
    "create_model",
    "evaluate_models",
    "evaluate_split",
    "load_dataset",
    "load_graph",
    "rank_missing_links",
]

# Idle OpenMP threads must sleep, not spin: beside any other process that is worth several times the speed. Torch reads
# this once, when it is imported, and nothing above imports it.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

__version__ = version("linkwl")
