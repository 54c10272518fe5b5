from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from scipy.integrate import quad
from scipy.special import gammaln

from linkwl.nn.von_mises_fisher import bessel_ratio, divergence_from_uniform, log_normaliser, sample

KAPPAS = [0.05, 1.0, 3.0, 10.5, 40.0, 700.0]


def numbers(*values):
    return torch.tensor(values, dtype=torch.float64)


def integrals(m, kappa):
    """Means over the component t along the mean direction, by quadrature; and the logarithm of the total weight.

    The weight of t is exp(k t) times the size of the part of the sphere there, (1 - t^2)^((m - 3) / 2).
    """

    def log_weight(t):
        return kappa * t + (m - 3) / 2 * math.log1p(-t * t)

    half = (m - 3) / 2
    peak = (math.hypot(half, kappa) - half) / kappa if half else 1 - 1e-12
    highest = log_weight(peak)
    breaks = [t for t in peak + np.array([-0.1, -0.01, 0, 0.01]) if abs(t) < 1]

    def integral(function):
        return quad(lambda t: function(t) * math.exp(log_weight(t) - highest), -1, 1, limit=800, points=breaks)[0]

    total = integral(lambda t: 1.0)
    return lambda function: integral(function) / total, highest + math.log(total)


@pytest.mark.parametrize("kappa", KAPPAS)
def test_closed_form_on_the_ordinary_sphere(kappa):
    """In three dimensions C = k / (4 pi sinh k) and A = coth k - 1 / k."""
    log_sinh = kappa + math.log1p(-math.exp(-2 * kappa)) - math.log(2)
    log_c = math.log(kappa) - math.log(4 * math.pi) - log_sinh
    ratio = 1 / math.tanh(kappa) - 1 / kappa
    assert log_normaliser(numbers(kappa), 3).item() == pytest.approx(log_c, abs=1e-10)
    assert bessel_ratio(numbers(kappa), 3).item() == pytest.approx(ratio, abs=1e-10)
    divergence = kappa * ratio + log_c + math.log(4 * math.pi)
    assert divergence_from_uniform(numbers(kappa), 3).item() == pytest.approx(divergence, abs=1e-9)


@pytest.mark.parametrize("m", [3, 5, 16, 64])
@pytest.mark.parametrize("kappa", KAPPAS)
def test_divergence_and_mean_by_quadrature(m, kappa):
    mean, log_total = integrals(m, kappa)
    log_uniform = gammaln(m / 2) - gammaln((m - 1) / 2) - 0.5 * math.log(math.pi)
    assert bessel_ratio(numbers(kappa), m).item() == pytest.approx(mean(lambda t: t), abs=1e-7)
    # The ratio of the two densities depends on t alone.
    divergence = mean(lambda t: kappa * t - log_total - log_uniform)
    assert divergence_from_uniform(numbers(kappa), m).item() == pytest.approx(divergence, abs=1e-6)


@pytest.mark.parametrize("m", [2, 3, 17, 64])
def test_gradients_are_those_of_finite_differences(m):
    kappa = numbers(0.3, 1.0, 4.0, 25.0, 300.0).requires_grad_()
    for function in (bessel_ratio, log_normaliser, divergence_from_uniform):
        assert torch.autograd.gradcheck(lambda k, f=function: f(k, m), (kappa,))
        assert torch.autograd.gradgradcheck(lambda k, f=function: f(k, m), (kappa,))


def test_single_precision_has_its_own_accuracy():
    kappa = torch.tensor([1.0, 50.0, 20000.0], requires_grad=True)
    divergence = divergence_from_uniform(kappa, 16)
    assert divergence.dtype == torch.float32
    divergence.sum().backward()
    wide = kappa.detach().double().requires_grad_()
    exact = divergence_from_uniform(wide, 16)
    exact.sum().backward()
    np.testing.assert_allclose(divergence.detach(), exact.detach(), rtol=1e-3)
    np.testing.assert_allclose(kappa.grad, wide.grad, rtol=2e-2)


def test_an_underflow_is_refused():
    with pytest.raises(ValueError, match="use fewer dimensions"):
        log_normaliser(numbers(0.1), 2000)


@pytest.mark.parametrize("m", [2, 3, 16, 64])
@pytest.mark.parametrize("kappa", [0.5, 10.5, 200.0])
def test_samples_have_the_mean_of_the_distribution(m, kappa):
    count = 40000
    torch.manual_seed(0)
    mean = torch.nn.functional.normalize(torch.randn(m, dtype=torch.float64), dim=0)
    drawn = sample(mean.expand(count, m), torch.full((count,), kappa, dtype=torch.float64))
    np.testing.assert_allclose(drawn.norm(dim=1), 1, atol=1e-9)
    ratio = bessel_ratio(numbers(kappa), m).item()
    average = drawn.mean(0)
    noise = 4 / math.sqrt(count)
    assert float(average @ mean) == pytest.approx(ratio, abs=noise)
    np.testing.assert_allclose(average - (average @ mean) * mean, 0, atol=noise)
    # The second moment along the mean direction: A'' of the cumulants, 1 - (m - 1) A / k.
    along = drawn @ mean
    assert float(along.square().mean()) == pytest.approx(1 - (m - 1) * ratio / kappa, abs=noise)


def test_samples_follow_their_arguments():
    """The same draws with a slightly larger concentration, or another direction, move as the gradient says."""
    torch.manual_seed(1)
    direction = torch.nn.functional.normalize(torch.randn(6, 4, dtype=torch.float64), dim=1)
    kappa = torch.linspace(1, 30, 6, dtype=torch.float64)

    def draw(direction, kappa):
        with torch.random.fork_rng():
            torch.manual_seed(2)
            return sample(direction, kappa)

    assert torch.autograd.gradcheck(draw, (direction.requires_grad_(), kappa.requires_grad_()), eps=1e-7, atol=1e-5)


def test_a_mean_direction_on_the_first_axis_needs_no_reflection():
    direction = torch.zeros(3, 5, dtype=torch.float64)
    direction[:, 0] = 1
    direction.requires_grad_()
    drawn = sample(direction, torch.full((3,), 1e6, dtype=torch.float64))
    np.testing.assert_allclose(drawn[:, 0].detach(), 1, atol=1e-4)
    drawn.sum().backward()
    assert torch.isfinite(direction.grad).all()


def test_a_concentration_that_is_no_number_gives_no_number():
    drawn = sample(torch.eye(3, dtype=torch.float64), numbers(1.0, math.nan, 2.0))
    assert drawn.isnan().any(1).tolist() == [False, True, False]
