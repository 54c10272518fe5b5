"""Loads a graph of the catalogue by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from linkwl.datasets.airports import load_airports
from linkwl.datasets.catalogue import find_dataset
from linkwl.datasets.download import Progress
from linkwl.datasets.inductive import read_inductive
from linkwl.datasets.locate import fetch_dataset
from linkwl.datasets.planetoid import read_planetoid
from linkwl.datasets.seal import read_seal
from linkwl.datasets.world import load_world
from linkwl.graph import Graph, KnowledgeGraph

_READERS: dict[str, Callable[[str, Sequence[Path]], Graph | KnowledgeGraph]] = {
    "embedded": lambda name, _: load_world() if name == "world" else load_airports(with_places=True),
    "inductive": read_inductive,
    "planetoid": read_planetoid,
    "seal": read_seal,
}


def load_dataset(name: str, *, on_progress: Progress | None = None) -> Graph | KnowledgeGraph:
    """Loads a graph of the catalogue from ``LINKWL_DATA``, the user's cache or the network.

    Args:
        name: A name from ``linkwl datasets list``, in lower case.
        on_progress: Called during downloads with the number of bytes received so far and the total number of bytes.

    Raises:
        UnknownNameError: If the catalogue has no such name.
        DownloadError: If a file is missing and cannot be fetched, or is not the file it should be.

    Example:
        >>> load_dataset("airports").num_facts
        3017
    """
    dataset = find_dataset(name)
    return _READERS[dataset.family](dataset.name, fetch_dataset(dataset, on_progress=on_progress))
