from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from linkwl.predict.contributions import share_out
from linkwl.predict.interplay import interaction, unite

# Shared neighbours (0), paths (1), places (2) and other links (3) of two airports, as a network scored them: without
# shared neighbours, or without places, the score is higher than with both, and yet both have a large part.
AIRPORTS = {
    (): -9.84, (0,): -2.72, (1,): -9.89, (2,): -4.44, (3,): -0.95, (0, 1): -2.44, (0, 2): -0.31, (0, 3): -1.97,
    (1, 2): -4.52, (1, 3): -0.87, (2, 3): 3.85, (0, 1, 2): -0.07, (0, 1, 3): 4.56, (0, 2, 3): 0.74, (1, 2, 3): 3.73,
    (0, 1, 2, 3): 1.50,
}  # fmt: skip


def shared(table, num_groups):
    known = {frozenset(present): score for present, score in table.items()}
    return share_out(known.__getitem__, num_groups, budget=1 << num_groups)


def random_table(num_groups, seed):
    generator = np.random.default_rng(seed)
    sets = [present for size in range(num_groups + 1) for present in combinations(range(num_groups), size)]
    return {present: float(value) for present, value in zip(sets, generator.normal(size=len(sets)), strict=True)}


def test_evidence_that_replaces_each_other_is_united():
    found = shared(AIRPORTS, 4)
    assert found.parts[0] > 2 and found.parts[2] > 2
    assert found.score < found.without[0] and found.score < found.without[2]
    united = unite(found, [False, False, False, True])
    assert united.members == ((0, 2), (1,), (3,))
    assert united.interactions[0] < -4
    assert united.interactions[1:] == (0.0, 0.0)
    # Without both the score falls, so that the part and the removal agree.
    assert united.found.parts[0] > 2
    assert united.found.score - united.found.without[0] == pytest.approx(1.50 - -0.87)
    assert united.found.baseline + sum(united.found.parts) == pytest.approx(united.found.score)


def test_evidence_that_only_acts_together_is_united():
    """Either alone lowers the score; both raise it a little."""
    table = {(): 0.0, (0,): -4.0, (1,): -4.0, (0, 1): -1.0}
    united = unite(shared(table, 2), [False, False])
    assert united.members == ((0, 1),)
    assert united.interactions == (7.0,)
    assert united.found.parts == (-1.0,)


def test_what_one_of_the_nodes_has_is_never_united():
    found = shared(AIRPORTS, 4)
    assert unite(found, [True, False, False, True]).members[0] == (0,)


def test_groups_that_agree_with_their_removal_stay_apart():
    """They overlap, but both raise the score."""
    table = {(): 0.0, (0,): 3.0, (1,): 3.0, (0, 1): 4.0}
    assert unite(shared(table, 2), [False, False]).members == ((0,), (1,))


def test_small_contradictions_stay():
    table = {(): 0.0, (0,): 0.2, (1,): 10.0, (0, 1): 9.9}
    found = shared(table, 2)
    assert found.parts[0] * (found.score - found.without[0]) < 0
    assert unite(found, [False, False]).members == ((0,), (1,))


def test_without_all_scores_nothing_is_united():
    found = shared(AIRPORTS, 4)._replace(table={})
    assert unite(found, [False] * 4).members == ((0,), (1,), (2,), (3,))


@pytest.mark.parametrize("seed", range(20))
def test_parts_add_up_and_united_groups_do_not_contradict_their_removal(seed):
    found = shared(random_table(4, seed), 4)
    united = unite(found, [False, False, False, seed % 2 == 0])
    assert sorted(group for player in united.members for group in player) == [0, 1, 2, 3]
    assert united.found.baseline + sum(united.found.parts) == pytest.approx(found.score)
    for k, player in enumerate(united.members):
        if len(player) > 1:
            assert united.found.parts[k] * (united.found.score - united.found.without[k]) >= 0


@pytest.mark.parametrize("num_groups", [2, 3, 4])
def test_the_interaction_is_an_average_over_orders(num_groups):
    """How much more a group adds right after the other, over all orders in which the two are one step."""
    table = {frozenset(present): value for present, value in random_table(num_groups, 7).items()}
    others, found = range(2, num_groups), []
    for order in permutations(("both", *others)):
        rest = frozenset(order[: order.index("both")])
        both, first, second = (rest | frozenset(some) for some in ((0, 1), (0,), (1,)))
        found.append(table[both] - table[first] - table[second] + table[rest])
    players = [(group,) for group in range(num_groups)]
    assert interaction(table, players, 0, 1) == pytest.approx(np.mean(found))
    assert interaction(table, players, 1, 0) == pytest.approx(np.mean(found))
