from __future__ import annotations

import numpy as np
import pytest
import torch

from adjacencies import GRAPHS, adjacency_of, assert_same_function, normal
from linkwl.graph import Graph
from linkwl.nn import Adjacency, neighbour_sum, reference
from plans import graph_with_hubs


@pytest.mark.parametrize("channels", [1, 16])
@pytest.mark.parametrize("name", GRAPHS)
def test_value_and_gradient_equal_the_plain_version(name, channels):
    adjacency = adjacency_of(GRAPHS[name])
    x = normal(adjacency.num_nodes, channels)
    assert_same_function(neighbour_sum(x, adjacency), reference.neighbour_sum(x, adjacency), [x])


@pytest.mark.parametrize("is_directed", [False, True])
def test_is_the_product_with_the_adjacency_matrix(is_directed):
    graph = graph_with_hubs(is_directed=is_directed)
    x = normal(graph.num_nodes, 3)
    out = neighbour_sum(x, adjacency_of(graph))
    np.testing.assert_allclose(out.detach(), graph.to_scipy() @ x.detach().numpy(), atol=1e-10)


def test_a_directed_edge_brings_what_it_points_to():
    adjacency = adjacency_of(Graph.from_pairs([(0, 1), (0, 2)], 3, is_directed=True))
    x = torch.tensor([[1.0], [10.0], [100.0]], requires_grad=True)
    out = neighbour_sum(x, adjacency)
    assert out.tolist() == [[110], [0], [0]]
    assert torch.autograd.grad(out[0, 0], x)[0].tolist() == [[0], [1], [1]]


def test_first_and_second_derivatives():
    adjacency = adjacency_of(GRAPHS["directed"])
    x = normal(adjacency.num_nodes, 2)
    assert torch.autograd.gradcheck(lambda x: neighbour_sum(x, adjacency), x)
    assert torch.autograd.gradgradcheck(lambda x: neighbour_sum(x, adjacency), x)


def test_vectors_need_not_be_contiguous():
    adjacency = adjacency_of(GRAPHS["undirected"])
    x = normal(3, adjacency.num_nodes)
    assert_same_function(neighbour_sum(x.T, adjacency), reference.neighbour_sum(x.T, adjacency), [x])


def test_a_gradient_that_is_one_number_everywhere():
    adjacency = adjacency_of(GRAPHS["directed"])
    x = normal(adjacency.num_nodes, 2)
    neighbour_sum(x, adjacency).sum().backward()
    assert torch.equal(x.grad, adjacency.transpose.degree[:, None].expand(-1, 2).double())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_same_bits_for_any_number_of_threads(dtype):
    adjacency = adjacency_of(graph_with_hubs(3000, 60_000))
    x = normal(3000, 16).to(dtype)
    before, results = torch.get_num_threads(), []
    try:
        for threads in (1, 2, 3):
            torch.set_num_threads(threads)
            out = neighbour_sum(x, adjacency)
            results.append([out, *torch.autograd.grad(out.square().sum(), x)])
    finally:
        torch.set_num_threads(before)
    for other in results[1:]:
        assert all(torch.equal(one, another) for one, another in zip(results[0], other, strict=True))


def test_other_types_take_the_plain_way():
    adjacency = adjacency_of(GRAPHS["undirected"])
    x = normal(adjacency.num_nodes, 2).to(torch.bfloat16)
    out = neighbour_sum(x, adjacency)
    assert out.dtype == torch.bfloat16
    assert torch.equal(out, reference.neighbour_sum(x, adjacency))


@pytest.mark.parametrize("shape", [(13, 2), (14,)])
def test_vectors_that_do_not_fit_are_told(shape):
    adjacency: Adjacency = adjacency_of(GRAPHS["undirected"])
    with pytest.raises(ValueError, match=r"`x` must have shape \(14, channels\)"):
        neighbour_sum(torch.zeros(shape), adjacency)
