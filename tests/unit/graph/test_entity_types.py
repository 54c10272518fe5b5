from __future__ import annotations

import hashlib

import numpy as np
import pyarrow as pa
import pytest

from linkwl.graph import EntityTypes, KnowledgeGraph, NodeIds

NAMES = NodeIds(pa.array(["city", "country", "person"]), kind="type")
TRIPLES = [(0, 0, 1), (1, 1, 2), (2, 0, 2)]


def some() -> EntityTypes:
    return EntityTypes.from_pairs([2, 0, 2, 2], [2, 1, 0, 2], 3, NAMES)


def digest(types: EntityTypes) -> str:
    running = hashlib.sha256()
    types.update_digest(running)
    return running.hexdigest()


def test_rows_are_sorted_and_copies_merged():
    types = some()
    assert (types.ptr.tolist(), types.col.tolist()) == ([0, 1, 1, 3], [1, 0, 2])
    assert [types.of(node) for node in range(3)] == [["country"], [], ["city", "person"]]
    assert (types.num_nodes, types.num_typed, types.counts.tolist()) == (3, 2, [1, 1, 1])
    assert repr(types) == "EntityTypes(3 types of 2 among 3 entities)"
    with pytest.raises(ValueError, match="read-only"):
        types.col[0] = 0


def test_no_types_and_no_entities():
    assert EntityTypes.from_pairs([], [], 0, NodeIds(0)).num_typed == 0
    assert EntityTypes.from_pairs([], [], 2, NAMES).of(1) == []


def test_digests_tell_names_and_rows_apart():
    other_names = NodeIds(pa.array(["city", "country", "people"]), kind="type")
    variants = [
        some(),
        EntityTypes.from_pairs([2, 0, 2], [2, 1, 0], 3, other_names),
        EntityTypes.from_pairs([1, 0, 2], [2, 1, 0], 3, NAMES),
        EntityTypes.from_pairs([2, 0], [2, 1], 3, NAMES),
        EntityTypes.from_pairs([2, 0, 2], [2, 1, 0], 4, NAMES),
    ]
    assert len({digest(types) for types in variants}) == len(variants)
    assert digest(some()) == digest(EntityTypes.from_pairs([0, 2, 2], [1, 0, 2], 3, NAMES))


def test_a_knowledge_graph_keeps_them():
    types = some()
    graph = KnowledgeGraph.from_triples(TRIPLES, 3, 2, types=types)
    kept = [
        graph.with_([(0, 1, 2)]),
        graph.without(TRIPLES[:1]),
        graph.cut([(0, 1)]),
        graph.select(np.array([True, False, True])),
        graph.with_features(np.ones((3, 1))),
        *graph.subgraphs(np.zeros(3, int), [(0,)]),
    ]
    assert all(other.types is types for other in kept)
    assert graph.reserve([]).types is None
    assert repr(graph) == "KnowledgeGraph('graph', 3 nodes, 2 relations, 3 triples, 3 types)"


def test_they_are_part_of_its_digest():
    plain = KnowledgeGraph.from_triples(TRIPLES, 3, 2)
    typed = plain.with_types(some())
    assert typed.digest != plain.digest
    assert typed.with_types(None).digest == plain.digest
    assert typed.digest == KnowledgeGraph.from_triples(TRIPLES, 3, 2, types=some()).digest


@pytest.mark.parametrize(
    ("misuse", "words"),
    [
        (lambda: EntityTypes.from_pairs([3], [0], 3, NAMES), r"`entities` must hold .* of 0 \.\. 2"),
        (lambda: EntityTypes.from_pairs([0], [3], 3, NAMES), r"`types` must hold .* of 0 \.\. 2"),
        (lambda: EntityTypes.from_pairs([0, 1], [0], 3, NAMES), "as many indices"),
        (lambda: EntityTypes(NAMES, np.array([0, 1], np.int32), np.array([0], np.int32)), "`ptr` must be an int64"),
        (lambda: EntityTypes(NAMES, np.array([0, 2, 1]), np.array([0], np.int32)), "does not descend"),
        (lambda: EntityTypes(NAMES, np.array([0, 2]), np.array([0], np.int32)), "of length 2"),
        (lambda: EntityTypes(NAMES, np.array([0, 1]), np.array([3], np.int32)), r"types 0 \.\. 2, got 3"),
        (lambda: EntityTypes(NAMES, np.array([0, 2]), np.array([1, 1], np.int32)), "ascend for each entity"),
        (lambda: KnowledgeGraph.from_triples(TRIPLES, 4, 2, types=some()), "of 4 nodes, got those of 3"),
    ],
)
def test_misuse_is_a_value_error(misuse, words):
    with pytest.raises(ValueError, match=words):
        misuse()
