"""Decision trees as a layer."""

import numpy as np
import torch

from linkwl.nn.tree_sum import TreeSum
from linkwl.sparse.trees import Trees

TREES = Trees(
    root=np.array([0, ~0], dtype=np.int32),
    feature=np.array([1, 0], dtype=np.int32),
    threshold=np.array([0.5, -1.0]),
    children=np.array([[1, ~3], [~1, ~2]], dtype=np.int32),
    leaf=np.array([0.25, 1.0, 2.0, 4.0]),
)


def test_leaves_are_added():
    x = torch.tensor([[-2.0, 0.0], [0.0, 0.5], [0.0, 1.0]])
    found = TreeSum.of(TREES)(x)
    assert found.tolist() == [1.25, 2.25, 4.25]
    assert found.dtype == torch.float64


def test_the_arrays_are_a_part_of_the_state():
    layer, empty = TreeSum.of(TREES), TreeSum(2, 2, 4)
    assert not list(layer.parameters())
    empty.load_state_dict(layer.state_dict())
    for found, expected in zip(empty.trees, TREES, strict=True):
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == expected.dtype
    assert "num_trees=2" in repr(layer)


def test_no_trees_add_nothing():
    assert TreeSum(0, 0, 0)(torch.ones(3, 2)).tolist() == [0, 0, 0]
