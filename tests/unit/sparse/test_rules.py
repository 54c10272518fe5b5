from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import KnowledgeGraph
from linkwl.sparse import rules as module
from linkwl.sparse.rules import read_rules, rule_features
from triple_graphs import random_triples


def read(graph):
    return read_rules(*graph.incidence, graph.triples, graph.num_relations)


def entries(graph):
    """For each entity, the set of (other entity, role)."""
    found = [set() for _ in range(graph.num_nodes)]
    for h, r, t in graph.triples.tolist():
        found[h].add((t, r))
        found[t].add((h, graph.num_relations + r))
    return found


def plain(graph, h, t):
    """The features of all relations from h to t, from the definitions."""
    n, count = graph.num_nodes, graph.num_relations
    out = np.zeros((count, 8))
    if h == t:
        return out
    rows = entries(graph)
    joined = [[(a, b) for a, q, b in graph.triples.tolist() if q == r and a != b] for r in range(count)]
    frequency = np.bincount(graph.triples[:, 1], minlength=count)
    chance = (frequency + 0.5) / n**2

    def turned(role):
        return (role + count) % (2 * count)

    def number(u, role):
        return sum(s == role for _, s in rows[u])

    def bodies(a, b):
        """The walks of two facts from a to b over another entity."""
        return [(first, turned(second)) for u, first in rows[a] for v, second in rows[b] if u == v and u not in (a, b)]

    def evidence(held, total, r):
        return (np.log((held + 2 * chance[r]) / (total + 2) / chance[r]) / 4, min(held / (total + 2), 1))

    def weight(entry):
        sharing = sum(entry in row for row in rows)
        return sharing**-0.5 if sharing > 1 else 0

    def like(a, b):
        """How alike two entities are, without regard to their facts with one another."""
        sizes = [np.sqrt(1 + sum(map(weight, rows[v]))) for v in (a, b)]
        return sum(weight(entry) for entry in rows[a] & rows[b] if entry[0] not in (a, b)) / np.prod(sizes)

    for r in range(count):
        of_one, of_two = [], []
        for role in [role for u, role in rows[h] if u == t and role != r]:
            held = sum((b, role) in rows[a] for a, b in joined[r])
            of_one += [evidence(held, frequency[role % count], r)] * (held > 0)
        for body in bodies(h, t):
            held = sum(bodies(a, b).count(body) for a, b in joined[r])
            total = sum(number(u, turned(body[0])) * number(u, body[1]) for u in range(n))
            of_two += [evidence(held, total, r)] * (held > 0)
        for column, found in ((0, of_one), (2, of_two)):
            out[r, column] = max([0.0, *(lift for lift, _ in found)])
            out[r, column + 1] = 1 - np.prod([1 - share for _, share in found])
        heads = [like(h, a) for a, b in joined[r] if b == t and a != h]
        tails = [like(t, b) for a, b in joined[r] if a == h and b != t]
        for column, found in ((4, heads), (6, tails)):
            out[r, column], out[r, column + 1] = np.log1p(4 * sum(found)), max([0.0, *found])
    return out


@pytest.mark.parametrize("seed", range(4))
def test_features_agree_with_the_definitions(seed):
    graph = random_triples(9, 3, 40, seed)
    pairs = np.array([(h, t) for h in range(9) for t in range(9)])
    expected = np.array([plain(graph, *pair) for pair in pairs.tolist()])
    np.testing.assert_allclose(rule_features(read(graph), pairs), expected, rtol=1e-4, atol=1e-5)


def test_a_rule_by_hand():
    # Relation 2 joins what relations 0 and 1 join in two steps, in three of four cases.
    facts = [fact for k in range(4) for fact in ((3 * k, 0, 3 * k + 1), (3 * k + 1, 1, 3 * k + 2))]
    facts += [(3 * k, 2, 3 * k + 2) for k in range(3)]
    rules = read(KnowledgeGraph.from_triples(facts, 12, 3))
    place = np.flatnonzero(rules.path == 0 * 6 + 1)[0]
    rows = slice(rules.path_ptr[place], rules.path_ptr[place + 1])
    assert rules.path_relation[rows].tolist() == [2]
    assert rules.path_walks[rows].tolist() == [4]
    assert rules.path_share[rows] == pytest.approx(3 / 6)
    evidence = rule_features(rules, np.array([(9, 11), (0, 5)]))
    assert evidence[0, 2, 2] > 0  # the fourth pair follows the rule
    assert not evidence[1].any()  # entities of different groups have nothing in common


def test_some_relations_are_a_part_of_all():
    graph = random_triples(20, 4, 80)
    generator = np.random.default_rng(0)
    pairs, asked = generator.integers(20, size=(50, 2)), generator.integers(4, size=(50, 3))
    every = rule_features(read(graph), pairs)
    np.testing.assert_array_equal(
        rule_features(read(graph), pairs, asked), np.take_along_axis(every, asked[..., None], axis=1)
    )
    alone = np.concatenate([rule_features(read(graph), pairs[[k]]) for k in range(50)])
    np.testing.assert_array_equal(alone, every)


def test_rules_of_large_graphs_are_counted_on_a_sample(monkeypatch):
    graph = random_triples(30, 2, 400)
    whole = read(graph)
    monkeypatch.setattr(module, "MOST_COUNTED", graph.num_facts // 2)
    sampled = read(graph)
    assert sampled.path_share.mean() == pytest.approx(whole.path_share.mean(), rel=0.2)
    assert sampled.fact_share.sum() == pytest.approx(whole.fact_share.sum(), rel=0.3)


def test_comparisons_are_bounded(monkeypatch):
    graph = random_triples(30, 2, 400)
    pairs = np.array([(0, 1)])
    whole = rule_features(read(graph), pairs)
    monkeypatch.setattr(module, "MOST_COMPARED", 0)
    assert (rule_features(read(graph), pairs)[..., 4] <= whole[..., 4]).all()


def test_a_graph_without_facts():
    graph = random_triples(3, 2, 0)
    assert rule_features(read(graph), np.array([(0, 1), (2, 2)])).shape == (2, 2, 8)
