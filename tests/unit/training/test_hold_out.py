from __future__ import annotations

import numpy as np
import pytest

from linkwl import SplitError, audit_split
from linkwl.datasets import load_airports
from linkwl.graph import Graph
from linkwl.training.hold_out import hold_out


def test_nothing_leaks_and_nothing_is_lost():
    graph = load_airports()
    split = hold_out(graph, seed=0)
    assert audit_split(split, graph).passed
    assert len(split.valid.positives) == len(split.valid.negatives) == 150
    assert split.train.observed.num_edges == len(split.train.positives) == 2867
    assert len(split.test.positives) == len(split.test.negatives) == 0
    both = np.concatenate([split.train.positives, split.valid.positives])
    assert Graph.from_pairs(both, graph.num_nodes).num_edges == graph.num_edges
    assert split.test.observed is graph


def test_the_seed_decides():
    graph = load_airports()
    assert hold_out(graph, 1).digest == hold_out(graph, 1).digest != hold_out(graph, 2).digest


def test_graphs_that_cannot_be_split():
    ring = [(v, (v + 1) % 19) for v in range(19)]
    with pytest.raises(SplitError, match="19 edges are too few to train on; at least 20 are needed"):
        hold_out(Graph.from_pairs(ring, 19), 0)
    assert len(hold_out(Graph.from_pairs([*ring, (0, 2)], 19), 0).valid.positives) == 1
    with pytest.raises(SplitError, match="to_undirected"):
        hold_out(Graph.from_pairs(ring, 19, is_directed=True), 0)
    complete = Graph.from_pairs([(p, q) for q in range(9) for p in range(q)], 9)
    with pytest.raises(SplitError, match="too dense"):
        hold_out(complete, 0)
