from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse import segment_sum
from linkwl.sparse.bellman_ford import DegreeOrder, SweepPlan
from network_cases import random_graph


def dense(graph):
    """The adjacency matrix with loops."""
    return graph.to_scipy().toarray() + np.eye(graph.num_nodes)


def sums(graph, pairs, num_steps, **limits):
    """Bellman-Ford with sums: the background is 0, and every source starts with 1."""
    plan = SweepPlan.of(graph.rowptr, graph.col, num_steps)
    demand, values = plan.group(pairs), []
    for block in plan.blocks(demand, **limits):
        states, background = np.ones((block.num_start, 1)), np.zeros((graph.num_nodes, 1))
        for step in block.steps:
            table = np.concatenate([background, states])
            states = segment_sum(table[step.rows.col], step.rows.ptr) + step.rows.at_source[:, None]
        values.append(np.concatenate([background, states])[block.place, 0])
    return np.concatenate(values)[demand.place]


GRAPHS = {
    "sparse": random_graph(40, 45, seed=1),
    "dense": random_graph(25, 120, seed=2),
    "path": Graph.from_pairs([(i, i + 1) for i in range(11)], num_nodes=13),
    "empty": Graph.from_pairs([], num_nodes=3),
    "one node": Graph.from_pairs([], num_nodes=1),
}


@pytest.mark.parametrize("num_steps", [1, 2, 3, 6])
@pytest.mark.parametrize("name", GRAPHS)
def test_with_sums_it_is_the_powers_of_the_adjacency_matrix(name, num_steps):
    graph = GRAPHS[name]
    pairs = np.argwhere(np.ones((graph.num_nodes, graph.num_nodes)))
    powers = sum(np.linalg.matrix_power(dense(graph), k) for k in range(num_steps + 1))
    np.testing.assert_allclose(sums(graph, pairs, num_steps), powers[*pairs.T], rtol=1e-12)
    few = np.concatenate([pairs[::7], pairs[:3], pairs[:3, ::-1]])
    np.testing.assert_allclose(sums(graph, few, num_steps), powers[*few.T], rtol=1e-12)


@pytest.mark.parametrize(("max_rows", "num_blocks"), [(1, 25), (10**9, 4)])
def test_blocks_of_sources_change_nothing(max_rows, num_blocks, monkeypatch):
    graph = GRAPHS["dense"]
    pairs = np.argwhere(np.ones((graph.num_nodes, graph.num_nodes)))
    expected = sums(graph, pairs, 3)
    monkeypatch.setattr("linkwl.sparse.bellman_ford._SOURCES", 7)
    np.testing.assert_array_equal(sums(graph, pairs, 3, max_rows=max_rows), expected)
    plan = SweepPlan.of(graph.rowptr, graph.col, 3)
    blocks = list(plan.blocks(plan.group(pairs), max_rows))
    assert len(blocks) == num_blocks
    assert sum(len(block.place) for block in blocks) == len(pairs)


def test_a_block_has_no_more_states_than_it_may():
    graph = GRAPHS["dense"]
    plan = SweepPlan.of(graph.rowptr, graph.col, 3)
    demand = plan.group(graph.edges)
    alone = [block.num_states for block in plan.blocks(demand, 1)]
    limit = 3 * max(alone)
    together = [block.num_states for block in plan.blocks(demand, limit)]
    assert sum(together) == sum(alone)
    assert max(together) <= limit
    assert len(together) < len(alone)


def test_only_states_between_the_two_nodes_are_computed():
    graph = GRAPHS["path"]
    plan = SweepPlan.of(graph.rowptr, graph.col, 4)
    (block,) = plan.blocks(plan.group(np.array([(3, 6)])))
    assert block.num_start == 1
    # At most t edges from node 3 and at most 4 - t from node 6: {3, 4}, {4, 5}, {5, 6}, {6}.
    assert [step.rows.num_rows for step in block.steps] == [2, 2, 2, 1]
    (far,) = plan.blocks(plan.group(np.array([(0, 5), (0, 12)])))
    assert far.num_start == 0
    assert not any(step.rows.num_rows for step in far.steps)
    np.testing.assert_array_equal(far.place, plan.degrees.rank[[5, 12]])


def test_states_are_in_the_order_of_their_degrees():
    graph = GRAPHS["sparse"]
    plan = SweepPlan.of(graph.rowptr, graph.col, 3)
    for block in plan.blocks(plan.group(graph.edges)):
        for step in [*block.steps, plan.background]:
            counts = np.repeat(plan.degrees.counts, step.sizes)
            np.testing.assert_array_equal(np.diff(step.rows.ptr) + 1, counts)


def test_the_number_of_messages_of_a_node():
    order = DegreeOrder.of(np.array([3, 0, 3, 1]))
    assert order.order.tolist() == [1, 3, 0, 2]
    assert order.rank.tolist() == [2, 0, 3, 1]
    assert order.counts.tolist() == [2, 3, 5]
    assert order.sizes(np.array([0, 0, 3])) == [0, 1, 2]


def test_nodes_that_do_not_exist_are_refused():
    plan = SweepPlan.of(GRAPHS["empty"].rowptr, GRAPHS["empty"].col, 1)
    with pytest.raises(ValueError, match=r"node indices 0 \.\. 2"):
        plan.group(np.array([(0, 3)]))
