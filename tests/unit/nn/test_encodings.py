from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from scipy import stats
from sklearn.preprocessing import QuantileTransformer

from adjacencies import randomised
from linkwl.nn.encodings import DegreeEncoding, QuantileEncoding, log_scale

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
def test_degrees_never_jump(max_degree):
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


def fitted(sample):
    encoding = QuantileEncoding(sample.shape[1])
    encoding.fit(sample)
    return encoding


def test_values_beside_their_normal_scores():
    sample = torch.distributions.Gamma(0.7, 1.0).sample((5000, 2))
    x = sample[::7]
    values, scores = fitted(sample)(x).chunk(2, dim=1)
    torch.testing.assert_close(values, (x - sample.mean(0)) / sample.std(0, correction=0))
    other = QuantileTransformer(n_quantiles=65, output_distribution="normal").fit(sample.numpy()).transform(x.numpy())
    inner = np.abs(other) < 1.5
    np.testing.assert_allclose(scores.numpy()[inner], other[inner], atol=0.05)
    assert stats.kstest(scores[:, 0], "norm").pvalue > 1e-3


def test_equal_values_have_the_middle_of_their_ranks():
    sample = torch.cat([torch.zeros(600), torch.linspace(1, 2, 400)])[:, None]
    score = fitted(sample)(torch.tensor([[0.0]]))[0, 1]
    assert abs(score.item() - stats.norm.ppf(0.3)) < 0.05


def test_quantiles_never_turn_values_round():
    sample = torch.cat([torch.zeros(300), torch.ones(300), torch.randn(400)])[:, None]
    x = torch.linspace(-4, 4, 2001)[:, None]
    scores = fitted(sample)(x)[:, 1]
    assert (scores.diff() >= 0).all()


def test_values_out_of_range_are_at_the_ends():
    encoding = fitted(torch.randn(500, 1))
    low, high = encoding(torch.tensor([[-1e6], [1e6]]))[:, 1]
    assert abs(low + high) < 1e-5
    assert 2 < high < 3


def test_a_constant_channel():
    encoding = fitted(torch.full((50, 1), 3.0))
    told = encoding(torch.tensor([[3.0], [2.0], [4.0]]))
    assert told.isfinite().all()
    assert told[0].tolist() == [0.0, 0.0]


def test_nothing_stays_nothing_and_one_is_about_one():
    scaled = log_scale(torch.tensor([0.0, 1.0], dtype=torch.float64))
    assert abs(scaled[0].item()) < 1e-12
    assert abs(scaled[1].item() - 1) < 1e-4


def test_a_factor_of_ten_is_a_step():
    steps = log_scale(torch.tensor([0.01, 0.1, 1, 10, 100], dtype=torch.float64)).diff()
    torch.testing.assert_close(steps, torch.full((4,), 0.25, dtype=torch.float64), rtol=0, atol=2e-3)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_any_weight_and_its_gradient_is_finite(dtype):
    x = torch.tensor([0, 1e-30, 1e-9, 1, 1e9], dtype=dtype, requires_grad=True)
    scaled = log_scale(x)
    assert (scaled.diff() >= 0).all()
    scaled.sum().backward()
    assert torch.isfinite(scaled).all()
    assert (x.grad > 0).all()
    assert torch.isfinite(x.grad).all()
