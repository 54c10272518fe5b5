from __future__ import annotations

import numpy as np
import pytest

from linkwl.wl.link_classes import classify_links
from linkwl.wl.witnesses import WITNESSES


@pytest.mark.parametrize("witness", WITNESSES.values(), ids=WITNESSES)
def test_1_wl_and_local_2_wl_can_share_a_panel(witness):
    one, two = classify_links(witness, "1-wl"), classify_links(witness, "local-2-wl")
    np.testing.assert_array_equal(one.rank, two.rank)
    assert one.verdict == two.verdict


def test_all_links_are_drawn_with_the_two_compared_ones_among_them():
    classes = classify_links(WITNESSES["W2c"], "1-wl")
    assert [pairs.tolist() for pairs in classes.links] == [
        [[0, 2], [1, 3]],
        [[0, 2], [0, 3], [1, 3], [1, 4], [2, 4]],
    ]
    assert classes.compared == (0, 2)
    assert classes.rank.tolist() == [0] * 7


def test_links_are_coloured_whichever_way_they_are_read():
    classes = classify_links(WITNESSES["W1"], "1-wl")
    rank = {tuple(pair): rank for pair, rank in zip(classes.links[0].tolist(), classes.rank.tolist(), strict=True)}
    assert rank[0, 4] == rank[1, 5]  # an end and the neighbour of an end, in either order
