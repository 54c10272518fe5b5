from __future__ import annotations

import numpy as np
import pytest

from facts import random_facts
from linkwl.models.triples.corruptions import Corruptions

# Relation 0 is functional, 1 inverse functional, 2 neither; 0 and 1 meet on the ordered pair (0, 1).
FACTS = np.array([(0, 0, 1), (2, 0, 1), (0, 1, 1), (0, 1, 2), (3, 2, 4), (3, 2, 5), (4, 2, 5), (1, 3, 0)])


@pytest.fixture
def corruptions():
    return Corruptions(FACTS, num_nodes=6, num_relations=5)


def test_functional_relations(corruptions):
    assert corruptions.is_functional.tolist() == [True, False, False, True, False]  # the last has no facts
    assert corruptions.is_inverse_functional.tolist() == [False, True, False, True, False]


def test_relations_avoid_those_that_meet_the_own_one(corruptions):
    drawn = corruptions.relations(np.repeat(FACTS[:1], 50, axis=0), 2, np.random.default_rng(0))
    assert drawn.shape == (100, 3)
    assert {tuple(row) for row in drawn[:, [0, 2]].tolist()} == {(0, 1)}
    assert set(drawn[:, 1].tolist()) == {2, 3, 4}  # not 0 and not 1, although (0, 3, 1) is only a reversed fact


def test_relations_are_drawn_without_replacement_and_uniformly(corruptions):
    facts = np.repeat(FACTS[4:5], 3000, axis=0)
    drawn = corruptions.relations(facts, 2, np.random.default_rng(0))[:, 1].reshape(-1, 2)
    assert (drawn[:, 0] != drawn[:, 1]).all()
    counts = np.bincount(drawn.reshape(-1), minlength=5)
    assert counts[2] == 0
    np.testing.assert_allclose(counts[[0, 1, 3, 4]] / 6000, 0.25, atol=0.03)


def test_fewer_relations_than_wanted(corruptions):
    drawn = corruptions.relations(FACTS[[0, 4]], 9, np.random.default_rng(0))
    assert sorted(drawn.tolist()) == [[0, 2, 1], [0, 3, 1], [0, 4, 1], *([3, r, 4] for r in (0, 1, 3, 4))]


def test_entities_are_replaced_for_functional_relations_alone(corruptions):
    tails = corruptions.tails(FACTS, 3, np.random.default_rng(0))
    assert len(tails) == 3 * 3  # two facts of relation 0 and one of relation 3
    assert all(tail != {(0, 0): 1, (2, 0): 1, (1, 3): 0}[head, relation] for head, relation, tail in tails.tolist())
    heads = corruptions.heads(FACTS, 3, np.random.default_rng(0))
    assert len(heads) == 3 * 3
    assert all(head != {(1, 1): 0, (1, 2): 0, (3, 0): 1}[relation, tail] for head, relation, tail in heads.tolist())


def test_every_other_entity_can_be_drawn(corruptions):
    tails = corruptions.tails(np.repeat(FACTS[:1], 200, axis=0), 1, np.random.default_rng(0))
    assert set(tails[:, 2].tolist()) == {0, 2, 3, 4, 5}


def test_none_is_a_fact():
    graph = random_facts(num_relations=8)
    drawn = Corruptions(graph.triples, graph.num_nodes, 8).all(graph.triples, 3, np.random.default_rng(0))
    assert len(drawn) > 3 * graph.num_facts
    assert not graph.contains(drawn).any()


def test_one_entity_and_one_relation():
    one = Corruptions(np.array([(0, 0, 0)]), num_nodes=1, num_relations=1)
    assert one.all(np.array([(0, 0, 0)]), 3, np.random.default_rng(0)).shape == (0, 3)
