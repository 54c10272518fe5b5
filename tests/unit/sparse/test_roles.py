from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from linkwl.sparse.roles import read_roles, role_features
from triple_graphs import random_triples


def read(graph, extra=()):
    """The roles of a graph; ``extra`` are further roles, pairs of an entity and a role from 2 R on."""
    ptr, _, role = graph.incidence
    entity = np.repeat(np.arange(graph.num_nodes), np.diff(ptr))
    further = np.array(extra, dtype=np.int64).reshape(-1, 2)
    links = graph.links
    adjacency = sp.csr_array((np.ones(len(links.col)), links.col, links.rowptr), shape=(graph.num_nodes,) * 2)
    num_asked = 2 * graph.num_relations
    num_roles = max([num_asked, *(further[:, 1] + 1)])
    entity, role = np.concatenate([entity, further[:, 0]]), np.concatenate([role, further[:, 1]])
    return read_roles(entity, role, graph.num_nodes, num_roles, num_asked, adjacency)


def plain(graph, extra=()):
    """The same features for every entity and role, from sets of roles and the formulas."""
    n, asked = graph.num_nodes, 2 * graph.num_relations
    played = [[] for _ in range(n)]
    near = [set() for _ in range(n)]
    for h, r, t in graph.triples.tolist():
        played[h].append(r)
        played[t].append(graph.num_relations + r)
        if h != t:
            near[h].add(t)
            near[t].add(h)
    for v, s in extra:
        played[v].append(s)
    has = [set(roles) for roles in played]
    num_roles = max([asked, *(s + 1 for _, s in extra)])
    number = np.array([sum(s in roles for roles in has) for s in range(num_roles)])
    share = number / n
    rarity = np.maximum(np.log(n / (number + 1)), 0.05)
    profiles = np.array([[rarity[s] * (s in roles) for s in range(num_roles)] for roles in has])
    profiles /= np.maximum(np.linalg.norm(profiles, axis=1, keepdims=True), 1e-12)

    def lift(s, q):
        if q == s:
            return 0.0
        both = sum(s in roles and q in roles for roles in has)
        return np.log((both + 2 * share[q]) / (number[s] + 2) / share[q])

    out = np.zeros((n, asked, 5))
    for v in range(n):
        for s in range(asked):
            lifts = [lift(s, q) for q in has[v]]
            others = sum((profiles[u] for u in range(n) if u != v and s in has[u]), np.zeros(num_roles))
            length = np.linalg.norm(others)
            out[v, s] = [
                np.clip(sum(lifts), -20, 20) / 4,
                np.mean(lifts) if lifts else 0,
                profiles[v] @ others / length if length > 1e-2 else 0,
                np.log1p(played[v].count(s)),
                np.mean([s in has[u] for u in near[v]]) if near[v] else 0,
            ]
    return out


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("extra", [(), ((0, 10), (1, 10), (1, 11), (7, 11))])
def test_features_agree_with_the_formulas(seed, extra):
    graph = random_triples(14, 5, 45, seed)
    entities, roles = (column.reshape(-1) for column in np.meshgrid(range(14), range(10), indexing="ij"))
    found = role_features(read(graph, extra), entities, roles).reshape(14, 10, 5)
    np.testing.assert_allclose(found, plain(graph, extra), rtol=1e-4, atol=1e-5)


def test_a_role_that_goes_with_another_lifts_it():
    # Entities 0 .. 4 are heads of both relations, 5 .. 9 of neither; 10 is a head of relation 0 alone.
    facts = [(v, r, 11) for v in range(5) for r in (0, 1)] + [(v, 2, 11) for v in range(5, 10)] + [(10, 0, 11)]
    from linkwl.graph import KnowledgeGraph

    roles = read(KnowledgeGraph.from_triples(facts, 12, 3))
    likely, unlikely = role_features(roles, np.array([10, 5]), np.array([1, 1]))
    assert likely[0] > 0 > unlikely[0]
    assert likely[2] > unlikely[2]
    assert likely[3] == unlikely[3] == 0


def test_relabelling_entities_and_relations_relabels_features():
    from linkwl.graph import KnowledgeGraph

    graph = random_triples(20, 4, 60)
    generator = np.random.default_rng(1)
    node, relation = generator.permutation(20), generator.permutation(4)
    head, kind, tail = graph.triples.T
    turned = KnowledgeGraph.from_triples(np.stack([node[head], relation[kind], node[tail]], axis=1), 20, 4)
    entities, asked = generator.integers(20, size=200), generator.integers(8, size=200)
    role = np.concatenate([relation, 4 + relation])
    np.testing.assert_allclose(
        role_features(read(turned), node[entities], role[asked]), role_features(read(graph), entities, asked), atol=1e-5
    )


def test_a_graph_without_facts():
    graph = random_triples(3, 2, 0)
    assert np.isfinite(role_features(read(graph), np.array([0, 2]), np.array([0, 3]))).all()
