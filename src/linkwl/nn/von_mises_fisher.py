r"""The von Mises-Fisher distribution on the unit sphere: a normal distribution for directions.

Its density at :math:`\mathbf{z} \in S^{m-1} \subset \mathbb{R}^m` is
:math:`C_m(\kappa) \exp(\kappa\, \boldsymbol\mu^\top \mathbf{z})`, with mean direction :math:`\boldsymbol\mu` and
concentration :math:`\kappa > 0`. Bessel functions are SciPy's, exponentially scaled and in double precision; the
gradients are ours.

Reference: Davidson et al., Hyperspherical variational auto-encoders, UAI, 2018, arXiv:1804.00891.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from scipy.special import ive
from torch import Tensor
from torch.nn import functional as F

_LOG_2_PI = math.log(2 * math.pi)
# A mean direction this close to the first axis is not reflected.
_SHORTEST = 1e-6
# Beyond this concentration, samples are the mean direction up to rounding.
_LARGEST = 1e12


def bessel_ratio(kappa: Tensor, m: int) -> Tensor:
    r"""The mean resultant length :math:`A_m(\kappa) = I_{m/2}(\kappa) / I_{m/2-1}(\kappa)`, from 0 to 1.

    It is the length of the mean of the distribution. :math:`A_m' = 1 - A_m^2 - \frac{m-1}{\kappa} A_m`.

    Args:
        kappa: Concentrations.
        m: Dimension of the space around the sphere, at least 2.

    Raises:
        ValueError: If the Bessel functions underflow: a small concentration in several hundred dimensions.
    """
    return _BesselRatio.apply(kappa, m)  # type: ignore[no-untyped-call]


def log_normaliser(kappa: Tensor, m: int) -> Tensor:
    r"""The logarithm of the density's constant.

    .. math::
        \ln C_m(\kappa) = (\tfrac{m}{2} - 1) \ln \kappa - \tfrac{m}{2} \ln 2\pi - \ln I_{m/2-1}(\kappa), \qquad
        (\ln C_m)' = -A_m

    Args:
        kappa: Concentrations.
        m: Dimension of the space around the sphere, at least 2.

    Raises:
        ValueError: As for :func:`bessel_ratio`.
    """
    return _LogNormaliser.apply(kappa, m)  # type: ignore[no-untyped-call]


def divergence_from_uniform(kappa: Tensor, m: int) -> Tensor:
    r"""The Kullback-Leibler divergence from the uniform distribution on the sphere.

    .. math::
        \kappa A_m(\kappa) + \ln C_m(\kappa) + \ln \frac{2 \pi^{m/2}}{\Gamma(m/2)}

    It does not depend on the mean direction.

    Args:
        kappa: Concentrations.
        m: Dimension of the space around the sphere, at least 2.
    """
    log_area = math.log(2) + m / 2 * math.log(math.pi) - math.lgamma(m / 2)
    return kappa * bessel_ratio(kappa, m) + log_normaliser(kappa, m) + log_area


def sample(direction: Tensor, kappa: Tensor) -> Tensor:
    r"""One sample for each row, from torch's global generator, with a gradient to both arguments.

    The component along the mean direction is drawn by rejection (Wood, 1994), the others are uniform around it, and a
    reflection maps the first axis to the mean direction. The gradient of the probability of acceptance is neglected.

    Args:
        direction: Mean directions, of unit length.
        kappa: Concentrations.

    Shape:
        - direction: ``(num_rows, m)``, with m at least 2
        - kappa: ``(num_rows,)``
        - output: ``(num_rows, m)``, of unit length
    """
    m = direction.shape[1]
    along = _along(kappa, _accepted(kappa.detach(), m), m)[:, None]
    around = F.normalize(torch.randn(len(direction), m - 1, dtype=direction.dtype, device=direction.device), dim=1)
    first = torch.cat([along, (1 - along.square()).clamp(min=0).sqrt() * around], dim=1)
    axis = torch.zeros_like(direction)
    axis[:, 0] = 1
    mirror = F.normalize(axis - direction, dim=1, eps=_SHORTEST)
    return first - 2 * (mirror * first).sum(1, keepdim=True) * mirror


def _shape(kappa: Tensor, m: int) -> Tensor:
    r"""Wood's :math:`b = (\sqrt{4\kappa^2 + (m-1)^2} - 2\kappa) / (m-1)`, without the cancellation for large values."""
    return (m - 1) / (2 * kappa + (4 * kappa.square() + (m - 1) ** 2).sqrt())


def _along(kappa: Tensor, draw: Tensor, m: int) -> Tensor:
    """The component along the mean direction, from a draw of the beta distribution."""
    b = _shape(kappa, m)
    return (1 - (1 + b) * draw) / (1 - (1 - b) * draw)


@torch.no_grad()
def _accepted(kappa: Tensor, m: int) -> Tensor:
    """One accepted draw of the beta distribution for each concentration; about two in three are accepted."""
    half = torch.full((), (m - 1) / 2, dtype=torch.float64, device=kappa.device)
    beta = torch.distributions.Beta(half, half, validate_args=False)
    wide = kappa.double()  # in single precision, large concentrations would never be accepted
    draws = torch.full_like(wide, 0.5)
    # One that is not a number would not be accepted either: the loop of training reports it.
    left = (wide < _LARGEST).nonzero()[:, 0]
    while len(left):
        k, draw = wide[left], beta.sample(left.shape)
        b = _shape(k, m)
        center = (1 - b) / (1 + b)
        along = _along(k, draw, m)
        bound = k * center + (m - 1) * torch.log(4 * b / (1 + b).square())
        surplus = k * along + (m - 1) * torch.log1p(-center * along) - bound
        is_accepted = surplus >= torch.rand_like(k).log()
        draws[left[is_accepted]] = draw[is_accepted]
        left = left[~is_accepted]
    return draws.to(kappa.dtype)


def _scaled_bessel(order: float, kappa: Tensor) -> Tensor:
    r"""SciPy's :math:`I_v(\kappa) e^{-\kappa}` in double precision."""
    value = torch.from_numpy(ive(order, kappa.detach().cpu().double().numpy())).to(kappa.device)
    if bool((value == 0).any()):
        raise ValueError(
            f"the Bessel function of order {order:g} underflows at {float(kappa.min()):g}; "
            "use fewer dimensions or larger concentrations."
        )
    return value


class _BesselRatio(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, kappa: Tensor, m: int) -> Tensor:
        ctx.save_for_backward(kappa)
        ctx.m = m
        return (_scaled_bessel(m / 2, kappa) / _scaled_bessel(m / 2 - 1, kappa)).to(kappa.dtype)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        (kappa,) = ctx.saved_tensors
        wide = kappa.double()  # the terms nearly cancel
        ratio = bessel_ratio(wide, ctx.m)
        return gradients[0] * (1 - ratio.square() - (ctx.m - 1) / wide * ratio).to(kappa.dtype), None


class _LogNormaliser(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, kappa: Tensor, m: int) -> Tensor:
        ctx.save_for_backward(kappa)
        ctx.m = m
        wide, order = kappa.double(), m / 2 - 1
        logarithm = wide + _scaled_bessel(order, kappa).log()
        return (order * wide.log() - m / 2 * _LOG_2_PI - logarithm).to(kappa.dtype)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        (kappa,) = ctx.saved_tensors
        return -gradients[0] * bessel_ratio(kappa, ctx.m), None
