from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from linkwl.errors import InputError
from linkwl.predict.contributions import BUDGET, check_budget, num_scores, share_out, share_sum


class Game:
    """A value for every combination, and how often each was asked for."""

    def __init__(self, num_groups, seed, order=None):
        generator = np.random.default_rng(seed)
        self.asked = []
        self._terms = {}
        for code in range(1 << num_groups):
            present = frozenset(k for k in range(num_groups) if code >> k & 1)
            if order is None or len(present) <= order:
                self._terms[present] = generator.normal()

    def __call__(self, present):
        self.asked.append(present)
        return sum(value for group, value in self._terms.items() if group <= present)


def shapley(value, num_groups):
    """The definition: what a group adds, averaged over all orders."""
    parts = np.zeros(num_groups)
    orders = list(permutations(range(num_groups)))
    for order in orders:
        present = frozenset()
        for group in order:
            parts[group] += value(present | {group}) - value(present)
            present |= {group}
    return parts / len(orders)


@pytest.mark.parametrize("num_groups", range(1, 7))
def test_all_combinations_give_the_shapley_values(num_groups):
    found = share_out(Game(num_groups, 3), num_groups, budget=1 << num_groups)
    assert found.parts == pytest.approx(shapley(Game(num_groups, 3), num_groups))
    assert found.errors == (0.0,) * num_groups


@pytest.mark.parametrize("num_groups", range(7))
def test_up_to_six_groups_are_exact_within_the_budget(num_groups):
    game = Game(num_groups, 1)
    found = share_out(game, num_groups)
    assert found.parts == pytest.approx(shapley(Game(num_groups, 1), num_groups))
    assert found.errors == (0.0,) * num_groups
    assert len(game.asked) <= BUDGET


@pytest.mark.parametrize("budget", [1, 16, 20])
@pytest.mark.parametrize("num_groups", [5, 6, 8])
def test_groups_that_act_in_twos_are_exact_from_few_scores(num_groups, budget):
    found = share_out(Game(num_groups, 2, order=2), num_groups, budget=budget)
    assert found.parts == pytest.approx(shapley(Game(num_groups, 2, order=2), num_groups))
    assert max(found.errors) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("num_groups", [1, 2, 3, 5, 6, 7])
@pytest.mark.parametrize("budget", [1, 16, 30, 64])
def test_parts_add_up_and_each_combination_is_scored_once(num_groups, budget):
    game = Game(num_groups, 5)
    found = share_out(game, num_groups, budget=budget)
    everything = frozenset(range(num_groups))
    assert found.baseline + sum(found.parts) == pytest.approx(found.score)
    assert len(game.asked) == len(set(game.asked)) == num_scores(num_groups, budget)
    assert found.without == tuple(game(everything - {group}) for group in range(num_groups))


def test_estimates_lie_within_three_errors_and_approach_the_truth():
    errors = {}
    for budget in (16, 40):
        gaps, scaled = [], []
        for seed in range(40):
            truth = shapley_of_table(seed)
            found = share_out(Game(6, seed), 6, budget=budget, seed=seed)
            gaps += list(np.abs(found.parts - truth))
            scaled += list(np.abs(found.parts - truth) / np.array(found.errors))
        errors[budget] = np.mean(gaps)
        assert np.mean(np.array(scaled) < 3) > 0.9
    assert errors[40] < 0.6 * errors[16]


def shapley_of_table(seed):
    return np.array(share_out(Game(6, seed), 6, budget=64).parts)


def test_a_sum_takes_one_score_for_each_group():
    game = Game(7, 4, order=1)
    found = share_sum(game, 7)
    assert len(game.asked) == 9
    assert found.baseline + sum(found.parts) == pytest.approx(found.score)
    assert found.parts == pytest.approx([game(frozenset([k])) - game(frozenset()) for k in range(7)])


def test_no_groups():
    assert share_out(Game(0, 0), 0).parts == ()


@pytest.mark.parametrize(("groups", "budget"), [(1, 16), (13, 16), (4, 0), (4, 5000)])
def test_impossible_numbers_are_refused(groups, budget):
    with pytest.raises(InputError, match="must be"):
        check_budget(groups, budget)
