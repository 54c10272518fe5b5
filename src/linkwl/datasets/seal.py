"""The eight networks without features of the SEAL benchmark, one MATLAB file each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from linkwl.graph import Graph
from linkwl.graph.readers.matlab import read_matlab


def read_seal(name: str, paths: Sequence[Path]) -> Graph:
    """The graph of one ``.mat`` file, whose symmetric matrix lists each edge in both directions."""
    (path,) = paths
    return read_matlab(path, name=name, directed=False)
