from __future__ import annotations

import numpy as np
import pytest

from linkwl.errors import MemoryLimitError
from linkwl.graph import EntityTypes, KnowledgeGraph
from linkwl.graph.node_ids import NodeIds
from linkwl.models.triples.reading import MAX_STEPS, PAIR_CHANNELS, QUERY_CHANNELS, TripleReading
from triple_graphs import random_triples, relatives


@pytest.fixture(scope="module")
def graph():
    return random_triples(30, 4, 90)


def test_features_of_some_relations_are_a_part_of_all(graph):
    reading = TripleReading(graph, 4)
    generator = np.random.default_rng(0)
    pairs, asked = generator.integers(30, size=(40, 2)), generator.integers(4, size=(40, 2))
    every = reading.query_features(pairs)
    assert every.shape == (40, 4, QUERY_CHANNELS)
    np.testing.assert_array_equal(
        reading.query_features(pairs, asked), np.take_along_axis(every, asked[..., None], axis=1)
    )
    assert reading.pair_features(pairs).shape == (40, PAIR_CHANNELS)


def test_relabelling_entities_changes_nothing(graph):
    label = np.random.default_rng(1).permutation(30)
    turned = KnowledgeGraph.from_triples(
        np.stack([label[graph.triples[:, 0]], graph.triples[:, 1], label[graph.triples[:, 2]]], axis=1), 30, 4
    )
    pairs = np.random.default_rng(2).integers(30, size=(50, 2))
    for name in ("pair_features", "query_features"):
        before, after = (
            getattr(TripleReading(graph, 4), name)(pairs),
            getattr(TripleReading(turned, 4), name)(label[pairs]),
        )
        np.testing.assert_allclose(after, before, atol=1e-5)


def test_relabelling_relations_moves_their_features(graph):
    label = np.array([2, 0, 3, 1])
    turned = KnowledgeGraph.from_triples(
        np.stack([graph.triples[:, 0], label[graph.triples[:, 1]], graph.triples[:, 2]], axis=1), 30, 4
    )
    pairs = np.random.default_rng(2).integers(30, size=(50, 2))
    before, after = (TripleReading(g, 4).query_features(pairs) for g in (graph, turned))
    np.testing.assert_allclose(after[:, label], before, atol=1e-5)


def test_distances_and_reverse_facts_by_hand():
    graph = KnowledgeGraph.from_triples([(0, 0, 1), (1, 0, 2), (2, 1, 0)], 4, 2)
    reading = TripleReading(graph, 2)
    pairs = np.array([(0, 2), (0, 3), (3, 3)])
    steps = reading.pair_features(pairs)[:, : MAX_STEPS + 2].argmax(axis=1)
    assert steps.tolist() == [2, MAX_STEPS + 1, 0]  # the fact between 0 and 2 is no step
    owner, role = reading.direct_roles(pairs)
    assert (owner.tolist(), role.tolist()) == ([0], [2 + 1])  # 0 is a tail of relation 1 from 2
    assert reading.query_features(pairs)[0, :, 14].tolist() == [0, 1]  # (2, 1, 0) is the reverse of (0, 1, 2)


def test_statistics_of_relations_by_hand():
    graph = relatives(2)
    married = TripleReading(graph, 4).relations[1]
    np.testing.assert_allclose(married[:4], [np.log1p(4), 1, 1, 1], rtol=1e-6)  # everyone once, and both ways
    np.testing.assert_allclose(married[4:], np.log(4.5 / 12), rtol=1e-6)


def test_inputs_leave_out_relations_that_training_never_saw():
    graph = KnowledgeGraph.from_triples([(0, 0, 1), (0, 2, 1), (1, 1, 2)], 3, 3)
    whole, part = (TripleReading(graph, known).pair_inputs(np.array([(0, 1)])) for known in (3, 2))
    assert whole.direct.col.tolist() == [0, 2]
    assert part.direct.col.tolist() == [0]
    assert whole.tails.roles.col.tolist() == [1, 3, 5]
    assert part.tails.roles.col.tolist() == [1, 2]  # inverse roles start at the number of known relations
    assert part.direct.num_columns == 4


def test_types_are_evidence_of_roles():
    facts = [(v, 0, 9) for v in range(4)]
    types = EntityTypes.from_pairs(list(range(10)), [0] * 5 + [1] * 5, 10, NodeIds(2))
    graph = KnowledgeGraph.from_triples(facts, 10, 1)
    pairs = np.array([(4, 9), (5, 9)])
    plain = TripleReading(graph, 1).query_features(pairs)
    np.testing.assert_array_equal(plain[0], plain[1])
    typed = TripleReading(graph.with_types(types), 1).query_features(pairs)
    assert typed[0, 0, 0] > typed[1, 0, 0]  # entity 4 has the type of all heads


def test_too_many_relations_are_refused_before_memory_is_taken(monkeypatch):
    monkeypatch.setattr("linkwl.memory.available_memory", lambda: 10_000)
    with pytest.raises(MemoryLimitError, match="merge rare relations"):
        TripleReading(random_triples(5, 50, 20), 50)
