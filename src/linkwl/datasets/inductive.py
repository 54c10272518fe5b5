"""Reads the inductive benchmarks of triples: GraIL's graphs with INDIGO's labelled test triples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from linkwl.graph import KnowledgeGraph
from linkwl.graph.readers.benchmark_folder import TripleFiles, read_benchmark, read_labelled


def read_inductive(name: str, paths: Sequence[Path]) -> KnowledgeGraph:
    """The graph with its division and labels.

    Args:
        name: The graph's name.
        paths: ``train``, ``valid`` and ``test`` of the graph, the same of the graph of other entities, then the
            labelled files.
    """
    return read_labelled(paths[6:], read_benchmark(name, TripleFiles(*paths[:3]), TripleFiles(*paths[3:6])))
