from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from adjacencies import assert_same_function, normal, randomised
from linkwl.nn.star_branch import StarBranch
from linkwl.nn.star_conv import Places, hear, star_totals
from linkwl.sparse import Stars

STARS = Stars.at_both_ends(np.array([(0, 1), (0, 2), (1, 2), (3, 3), (2, 4)]), 6)


@pytest.mark.parametrize("graph_norm", [False, True])
@pytest.mark.parametrize("layer_norm", [False, True])
def test_a_convolution_and_what_follows_it(graph_norm, layer_norm):
    branch = randomised(
        StarBranch(4, graph_norm=graph_norm, layer_norm=layer_norm, dropout=0.5, activation=True).double()
    ).eval()
    members, u = Places.of_members(STARS), normal(5, 4)
    x = hear(star_totals(u, members, "symmetric"), u, members, "symmetric") + branch.bias
    x = branch.norm(x) if graph_norm else x
    x = F.layer_norm(x, (4,)) if layer_norm else x
    found, sums = branch.observe(u, members)
    assert_same_function(found, x.relu(), (u, *branch.parameters()))
    assert_same_function(branch(u, sums, members), x.relu(), (u, *branch.parameters()))


def test_the_statistics_are_those_of_the_members():
    branch = StarBranch(3, graph_norm=True, layer_norm=False, dropout=0.0, activation=False).double()
    _, sums = branch.observe(normal(5, 3), Places.of_members(STARS))
    queries = Stars.at_both_ends(np.array([(0, 4), (5, 5)]), 6)
    places = Places.of_queries(queries, STARS.size, np.zeros(2, dtype=bool))
    both = branch(torch.zeros(2, 3, dtype=torch.float64), sums, places)
    alone = Places.of_queries(Stars(queries.ends[1:], 6), STARS.size, np.zeros(1, dtype=bool))
    torch.testing.assert_close(branch(torch.zeros(1, 3, dtype=torch.float64), sums, alone), both[1:])
