from __future__ import annotations

import numpy as np
import pytest

from linkwl.datasets import load_world
from linkwl.graph import KnowledgeGraph
from linkwl.models.triples.reading import TripleReading
from linkwl.predict.role_evidence import role_evidence, role_text
from triple_graphs import relatives


def test_evidence_by_hand():
    # Entities 0, 1 and 2 are heads of relation 0; 0 and 1 are heads of relation 1 as well. There are six entities.
    graph = KnowledgeGraph.from_triples([(0, 0, 3), (1, 0, 3), (2, 0, 4), (0, 1, 5), (1, 1, 5)], 6, 2)
    (found,) = role_evidence(graph, 2, 1)
    assert (found.entity, found.role, found.asked, found.entities, found.both) == (2, 0, 1, 3, 2)
    assert found.lift == pytest.approx((2 + 2 * 3 / 6) / (2 + 2) / (3 / 6))
    assert found.to_text(graph) == (
        "2 is a head of 0: of 3 such entities 2 are heads of 1, and among heads of 1 they are 1.5 times as frequent as "
        "among all."
    )
    assert found.to_json(graph) == {
        "entity": 2,
        "role": "a head of 0",
        "asked": "a head of 1",
        "entities": 3,
        "both": 2,
        "lift": found.lift,
    }


def test_lifts_are_those_that_the_model_reads():
    graph = load_world()
    roles = TripleReading(graph, graph.num_relations).roles
    count = 0
    for entity in range(0, graph.num_nodes, 50):
        for asked in range(2 * graph.num_relations):
            for found in role_evidence(graph, entity, asked, most=100):
                assert found.lift == pytest.approx(np.exp(roles.lift[asked, found.role]), rel=1e-5)
                count += 1
    assert count > 500


def test_the_strongest_come_first_and_only_what_speaks_for_it():
    graph = load_world()
    france = int(graph.ids.indices(["France"])[0])
    found = role_evidence(graph, france, 0, most=100)
    lifts = [evidence.lift for evidence in found]
    assert lifts == sorted(lifts, reverse=True)
    assert min(lifts) > 1
    assert 0 not in {evidence.role for evidence in found}
    assert role_evidence(graph, france, 0) == found[:2]


def test_roles_in_words():
    graph, world = relatives(1), load_world()
    assert role_text(graph, 2) == "a head of parent of"
    assert role_text(graph, 4 + 2, plural=True) == "tails of parent of"
    country = int(world.types.names.indices(["country"])[0])
    assert role_text(world, 2 * world.num_relations + country) == "of type country"


def test_an_entity_without_facts_has_no_evidence():
    assert role_evidence(KnowledgeGraph.from_triples([(0, 0, 1)], 3, 1), 2, 0) == []
