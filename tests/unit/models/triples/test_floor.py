from __future__ import annotations

import math

import numpy as np
import pytest

from fitting import fit
from linkwl.graph import KnowledgeGraph
from linkwl.models import create_model
from linkwl.models.triples.floor import Floor
from linkwl.splits import Fold, Split, Targets

GRAPH = KnowledgeGraph.from_triples([(0, 0, 1), (0, 0, 2), (1, 1, 3)], 5, 3)
OTHER = KnowledgeGraph.from_triples([(0, 1, 1)], 2, 3)


def test_the_rule():
    queries = [(0, 0, 1), (2, 0, 0), (0, 0, 3), (4, 1, 3), (4, 2, 4)]
    expected = [math.log(3) + 11, math.log(3) + 5, math.log(3) + 3, math.log(2) + 3, 0]
    np.testing.assert_allclose(Floor()(GRAPH, queries), expected)


def test_frequencies_are_those_of_the_training_graph_once_it_was_fitted():
    nothing = np.empty((0, 3), dtype=np.int32)
    fold = Fold(GRAPH, Targets(GRAPH.triples, nothing))
    valid = Fold(GRAPH, Targets(np.array([(0, 1, 4)]), np.array([(4, 1, 0)])))
    model = create_model("floor")
    assert model.state() == {}
    fit(model, Split(fold, valid, valid, "test"), 0)
    np.testing.assert_allclose(model(OTHER, [(1, 0, 0), (1, 1, 1)]), [math.log(3) + 5, math.log(2) + 3])
    larger = KnowledgeGraph.from_triples([(0, 1, 1), (0, 3, 1), (1, 3, 1)], 2, 4)
    queries = [(1, 0, 0), (1, 1, 1), (1, 3, 1)]
    expected = [math.log(3) + 5, math.log(2) + 8, math.log(3) + 11]
    np.testing.assert_allclose(model(larger, queries), expected)
    other = Floor()
    other.load_state(model.state(), model.shape)
    np.testing.assert_array_equal(other(OTHER, [(1, 0, 0)]), model(OTHER, [(1, 0, 0)]))
    assert {name: tuple(t.shape) for name, t in model.expected_state(model.shape).items()} == {"frequency": (3,)}


def test_all_relations_of_pairs_at_once():
    scorer = Floor().prepare(GRAPH)
    pairs = np.array([(h, t) for h in range(5) for t in range(5)])
    triples = np.array([(h, r, t) for h, t in pairs for r in range(3)])
    np.testing.assert_array_equal(scorer.relations(pairs), scorer(triples).reshape(25, 3))


def test_wrong_state():
    with pytest.raises(ValueError, match="state"):
        Floor().load_state({"frequency": np.zeros(2)}, {"num_relations": 3})
