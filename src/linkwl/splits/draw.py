"""Draws a split of a graph: holds out positives and draws negatives, each with its own random stream."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from linkwl.graph import Observed
from linkwl.splits.fold import Fold, Split
from linkwl.splits.negatives import NegativeSampler
from linkwl.splits.splitter import Splitter


def draw_split(graph: Observed, splitter: Splitter, negatives: NegativeSampler, seed: int, *, protocol: str) -> Split:
    """Splits a graph; the same graph and seed give the same split.

    Validation edges are observed at test time, unless the test is about other nodes.

    Args:
        graph: The whole graph.
        splitter: Chooses the positives of every fold.
        negatives: Chooses the negatives.
        seed: The seed of the split.
        protocol: The name of the protocol.

    Raises:
        SplitError: If there are too few edges, or the graph is too dense for clean negatives.
    """
    # Edges and negatives have separate streams: another kind of negatives does not change the held-out edges.
    for_edges, for_negatives = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(2))
    with ThreadPoolExecutor(1) as beside:
        drawn = beside.submit(negatives.draw, graph, for_negatives)
        held_out = splitter.hold_out(graph, for_edges)
        train, valid, test = negatives.divide(drawn.result(), graph, held_out, for_negatives)
    return Split(
        train=Fold(held_out.train, train),
        valid=Fold(held_out.train, valid),
        test=Fold(held_out.test, test),
        protocol=protocol,
        seed=seed,
        is_inductive=held_out.is_inductive,
        is_in_time=held_out.is_in_time,
    )
