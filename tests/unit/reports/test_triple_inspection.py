from __future__ import annotations

import numpy as np

from linkwl import KnowledgeGraph, load_graph
from linkwl.graph import EntityTypes, NodeIds
from linkwl.reports.triple_inspection import inspect_knowledge_graph


def test_a_graph_counted_by_hand():
    rows = [("a", "r", "b"), ("b", "r", "c"), ("a", "s", "a"), ("a", "r", "b"), ("d", "t", "e")]
    found = inspect_knowledge_graph(load_graph(rows, name="small"))
    assert (found.entities, found.relations, found.triples, found.loops) == (5, 3, 4, 1)
    assert found.largest_relations == {"r": 2, "s": 1, "t": 1}
    assert (found.components, found.largest_component, found.isolated_entities) == (2, 3, 0)
    assert (found.mean_degree, found.max_degree) == (8 / 5, 3)
    facts = found.facts()
    assert facts["relations"] == "3: r 2, s 1, t 1"
    assert facts["triples"] == "4, 1 of them from an entity to itself"
    assert facts["merged"] == "1 repeated rows"
    assert (facts["types"], facts["attributes"]) == ("none", "none")


def test_types_attributes_and_many_relations():
    types = EntityTypes.from_pairs([0, 1, 1], [1, 1, 0], 4, NodeIds(2))
    triples = [(0, k, 1) for k in range(9)] + [(1, 8, 2)]
    graph = KnowledgeGraph.from_triples(triples, 4, 9, types=types, features=np.ones((4, 2), dtype=np.float32))
    found = inspect_knowledge_graph(graph)
    assert found.facts()["types"] == "2 of 2 entities: 1 2, 0 1"
    assert found.facts()["attributes"] == "2 per node"
    assert found.facts()["relations"] == "9: 8 2, 0 1, 1 1, 2 1, 3 1, ..."
    assert found.isolated_entities == 1
    assert found.to_json()["typed_entities"] == 2


def test_relations_with_one_value():
    facts = [(f"p{k}", "priority", f"level {k % 3}") for k in range(20)]
    found = inspect_knowledge_graph(load_graph(facts))
    assert found.facts()["one value"] == "each head has one tail under priority"
    assert found.to_json()["functional"] == {"one_tail": ["priority"], "one_head": []}
    assert "one value" not in inspect_knowledge_graph(load_graph(facts[1:])).facts()


def test_no_triples():
    found = inspect_knowledge_graph(KnowledgeGraph.from_triples([], 0, 0))
    assert (found.entities, found.mean_degree, found.components) == (0, 0, 0)
