from __future__ import annotations

import numpy as np
import pytest

from linkwl import Graph, InputError, create_model
from linkwl.models.heuristics import sides


@pytest.fixture(params=[False, True])
def graph(request):
    """Twelve users, even numbers, and nine items, odd ones; as links or as edges from users to items."""
    generator = np.random.default_rng(0)
    ends = np.stack([2 * generator.integers(0, 12, 40), 2 * generator.integers(0, 9, 40) + 1], axis=1)
    return Graph.from_pairs(ends, 24, part=np.arange(24) % 2, is_directed=request.param)


def neighbours(graph):
    links = graph.links
    return [set(links.neighbours(v).tolist()) for v in range(links.num_nodes)]


def missing(graph):
    """Pairs that are not joined either way, in both orders."""
    pairs = graph.links.non_edges(np.arange(graph.links.num_non_edges))
    return np.concatenate([pairs, pairs[:, ::-1]])


@pytest.mark.parametrize(
    ("model", "weight"), [("cn", lambda d: 1.0), ("ra", lambda d: 1 / d), ("aa", lambda d: 1 / np.log(d))]
)
def test_paths_of_three_edges_count(graph, model, weight):
    near = neighbours(graph)
    pairs = missing(graph)
    expected = [
        sum(weight(len(near[k])) * weight(len(near[m])) for k in near[p] for m in near[k] if m in near[q])
        for p, q in pairs.tolist()
    ]
    assert max(expected) > 0
    np.testing.assert_allclose(create_model(model)(graph, pairs), expected)


def test_an_item_is_compared_with_those_of_the_user(graph, monkeypatch):
    near, pairs = neighbours(graph), missing(graph)
    users = [p if p % 2 == 0 else q for p, q in pairs.tolist()]
    items = [p + q - user for (p, q), user in zip(pairs.tolist(), users, strict=True)]
    expected = [
        sum(len(near[k] & near[item]) / len(near[k] | near[item]) for k in near[user])
        for user, item in zip(users, items, strict=True)
    ]
    model = create_model("jaccard")
    np.testing.assert_allclose(model(graph, pairs), expected)
    whole = model(graph, pairs)
    monkeypatch.setattr(sides, "_BLOCK", 5)
    np.testing.assert_array_equal(model(graph, pairs), whole)


def test_simrank_says_what_to_use_instead(graph):
    with pytest.raises(InputError, match="compares nodes of one side"):
        create_model("simrank").prepare(graph)
