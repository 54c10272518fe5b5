r"""Bayesian factorisation of labelled pairs, by Gibbs sampling.

.. math::
    \hat y_{ij} = w_0 + w_i + w_j + \langle v_i, v_j \rangle
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.rows import starts
from linkwl.typing import FloatArray, IntArray, Pairs

_FIRST_SPREAD = 0.1
"""Standard deviation of the factors before the first draw."""


class FactorDraws(NamedTuple):
    """The mean of the offset and the weights over all draws, and every draw of the factors."""

    offset: float
    weight: FloatArray
    """:math:`w_i`; float64, shape ``(num_nodes,)``."""
    factors: FloatArray
    """:math:`v_i` of each draw; float32, shape ``(num_nodes, num_draws, rank)``."""


class _Examples(NamedTuple):
    """Labelled pairs by node: those of node v are ``ptr[v] : ptr[v + 1]`` of `example` and `other`."""

    first: IntArray
    second: IntArray
    label: FloatArray
    ptr: IntArray
    example: IntArray
    other: IntArray


def draw_factors(
    pairs: Pairs,
    labels: FloatArray,
    num_nodes: int,
    *,
    rank: int,
    skipped: int,
    draws: int,
    thinning: int = 1,
    generator: np.random.Generator,
) -> FactorDraws:
    r"""Draws from the posterior of a factorisation with Gaussian noise.

    An iteration draws every number from its distribution given all others. With the residuals :math:`e = y - \hat y`,
    the derivatives :math:`h` of :math:`\hat y` by a weight or factor :math:`\theta`, the precision :math:`\alpha` of
    the noise, and the mean :math:`\mu` and precision :math:`\lambda` of its kind,

    .. math::
        \theta \sim N\Big(\sigma^2 \big(\alpha \sum h (e + h \theta) + \lambda \mu\big),\ \sigma^2\Big), \quad
        \sigma^{-2} = \alpha \sum h^2 + \lambda

    The weights are one kind, and the factors of each rank another. Precisions have Gamma(1/2, 1/2) priors; means have
    normal ones around 0. An iteration takes one thread O(pairs * rank).

    Args:
        pairs: The labelled pairs, of two different nodes each.
        labels: One number per pair.
        num_nodes: Number of nodes; those without pairs are drawn from the prior.
        rank: Number of factors.
        skipped: Number of first iterations that are not kept.
        draws: Number of draws to keep.
        thinning: Number of iterations per kept draw.
        generator: The source of randomness.

    Reference: Freudenthaler et al., Bayesian Factorization Machines, NIPS Workshop on Sparse Representation, 2011.
    """
    factors = np.empty((num_nodes, draws, rank), dtype=np.float32)
    weight = np.zeros(num_nodes)
    offset = _sample(_by_node(pairs, labels, num_nodes), skipped, thinning, weight, factors, generator)
    return FactorDraws(offset, weight, factors)


def _by_node(pairs: Pairs, labels: FloatArray, num_nodes: int) -> _Examples:
    ends = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    flat = ends.T.reshape(-1)  # all first ends, then all second ends
    order = np.argsort(flat, kind="stable")
    other = ends[:, ::-1].T.reshape(-1)[order]
    ptr = starts(np.bincount(flat, minlength=num_nodes))
    label = np.asarray(labels, dtype=np.float64)
    return _Examples(ends[:, 0].copy(), ends[:, 1].copy(), label, ptr, order % max(len(ends), 1), other)


@kernel
def _sample(examples, skipped, thinning, mean_weight, factors, generator):
    """Fills the draws of the factors, adds up the mean of the weights, and returns the mean of the offset."""
    num_nodes, num_draws, rank = factors.shape
    theta = np.zeros((1 + rank, num_nodes))  # weights, then one row per factor
    for f in range(1, 1 + rank):
        for v in range(num_nodes):
            theta[f, v] = _FIRST_SPREAD * generator.standard_normal()
    mean, precision = np.zeros(1 + rank), np.ones(1 + rank)
    offset, mean_offset = 0.0, 0.0
    error = examples.label.copy()
    for k in range(len(error)):
        for f in range(1, 1 + rank):
            error[k] -= theta[f, examples.first[k]] * theta[f, examples.second[k]]
    for step in range(1, skipped + num_draws * thinning + 1):
        noise = _draw_precision(1 + len(error), error, 0.0, generator)
        if len(error) > 0:
            change = error.mean() + generator.standard_normal() / np.sqrt(noise * len(error))
            offset += change
            error -= change
        for f in range(1 + rank):
            # The prior of a mean has the weight of one more number, which is 0.
            precision[f] = _draw_precision(2 + num_nodes, theta[f], mean[f], generator, mean[f] ** 2)
            spread = 1 / np.sqrt((1 + num_nodes) * precision[f])
            mean[f] = theta[f].sum() / (1 + num_nodes) + spread * generator.standard_normal()
            _draw_kind(theta[f], f == 0, mean[f], precision[f], noise, examples, error, generator)
        t, rest = divmod(step - skipped, thinning)
        if t > 0 and rest == 0:
            mean_offset += offset / num_draws
            for v in range(num_nodes):
                mean_weight[v] += theta[0, v] / num_draws
                for f in range(rank):
                    factors[v, t - 1, f] = theta[1 + f, v]
    return mean_offset


@kernel
def _draw_precision(count, values, mean, generator, squares=0.0):
    """A precision given numbers around a mean, from its Gamma distribution."""
    for value in values:
        squares += (value - mean) ** 2
    return generator.standard_gamma(count / 2) / ((1 + squares) / 2)


@kernel
def _draw_kind(values, is_weight, mean, precision, noise, examples, error, generator):
    """All weights, or all factors of one rank, node by node; the errors follow."""
    for v in range(len(values)):
        start, stop = examples.ptr[v], examples.ptr[v + 1]
        squares, total, old = 0.0, 0.0, values[v]
        for e in range(start, stop):
            h = 1.0 if is_weight else values[examples.other[e]]
            squares += h * h
            total += h * error[examples.example[e]]
        variance = 1 / (noise * squares + precision)
        center = variance * (noise * (old * squares + total) + precision * mean)
        values[v] = center + generator.standard_normal() * np.sqrt(variance)
        change = values[v] - old
        for e in range(start, stop):
            h = 1.0 if is_weight else values[examples.other[e]]
            error[examples.example[e]] -= change * h
