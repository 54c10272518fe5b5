from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from linkwl import InputError, UnknownNameError
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.sided_ids import SidedIds, numbers_if_all


def sided(left, right) -> SidedIds:
    return SidedIds(NodeIds(pa.array(left)), NodeIds(pa.array(right)))


BOTH = sided([1, 2, 10], [2, 3])
APART = sided(["ann", "bob"], ["jaws", "up"])
MIXED = sided([7, 8], ["up"])


def test_names_of_the_whole_graph():
    assert list(BOTH) == ["left:1", "left:2", "left:10", "right:2", "right:3"]
    assert list(APART) == ["ann", "bob", "jaws", "up"]
    assert list(MIXED) == ["7", "8", "up"]
    assert [ids.is_marked for ids in (BOTH, APART, MIXED)] == [True, False, False]


def test_a_side_finds_its_own_names_only():
    names = pa.array(["2", "3", "9"])
    assert BOTH.left.find(names).tolist() == [1, -1, -1]
    assert BOTH.right.find(names).tolist() == [3, 4, -1]
    assert BOTH.right.find(pa.array([2])).tolist() == [3]
    assert BOTH.left.take(np.array([0, 3])).to_pylist() == [1, 2]
    assert [len(side) for side in (BOTH.left, BOTH.right)] == [5, 5]


def test_plain_names_that_are_on_one_side():
    assert BOTH.indices([1, "right:2", 3, "left:10"]).tolist() == [0, 3, 4, 2]
    with pytest.raises(InputError, match="'2' is on both sides; write 'left:2' or 'right:2'"):
        BOTH.indices([2])
    with pytest.raises(UnknownNameError, match="unknown node '11'; did you mean '1'"):
        BOTH.indices(["11"])
    assert APART.indices(["up", "ann"]).tolist() == [3, 0]
    assert BOTH.find(pa.array([2, 3])).tolist() == [-1, 4]


@pytest.mark.parametrize("ids", [BOTH, APART, MIXED, sided(["left:a"], ["right:a"]), sided([0, 1], [2])])
def test_names_that_were_joined_can_be_split(ids):
    again = SidedIds.split(NodeIds(ids.to_arrow()), ids.num_left, ids.is_marked)
    assert (list(again), list(again.left), list(again.right)) == (list(ids), list(ids.left), list(ids.right))


def test_other_names_cannot_be_split():
    with pytest.raises(ValueError, match="not the names of two sides"):
        SidedIds.split(NodeIds(pa.array(["a", "b"])), 1, is_marked=True)


def test_numbers():
    assert numbers_if_all(pa.array(["1", " 20"])).to_pylist() == [1, 20]
    assert numbers_if_all(pa.array(["1", "x"])).to_pylist() == ["1", "x"]
    assert numbers_if_all(pa.array(["01"])).to_pylist() == ["01"]
