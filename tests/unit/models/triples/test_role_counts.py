from __future__ import annotations

import math

import numpy as np

from facts import all_triples, random_facts
from linkwl.models.triples.role_counts import NUM_FEATURES, RoleCounts

TRIPLES = np.array([(0, 0, 1), (0, 0, 2), (1, 1, 0), (2, 1, 2)])


def test_counts():
    roles = RoleCounts.of(TRIPLES, 4, 2)
    assert roles.dense(np.array([0, 1, 2, 3])).tolist() == [[2, 0, 0, 1], [0, 1, 1, 0], [0, 1, 1, 1], [0, 0, 0, 0]]
    assert roles.dense(np.array([2, 2])).tolist() == [[0, 1, 1, 1]] * 2
    assert roles.at(np.array([0, 0, 3]), np.array([0, 1, 0])).tolist() == [2, 0, 0]
    assert RoleCounts.of(TRIPLES[:0], 4, 2).at(np.array([0]), np.array([0])).tolist() == [0]


def test_features_of_a_triple():
    features = RoleCounts.of(TRIPLES, 4, 2).features(np.array([(0, 0, 2), (1, 0, 0), (3, 1, 3)]))
    two, one = math.log(3), math.log(2)
    expected = [[two, one, 1, 1, 0, 0, 1, 0], [0, 0, 0, 0, one, two, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1]]
    np.testing.assert_allclose(features, expected, rtol=1e-6)


def test_features_of_all_relations_are_those_of_the_triples():
    graph = random_facts()
    roles = RoleCounts.of(graph.triples, graph.num_nodes, graph.num_relations)
    triples = all_triples(graph)
    pairs = np.array([(h, t) for h in range(graph.num_nodes) for t in range(graph.num_nodes)])
    shape = (graph.num_nodes, graph.num_relations, graph.num_nodes, NUM_FEATURES)
    one_by_one = roles.features(triples).reshape(shape).transpose(0, 2, 1, 3)
    np.testing.assert_array_equal(roles.relation_features(pairs), one_by_one.reshape(len(pairs), -1, NUM_FEATURES))
