from __future__ import annotations

import numpy as np
import pytest
import torch

from adjacencies import GRAPHS, adjacency_of, all_pairs_of
from linkwl.nn.walk_tensors import walk_tensors
from linkwl.sparse import plan_walks


@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("name", GRAPHS)
def test_it_is_the_plan_with_its_indices_as_tensors(name, rounds):
    graph = GRAPHS[name]
    adjacency, targets = adjacency_of(graph), all_pairs_of(graph.num_nodes)[::2]
    turned = adjacency.transpose.arrays if graph.is_directed else None
    plan = plan_walks(graph.rowptr, graph.col, targets.numpy(), rounds, transposed=turned)
    tensors = walk_tensors(adjacency, targets, rounds)
    for ours, theirs in (
        (tensors.edges, plan.edges),
        (tensors.first, plan.first),
        *zip(tensors.adjacent, plan.adjacent, strict=True),
        *zip(tensors.targets, plan.targets, strict=True),
    ):
        assert ours.dtype == torch.int64
        np.testing.assert_array_equal(ours.numpy(), theirs)
    assert len(tensors.joins) == len(tensors.adjacent) == len(tensors.targets) == rounds
    for ours, theirs in zip(tensors.joins, plan.joins, strict=True):
        np.testing.assert_array_equal(ours.left, theirs.left)
        np.testing.assert_array_equal(ours.right, theirs.right)
        np.testing.assert_array_equal(ours.ptr, theirs.ptr)


def test_terms_are_walks_of_edges():
    adjacency = adjacency_of(GRAPHS["directed"])
    targets = all_pairs_of(adjacency.num_nodes)
    tensors = walk_tensors(adjacency, targets, rounds=1)
    ends = adjacency.pairs[tensors.edges]
    first = ends[tensors.first]
    (join,) = tensors.joins
    table = torch.zeros(adjacency.num_nodes, adjacency.num_nodes)
    table[adjacency.row, adjacency.col] = 1
    walks = table @ table
    for (p, q), place in zip(targets.tolist(), tensors.targets[0].tolist(), strict=True):
        terms = slice(join.ptr[place], join.ptr[place + 1])
        left, right = first[join.left[terms].astype(np.int64)], ends[join.right[terms].astype(np.int64)]
        assert len(left) == walks[p, q]
        assert (left[:, 0] == p).all()
        assert (right[:, 1] == q).all()
        assert torch.equal(left[:, 1], right[:, 0])
