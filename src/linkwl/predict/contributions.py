"""Shares a score out among groups of evidence: Shapley values from few scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from math import comb
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from linkwl.errors import InputError
from linkwl.typing import FloatArray

BUDGET = 64
"""Number of scores of an explanation, at most: all combinations of six groups, or sixteen of the usual four."""
_MOST_GROUPS = 12
_MOST_SCORES = 1 << _MOST_GROUPS

Coalition = frozenset[int]
"""The groups that are present, by number."""
Value = Callable[[Coalition], float]
"""The score if only these groups are present."""


class Contributions(NamedTuple):
    """How a score is made up; the baseline and the parts add up to the score."""

    score: float
    """The score with all groups."""
    baseline: float
    """The score without any group."""
    parts: tuple[float, ...]
    """The contribution of each group."""
    errors: tuple[float, ...]
    """The standard error of each contribution; 0 if all combinations of groups were scored."""
    without: tuple[float, ...]
    """The score without this group alone."""
    table: Mapping[Coalition, float] = MappingProxyType({})
    """The scores of combinations of groups, as far as they were computed."""


class _Pair(NamedTuple):
    """A combination of groups and its complement."""

    present: Coalition
    weight: float


def share_out(value: Value, num_groups: int, *, budget: int = BUDGET, seed: int = 0) -> Contributions:
    r"""The Shapley values of groups: what each adds to the score, averaged over all orders of adding them.

    They are the solution of a least-squares problem: with the Shapley kernel :math:`\pi` as weights, and the values of
    a combination S and its complement,

    .. math::
        \min_\varphi \sum_S \pi_{|S|} \Big( v(S) - v(\bar S) - \sum_{i \in S} \varphi_i + \sum_{i \notin S} \varphi_i
        \Big)^2, \qquad \sum_i \varphi_i = v(N) - v(\emptyset).

    Each group alone and all groups but one are always scored. Further combinations are drawn, each with its complement,
    as far as the budget goes. If groups act together only in twos, every choice gives the exact values; the standard
    errors come from the residuals, so they measure what three and more groups do together.

    Reference: Lundberg and Lee, A unified approach to interpreting model predictions, NeurIPS 2017, Theorem 2; in
    complementary pairs after Covert and Lee, Improving KernelSHAP, AISTATS 2021.

    Args:
        value: The score with some of the groups; called at most once for each combination.
        num_groups: Number of groups.
        budget: Maximum number of scores; at least two for each group, and two.
        seed: Seed of the drawn combinations.
    """
    everything = frozenset(range(num_groups))
    score = value(everything)
    if num_groups == 0:
        return Contributions(score, score, (), (), ())
    baseline = value(frozenset())
    if num_groups == 1:
        table = {everything: score, frozenset[int](): baseline}
        return Contributions(score, baseline, (score - baseline,), (0.0,), (baseline,), table)
    pairs, is_all = _choose(num_groups, budget, np.random.default_rng(seed))
    known = {everything: score, frozenset[int](): baseline}
    for pair in pairs:
        for present in (pair.present, everything - pair.present):
            if present not in known:
                known[present] = value(present)
    gaps = np.array([known[pair.present] - known[everything - pair.present] for pair in pairs])
    parts, errors = _fit(pairs, gaps, num_groups, score - baseline)
    if is_all:
        errors = np.zeros(num_groups)
    without = tuple(known[everything - {group}] for group in range(num_groups))
    return Contributions(score, baseline, tuple(parts.tolist()), tuple(errors.tolist()), without, known)


def check_budget(groups: int | None, budget: int) -> None:
    """Checks the number of groups and of scores.

    Raises:
        InputError: If one of them is too small or too large.
    """
    if groups is not None and not 2 <= groups <= _MOST_GROUPS:
        raise InputError(f"the number of groups must be 2 to {_MOST_GROUPS}, got {groups}.")
    if not 1 <= budget <= _MOST_SCORES:
        raise InputError(f"the number of scores must be 1 to {_MOST_SCORES}, got {budget}.")


def num_scores(num_groups: int, budget: int) -> int:
    """The number of scores that :func:`share_out` computes."""
    least = 2 * num_groups + 2
    return min(1 << num_groups, least + max(budget - least, 0) // 2 * 2)


def share_sum(value: Value, num_groups: int) -> Contributions:
    """The contributions to a score that is a sum of one term for each group: the drop of the score without it.

    Args:
        value: The score with some of the groups; asked once for each group, and twice.
        num_groups: Number of groups.
    """
    everything = frozenset(range(num_groups))
    score, baseline = value(everything), value(frozenset())
    without = tuple(value(everything - {group}) for group in range(num_groups))
    return Contributions(score, baseline, tuple(score - rest for rest in without), (0.0,) * num_groups, without)


def _choose(num_groups: int, budget: int, generator: np.random.Generator) -> tuple[list[_Pair], bool]:
    """The combinations to score with their complements, each with its weight; and whether these are all."""
    single = [_Pair(frozenset([group]), _kernel(num_groups, 1)) for group in range(num_groups)]
    if num_groups == 2:
        return single[:1], True
    if num_groups == 3:
        return single, True
    others = list(_larger(num_groups))
    count = min(max((budget - 2) // 2 - num_groups, 0), len(others))
    if count == len(others):
        return single + others, True
    if count == 0:
        return single, False
    weights = np.array([pair.weight for pair in others])
    drawn = generator.choice(len(others), count, replace=False, p=weights / weights.sum())
    # The drawn ones stand for all others.
    return single + [_Pair(others[k].present, weights.sum() / count) for k in sorted(drawn.tolist())], False


def _larger(num_groups: int) -> Iterator[_Pair]:
    """The combinations of two groups up to half of them; of two complements of the same size, the one with group 0."""
    for size in range(2, num_groups // 2 + 1):
        for chosen in combinations(range(num_groups), size):
            if 2 * size < num_groups or 0 in chosen:
                yield _Pair(frozenset(chosen), _kernel(num_groups, size))


def _kernel(num_groups: int, size: int) -> float:
    """The Shapley kernel of a combination."""
    return (num_groups - 1) / (comb(num_groups, size) * size * (num_groups - size))


def _fit(pairs: list[_Pair], gaps: FloatArray, num_groups: int, total: float) -> tuple[FloatArray, FloatArray]:
    """The parts whose sum is the total and that fit the gaps best; and their standard errors."""
    signs = np.array([[1.0 if group in pair.present else -1.0 for group in range(num_groups)] for pair in pairs])
    weights = np.array([pair.weight for pair in pairs])
    # The last part is the total minus the others, so the sum holds whatever the rounding.
    rows = signs[:, :-1] - signs[:, -1:]
    wanted = gaps - signs[:, -1] * total
    normal = rows.T @ (weights[:, None] * rows)
    free = np.linalg.solve(normal, rows.T @ (weights * wanted))
    parts = np.append(free, total - free.sum())
    num_spare = len(pairs) - (num_groups - 1)
    variance = float(weights @ (wanted - rows @ free) ** 2) / max(num_spare, 1)
    covariance = variance * np.linalg.inv(normal)
    errors = np.sqrt(np.append(np.diag(covariance), covariance.sum()))
    return parts, errors
