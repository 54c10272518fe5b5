from __future__ import annotations

import numpy as np
import pytest
import torch

from adjacencies import assert_same_function, normal
from linkwl.nn.star_conv import Places, hear, star_totals, take_rows
from linkwl.sparse import Stars
from linkwl.sparse.reference import pair_adjacency

NUM_NODES = 8
PAIRS = np.unique(np.sort(np.random.default_rng(0).integers(0, NUM_NODES, (25, 2)), axis=1), axis=0)
ORDERED = np.unique(np.concatenate([PAIRS, PAIRS[:, ::-1]]), axis=0)
CASES = {
    "at both ends": Stars.at_both_ends(PAIRS, NUM_NODES),
    "by position": Stars.by_position(ORDERED, NUM_NODES),
    "at one end": Stars.at_one_end(ORDERED[:, 0], NUM_NODES),
}


def explicit(stars, normalise):
    """The dense matrix of the convolution."""
    twice = torch.from_numpy(2 * pair_adjacency(stars.ends) + np.eye(stars.num_pairs))
    degree = twice.sum(1)
    return twice / degree[:, None] if normalise == "row" else twice / (degree[:, None] * degree).sqrt()


@pytest.mark.parametrize("normalise", ["row", "symmetric"])
@pytest.mark.parametrize("case", CASES)
def test_members_hear_as_in_the_explicit_graph_of_pairs(case, normalise):
    stars = CASES[case]
    members, u = Places.of_members(stars), normal(stars.num_pairs, 3)
    heard = hear(star_totals(u, members, normalise), u, members, normalise)
    assert_same_function(heard, explicit(stars, normalise) @ u, (u,))


@pytest.mark.parametrize("normalise", ["row", "symmetric"])
def test_another_pair_hears_as_if_it_were_a_receiving_member(normalise):
    """The explicit graph has one more row; the others do not hear from it, so their degrees are those without it."""
    stars, others = Stars.at_both_ends(PAIRS[1:], NUM_NODES), Stars.at_both_ends(PAIRS[:1], NUM_NODES)
    members, u, own = Places.of_members(stars), normal(stars.num_pairs, 3), normal(1, 3, seed=1)
    places = Places.of_queries(others, stars.size, np.array([False]))
    heard = hear(star_totals(u, members, normalise), own, places, normalise)
    shared = torch.from_numpy(pair_adjacency(np.concatenate([others.ends, stars.ends]))[0, 1:])
    degree = 2 * shared.sum() + 1
    weight = 2 * shared / degree
    if normalise == "symmetric":
        weight = 2 * shared / (degree * torch.from_numpy(2 * stars.num_neighbours + 1)).sqrt()
    assert_same_function(heard, (weight @ u + own[0] / degree)[None], (u, own))


@pytest.mark.parametrize("case", CASES)
def test_a_member_hears_the_same_as_a_query(case):
    stars = CASES[case]
    members, u = Places.of_members(stars), normal(stars.num_pairs, 3)
    places = Places.of_queries(stars, stars.size, np.ones(stars.num_pairs, dtype=bool))
    for normalise in ("row", "symmetric"):
        totals = star_totals(u, members, normalise)
        torch.testing.assert_close(hear(totals, u, places, normalise), hear(totals, u, members, normalise))


def test_rows_that_are_not_there_are_zero():
    x = normal(3, 2)
    taken = take_rows(x, np.array([2, -1, 0]))
    assert_same_function(taken, torch.stack([x[2], 0 * x[0], x[0]]), (x,))
    assert take_rows(normal(0, 2), np.array([-1])).tolist() == [[0, 0]]
