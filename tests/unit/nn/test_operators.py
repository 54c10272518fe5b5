from __future__ import annotations

import numpy as np
import pytest
import torch

from adjacencies import GRAPHS, adjacency_of, assert_same_function, normal
from linkwl.graph import Graph
from linkwl.nn import Adjacency, join, neighbour_sum, operators, reference, segment_sum
from linkwl.sparse import plan_walks
from plans import arguments, graph_with_hubs, random_triples

SIZES = [(0, 0, 0, 0), (3, 2, 2, 0), (1, 1, 1, 5), (20, 7, 9, 60), (900, 300, 40, 12_000)]


@pytest.mark.parametrize("channels", [1, 8])
@pytest.mark.parametrize("sizes", SIZES)
def test_join_value_and_gradient_equal_the_plain_version(sizes, channels):
    triples = random_triples(*sizes)
    a, b = normal(triples.num_left, channels), normal(triples.num_right, channels, seed=1)
    assert_same_function(join(a, b, triples), reference.join(a, b, triples), (a, b))


def test_value_and_gradient_on_the_joins_of_a_plan():
    graph = graph_with_hubs(100, 400, is_directed=True)
    rows, turned = arguments(graph)
    pairs = torch.randint(0, 100, (60, 2), generator=torch.Generator().manual_seed(0))
    plan = plan_walks(*rows, pairs.numpy(), 3, **turned)
    for triples in plan.joins:
        a, b = normal(triples.num_left, 4), normal(triples.num_right, 4, seed=1)
        assert triples.num_terms > 0
        assert_same_function(join(a, b, triples), reference.join(a, b, triples), (a, b))


def test_join_first_and_second_derivatives():
    triples = random_triples(5, 3, 4, 12)
    factors = (normal(3, 2), normal(4, 2, seed=1))
    assert torch.autograd.gradcheck(lambda a, b: join(a, b, triples), factors)
    assert torch.autograd.gradgradcheck(lambda a, b: join(a, b, triples), factors)


@pytest.mark.parametrize("wanted", [0, 1])
def test_only_the_gradient_that_is_asked_for_is_computed(wanted, monkeypatch):
    triples = random_triples(5, 3, 4, 12)
    factors = [normal(3, 2, requires_grad=wanted == 0), normal(4, 2, seed=1, requires_grad=wanted == 1)]
    unwanted = ("right", "left")[wanted]
    monkeypatch.setitem(operators._KERNELS, unwanted, None)
    join(*factors, triples).sum().backward()
    assert factors[wanted].grad.abs().sum() > 0


def test_factors_need_not_be_contiguous():
    triples = random_triples(20, 7, 9, 60)
    a, b = normal(3, 7), normal(9, 6, seed=1)
    assert_same_function(join(a.T, b[:, ::2], triples), reference.join(a.T, b[:, ::2], triples), (a, b))


def test_join_a_gradient_that_is_one_number_everywhere():
    triples = random_triples(20, 7, 9, 60)
    a, b = normal(7, 3), normal(9, 3, seed=1)
    join(a, b, triples).sum().backward()  # the gradient comes as an expanded tensor without strides
    (expected,) = torch.autograd.grad(reference.join(a, b, triples).sum(), a)
    torch.testing.assert_close(a.grad, expected)


def test_join_the_same_bits_for_any_number_of_threads(monkeypatch):
    triples = random_triples(3000, 500, 700, 60_000)
    a, b = normal(500, 16).float(), normal(700, 16, seed=1).float()
    results = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        out = join(a, b, triples)
        results.append([out, *torch.autograd.grad(out.square().sum(), (a, b))])
    for other in results[1:]:
        assert all(torch.equal(one, another) for one, another in zip(results[0], other, strict=True))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_join_other_types_take_the_plain_way(dtype):
    triples = random_triples(20, 7, 9, 60)
    a, b = normal(7, 3).to(dtype), normal(9, 3, seed=1).to(dtype)
    out = join(a, b, triples)
    assert out.dtype == dtype
    assert torch.equal(out, reference.join(a, b, triples))


@pytest.mark.parametrize(
    ("a", "b", "sentence"),
    [
        ((6, 3), (9, 3), r"`a` must have shape \(7, channels\), got \(6, 3\)"),
        ((7, 3), (9,), r"`b` must have shape \(9, channels\), got \(9,\)"),
        ((7, 3), (9, 4), "must have the same channels, type and device, got 3, .* and 4, "),
    ],
)
def test_factors_that_do_not_fit_are_told(a, b, sentence):
    with pytest.raises(ValueError, match=sentence):
        join(torch.zeros(a), torch.zeros(b), random_triples(20, 7, 9, 60))


def test_factors_of_two_types_are_told():
    with pytest.raises(ValueError, match="float32, cpu and 3, torch.float64"):
        join(torch.zeros(7, 3), torch.zeros(9, 3, dtype=torch.float64), random_triples(20, 7, 9, 60))


@pytest.mark.parametrize("channels", [1, 16])
@pytest.mark.parametrize("name", GRAPHS)
def test_neighbour_sum_value_and_gradient_equal_the_plain_version(name, channels):
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


def test_neighbour_sum_first_and_second_derivatives():
    adjacency = adjacency_of(GRAPHS["directed"])
    x = normal(adjacency.num_nodes, 2)
    assert torch.autograd.gradcheck(lambda x: neighbour_sum(x, adjacency), x)
    assert torch.autograd.gradgradcheck(lambda x: neighbour_sum(x, adjacency), x)


def test_vectors_need_not_be_contiguous():
    adjacency = adjacency_of(GRAPHS["undirected"])
    x = normal(3, adjacency.num_nodes)
    assert_same_function(neighbour_sum(x.T, adjacency), reference.neighbour_sum(x.T, adjacency), [x])


def test_neighbour_sum_a_gradient_that_is_one_number_everywhere():
    adjacency = adjacency_of(GRAPHS["directed"])
    x = normal(adjacency.num_nodes, 2)
    neighbour_sum(x, adjacency).sum().backward()
    assert torch.equal(x.grad, adjacency.transpose.degree[:, None].expand(-1, 2).double())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_neighbour_sum_the_same_bits_for_any_number_of_threads(dtype):
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


def test_neighbour_sum_other_types_take_the_plain_way():
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


@pytest.mark.parametrize("channels", [1, 5])
@pytest.mark.parametrize("counts", [[], [0], [3, 0, 2], [0, 0, 7], [100] * 300])
def test_segment_sum_value_and_gradient_equal_the_plain_version(counts, channels):
    ptr = torch.tensor([0, *counts], dtype=torch.int64).cumsum(0)
    values = normal(sum(counts), channels)
    assert_same_function(segment_sum(values, ptr), reference.segment_sum(values, ptr), [values])


def test_sums_by_hand():
    values = torch.tensor([[1.0], [2.0], [4.0]])
    assert segment_sum(values, torch.tensor([0, 0, 2, 3, 3])).tolist() == [[0], [3], [4], [0]]


def test_segment_sum_first_and_second_derivatives():
    ptr = torch.tensor([0, 2, 2, 5])
    assert torch.autograd.gradcheck(lambda x: segment_sum(x, ptr), normal(5, 2))
    assert torch.autograd.gradgradcheck(lambda x: segment_sum(x, ptr), normal(5, 2))


def test_values_need_not_be_contiguous():
    values, ptr = normal(4, 6), torch.tensor([0, 2, 2, 6])
    assert_same_function(segment_sum(values.T, ptr), reference.segment_sum(values.T, ptr), [values])


def test_segment_sum_other_types_take_the_plain_way():
    values = normal(5, 2).to(torch.bfloat16)
    assert segment_sum(values, torch.tensor([0, 2, 5])).dtype == torch.bfloat16


@pytest.mark.parametrize(
    ("shape", "ptr"),
    [((3,), [0, 3]), ((3, 1), [0, 2]), ((3, 1), [1, 3]), ((3, 1), []), ((3, 1), [[0, 3]]), ((3, 1), [0, 9, 3])],
)
def test_starts_that_do_not_cover_the_values_are_told(shape, ptr):
    with pytest.raises(ValueError, match="`ptr` ascend from 0 to num_rows, got"):
        segment_sum(torch.zeros(shape), torch.tensor(ptr, dtype=torch.int64))


@pytest.mark.parametrize("name", GRAPHS)
def test_neighbour_sum_with_weights(name):
    """The kernel against the plain version and a dense product, with the gradient."""
    plain = adjacency_of(GRAPHS[name])
    adjacency = plain.with_weight(_weights_of(plain))
    x = normal(adjacency.num_nodes, 5).double()
    dense = torch.zeros(adjacency.num_nodes, adjacency.num_nodes, dtype=torch.float64)
    dense[adjacency.row, adjacency.col] = adjacency.weight
    for version in (neighbour_sum, reference.neighbour_sum):
        given = x.clone().requires_grad_()
        found = version(given, adjacency)
        torch.testing.assert_close(found, dense @ x)
        (gradient,) = torch.autograd.grad(found.square().sum(), given)
        torch.testing.assert_close(gradient, dense.T @ (2 * dense @ x))


def _weights_of(adjacency: Adjacency) -> np.ndarray:
    """A weight per entry, the same for both directions of an undirected edge."""
    p, q = adjacency.pairs.T.double().numpy()
    return 0.5 + (p * q + p + q) % 7 if adjacency.is_symmetric else 0.5 + (3 * p + q) % 7
