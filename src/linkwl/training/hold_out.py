"""The split to train a model for use: some edges held out for validation, none for a test."""

from __future__ import annotations

import numpy as np

from linkwl.errors import SplitError
from linkwl.graph import Graph
from linkwl.splits import Fold, Split, sample_negatives
from linkwl.splits.negatives import distinct_integers

VALID_RATIO = 0.05


def hold_out(graph: Graph, seed: int, valid_ratio: float = VALID_RATIO) -> Split:
    """A split whose test fold has no targets: all that is not held out for validation is trained on.

    ``floor(valid_ratio * m)`` edges go to validation with as many pairs that are no edges, both uniform at random. The
    test fold observes the whole graph, as predictions will.

    Raises:
        SplitError: If the graph is directed, has too few edges, or is too dense for clean negatives.
    """
    if graph.is_directed:
        raise SplitError("a directed graph was given; this split is over unordered pairs: use `to_undirected()`.")
    count = int(valid_ratio * graph.num_edges)
    if count == 0:
        raise SplitError(
            f"{graph.name}: {graph.num_edges} edges are too few to train on; at least {int(np.ceil(1 / valid_ratio))} "
            f"are needed, so that {valid_ratio:.0%} of them are an edge or more."
        )
    for_edges, for_negatives = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(2))
    is_held_out = np.zeros(graph.num_edges, dtype=np.bool_)
    is_held_out[distinct_integers(graph.num_edges, count, for_edges)] = True
    observed = graph.select(~is_held_out)
    none = np.empty((0, 2), dtype=np.int32)
    return Split(
        train=Fold(observed, graph.edges[~is_held_out], none),
        valid=Fold(observed, graph.edges[is_held_out], sample_negatives(graph, count, for_negatives)),
        test=Fold(graph, none, none),
        protocol="train",
        seed=seed,
    )
