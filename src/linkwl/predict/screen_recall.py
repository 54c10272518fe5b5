"""Rows of pairs that are scored exactly, to measure what a screen has missed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.graph import Graph
from linkwl.models import Scorer
from linkwl.predict.screen_sample import distinct_candidates, random_sources
from linkwl.typing import IntArray, Pairs, Scores

FEWEST_PAIRS = 30_000
SHARE = 1e-3
"""Number of pairs in the rows: about this share of all candidates, and at least the number before."""


class ExactRows(NamedTuple):
    """All candidates of some nodes, with the scores of the model."""

    nodes: IntArray
    pairs: Pairs
    scores: Scores

    @property
    def num_rows(self) -> int:
        """Number of nodes."""
        return len(self.nodes)


def exact_rows(scorer: Scorer, graph: Graph, found: Pairs, generator: np.random.Generator) -> ExactRows:
    """The rows of a few nodes: half of those in the pairs that were found, by their number there, half of all nodes.

    Rows of random nodes alone would hardly contain any of the best pairs. In a directed graph, a row holds the pairs
    that the node is the source of.

    Args:
        scorer: A scorer of the graph.
        graph: The graph.
        found: The best pairs that were found.
        generator: The random generator.
    """
    count = max(2, int(max(FEWEST_PAIRS, SHARE * graph.num_non_edges) / max(graph.num_nodes, 1)))
    ends = found[:, :1] if graph.is_directed else found
    weight = np.bincount(ends.ravel(), minlength=graph.num_nodes).astype(np.float64)
    every = np.arange(graph.num_nodes)
    chosen = [random_sources(every, count - count // 2, generator, weight=weight)]
    chosen.append(random_sources(every, count // 2, generator))
    nodes = np.unique(np.concatenate(chosen))
    values = scorer.rows(nodes)
    pairs = np.stack([np.repeat(nodes, graph.num_nodes), np.tile(every, len(nodes))], axis=1)
    listed = pairs if graph.is_directed else np.sort(pairs, axis=1)
    different = distinct_candidates(graph, listed)
    number = listed[:, 0].astype(np.int64) * graph.num_nodes + listed[:, 1]
    order = np.argsort(number, kind="stable")
    wanted = different[:, 0].astype(np.int64) * graph.num_nodes + different[:, 1]
    return ExactRows(nodes, different, values.ravel()[order[np.searchsorted(number[order], wanted)]])
