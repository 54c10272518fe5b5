from __future__ import annotations

import math

import pytest
import torch

from adjacencies import randomised
from linkwl.nn.degree_encoding import DegreeEncoding

SIZES = [0, 1, 2, 8, 10, 11, 12, 100, 1_000_000]


def encoding_of(max_degree, slope=None):
    encoding = randomised(DegreeEncoding(3, max_degree), seed=max_degree)
    if slope is not None:
        torch.nn.init.constant_(encoding.slope, slope)
    return encoding


def knots_of(encoding):
    return encoding.knots.double().expm1()


@pytest.mark.parametrize("max_degree", SIZES)
def test_knots_ascend_up_to_three_quarters_of_the_largest_degree(max_degree):
    knots = knots_of(encoding_of(max_degree))
    assert len(knots) >= 2
    assert (knots.diff() > 0).all()
    assert knots[0] == 0
    assert knots[-1] <= max(1, 0.75 * max_degree) * (1 + 1e-5)
    if max_degree > 1:
        assert knots[-1] > 0.5 * max_degree  # the last doubling of it has two


def test_small_degrees_have_a_knot_each_and_doublings_two():
    knots = knots_of(encoding_of(100))
    expected = [*range(9), *(8 * 2 ** (k / 2) for k in range(1, 7))]
    torch.testing.assert_close(knots, torch.tensor(expected, dtype=torch.float64), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("max_degree", SIZES)
def test_a_knot_is_read_where_it_is(max_degree):
    encoding = encoding_of(max_degree, slope=0.0)
    read = encoding(knots_of(encoding))
    torch.testing.assert_close(read, encoding.table, rtol=0, atol=1e-4)


def test_between_two_knots_it_is_straight_in_the_logarithm():
    encoding = encoding_of(100)
    knots = encoding.knots.double()
    for k in range(len(knots) - 1):
        for share in (0.25, 0.5, 0.9):
            place = torch.lerp(knots[k], knots[k + 1], share)
            expected = (1 - share) * encoding.table[k] + share * encoding.table[k + 1] + place * encoding.slope
            torch.testing.assert_close(encoding(place.expm1()[None])[0], expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("max_degree", SIZES)
def test_it_never_jumps(max_degree):
    encoding = encoding_of(max_degree)
    knots = knots_of(encoding)
    degree = torch.cat([knots * (1 - 1e-9), knots * (1 + 1e-9)])
    below, above = encoding(degree).chunk(2)
    torch.testing.assert_close(below, above, rtol=0, atol=1e-6)


@pytest.mark.parametrize("max_degree", SIZES)
def test_beyond_the_last_knot_only_the_linear_term_grows(max_degree):
    encoding = encoding_of(max_degree)
    degree = torch.tensor([max_degree + 1, 2 * max_degree + 3, 10**7, 2**31])
    encoded = encoding(degree)
    expected = encoding.table[-1] + degree.double().log1p()[:, None] * encoding.slope
    torch.testing.assert_close(encoded, expected, rtol=0, atol=1e-7)
    assert torch.equal(encoded.diff(dim=0).sign(), encoding.slope.sign().expand(3, -1))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("max_degree", SIZES)
def test_every_degree_has_a_finite_vector(max_degree, dtype):
    encoding = DegreeEncoding(3, max_degree).to(dtype)
    encoded = encoding(torch.tensor([0, 1, 7, 8, 9, 1000, 10**6, 2**40]))
    assert encoded.dtype == dtype
    assert torch.isfinite(encoded).all()


def test_equal_degrees_have_equal_vectors_and_small_ones_different_ones():
    encoding = DegreeEncoding(3, 20)
    encoded = encoding(torch.tensor([0, 1, 2, 3, 4, 5, 6, 7, 8, 5]))
    torch.testing.assert_close(encoded[5], encoded[9], rtol=0, atol=0)
    assert len(encoded.unique(dim=0)) == 9


def test_only_the_knots_around_a_degree_learn_from_it():
    encoding = encoding_of(100)
    encoding(torch.tensor([5, 9])).sum().backward()
    touched = (encoding.table.grad.abs().sum(1) > 1e-6).nonzero()[:, 0].tolist()
    assert touched == [5, 8, 9]
    torch.testing.assert_close(encoding.slope.grad, torch.full((3,), math.log(60.0), dtype=torch.float64))


def test_fresh_weights_have_no_linear_term():
    encoding = encoding_of(100)
    encoding.reset_parameters()
    assert not encoding.slope.any()
    assert 0.5 < encoding.table.std().item() < 1.5


def test_knots_are_not_saved_but_follow_the_largest_degree():
    assert set(DegreeEncoding(3, 100).state_dict()) == {"table", "slope"}
