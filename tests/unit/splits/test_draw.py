from __future__ import annotations

import numpy as np

from linkwl.datasets import load_airports
from linkwl.graph import KnowledgeGraph
from linkwl.splits import HardNegatives, RandomSplit, UniformNegatives, audit_split, draw_split


def test_other_negatives_leave_the_held_out_edges_as_they_are():
    graph = load_airports()
    kinds = (UniformNegatives(), HardNegatives())
    plain, hard = (draw_split(graph, RandomSplit(), kind, 4, protocol="p") for kind in kinds)
    np.testing.assert_array_equal(plain.valid.positives, hard.valid.positives)
    assert plain.test.observed.digest == hard.test.observed.digest
    assert plain.protocol == hard.protocol == "p"


def test_triples_are_split_as_pairs_are():
    generator = np.random.default_rng(0)
    triples = np.stack([generator.integers(0, size, 400) for size in (30, 4, 30)], axis=1)
    graph = KnowledgeGraph.from_triples(triples, 30, 4)
    split = draw_split(graph, RandomSplit(), UniformNegatives(), 0, protocol="p")
    assert split.train.positives.shape[1] == split.test.negatives.shape[1] == 3
    assert sum(len(fold.positives) for fold in split.folds.values()) == graph.num_facts
    assert not graph.contains(split.test.negatives).any()
    assert audit_split(split, graph).passed
    assert split.digest == draw_split(graph, RandomSplit(), UniformNegatives(), 0, protocol="p").digest


def test_a_leak_among_triples_is_found_and_named():
    from dataclasses import replace

    generator = np.random.default_rng(0)
    triples = np.stack([generator.integers(0, size, 400) for size in (30, 4, 30)], axis=1)
    graph = KnowledgeGraph.from_triples(triples, 30, 4)
    split = draw_split(graph, RandomSplit(), UniformNegatives(), 0, protocol="p")
    leaked = replace(split, train=replace(split.train, observed=graph))
    broken = [check for check in audit_split(leaked, graph).checks if not check.passed]
    assert [check.name for check in broken] == ["train: no held-out edge is observed"]
    assert len(broken[0].example) == 3
