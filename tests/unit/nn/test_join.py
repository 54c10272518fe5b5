from __future__ import annotations

import pytest
import torch

from adjacencies import assert_same_function, normal
from linkwl.nn import join, reference
from linkwl.sparse import plan_walks
from plans import arguments, graph_with_hubs, random_triples

SIZES = [(0, 0, 0, 0), (3, 2, 2, 0), (1, 1, 1, 5), (20, 7, 9, 60), (900, 300, 40, 12_000)]


@pytest.mark.parametrize("channels", [1, 8])
@pytest.mark.parametrize("sizes", SIZES)
def test_value_and_gradient_equal_the_plain_version(sizes, channels):
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


def test_first_and_second_derivatives():
    triples = random_triples(5, 3, 4, 12)
    factors = (normal(3, 2), normal(4, 2, seed=1))
    assert torch.autograd.gradcheck(lambda a, b: join(a, b, triples), factors)
    assert torch.autograd.gradgradcheck(lambda a, b: join(a, b, triples), factors)


@pytest.mark.parametrize("wanted", [0, 1])
def test_only_the_gradient_that_is_asked_for_is_computed(wanted, monkeypatch):
    triples = random_triples(5, 3, 4, 12)
    factors = [normal(3, 2, requires_grad=wanted == 0), normal(4, 2, seed=1, requires_grad=wanted == 1)]
    unwanted = ("right", "left")[wanted]
    monkeypatch.setitem(kernels(), unwanted, None)
    join(*factors, triples).sum().backward()
    assert factors[wanted].grad.abs().sum() > 0


def kernels():
    import sys

    return sys.modules["linkwl.nn.join"]._KERNELS


def test_factors_need_not_be_contiguous():
    triples = random_triples(20, 7, 9, 60)
    a, b = normal(3, 7), normal(9, 6, seed=1)
    assert_same_function(join(a.T, b[:, ::2], triples), reference.join(a.T, b[:, ::2], triples), (a, b))


def test_a_gradient_that_is_one_number_everywhere():
    triples = random_triples(20, 7, 9, 60)
    a, b = normal(7, 3), normal(9, 3, seed=1)
    join(a, b, triples).sum().backward()  # the gradient comes as an expanded tensor without strides
    (expected,) = torch.autograd.grad(reference.join(a, b, triples).sum(), a)
    torch.testing.assert_close(a.grad, expected)


def test_the_same_bits_for_any_number_of_threads(monkeypatch):
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
def test_other_types_take_the_plain_way(dtype):
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
