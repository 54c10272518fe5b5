"""Small graphs of triples."""

from __future__ import annotations

import numpy as np

from linkwl.graph import KnowledgeGraph


def random_facts(
    num_nodes: int = 30, num_relations: int = 4, num_facts: int = 80, *, seed: int = 0, loops: bool = True
) -> KnowledgeGraph:
    """Entity 0 is a hub, the last two are isolated; some facts are reversed, or join an entity with itself."""
    generator = np.random.default_rng(seed)
    head, tail = generator.integers(0, num_nodes - 2, (2, num_facts))
    head[::4] = 0
    relation = generator.integers(0, num_relations, num_facts)
    triples = np.stack([head, relation, tail], axis=1)
    more = [triples[:10, ::-1][:, [0, 1, 2]], triples[:10] * [1, 0, 1] + [0, 1, 0]]
    triples = np.concatenate([triples, *more])
    triples = triples[triples[:, 0] != triples[:, 2]]
    if loops:
        triples = np.concatenate([triples, [(3, 0, 3), (4, 1, 4)]])
    return KnowledgeGraph.from_triples(triples, num_nodes, num_relations, name="facts")


def all_triples(graph: KnowledgeGraph) -> np.ndarray:
    """Every triple over the entities and relations of a graph."""
    n, r = graph.num_nodes, graph.num_relations
    return np.stack(np.meshgrid(np.arange(n), np.arange(r), np.arange(n), indexing="ij"), axis=-1).reshape(-1, 3)


def relabelled(graph: KnowledgeGraph, label: np.ndarray) -> KnowledgeGraph:
    """The same facts about entities with other numbers."""
    triples = np.stack([label[graph.triples[:, 0]], graph.triples[:, 1], label[graph.triples[:, 2]]], axis=1)
    return KnowledgeGraph.from_triples(triples, graph.num_nodes, graph.num_relations, name=graph.name)
