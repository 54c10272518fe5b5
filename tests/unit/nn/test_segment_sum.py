from __future__ import annotations

import pytest
import torch

from adjacencies import assert_same_function, normal
from linkwl.nn import reference, segment_sum


@pytest.mark.parametrize("channels", [1, 5])
@pytest.mark.parametrize("counts", [[], [0], [3, 0, 2], [0, 0, 7], [100] * 300])
def test_value_and_gradient_equal_the_plain_version(counts, channels):
    ptr = torch.tensor([0, *counts], dtype=torch.int64).cumsum(0)
    values = normal(sum(counts), channels)
    assert_same_function(segment_sum(values, ptr), reference.segment_sum(values, ptr), [values])


def test_sums_by_hand():
    values = torch.tensor([[1.0], [2.0], [4.0]])
    assert segment_sum(values, torch.tensor([0, 0, 2, 3, 3])).tolist() == [[0], [3], [4], [0]]


def test_first_and_second_derivatives():
    ptr = torch.tensor([0, 2, 2, 5])
    assert torch.autograd.gradcheck(lambda x: segment_sum(x, ptr), normal(5, 2))
    assert torch.autograd.gradgradcheck(lambda x: segment_sum(x, ptr), normal(5, 2))


def test_values_need_not_be_contiguous():
    values, ptr = normal(4, 6), torch.tensor([0, 2, 2, 6])
    assert_same_function(segment_sum(values.T, ptr), reference.segment_sum(values.T, ptr), [values])


def test_other_types_take_the_plain_way():
    values = normal(5, 2).to(torch.bfloat16)
    assert segment_sum(values, torch.tensor([0, 2, 5])).dtype == torch.bfloat16


@pytest.mark.parametrize(
    ("shape", "ptr"),
    [((3,), [0, 3]), ((3, 1), [0, 2]), ((3, 1), [1, 3]), ((3, 1), []), ((3, 1), [[0, 3]]), ((3, 1), [0, 9, 3])],
)
def test_starts_that_do_not_cover_the_values_are_told(shape, ptr):
    with pytest.raises(ValueError, match="`ptr` ascend from 0 to num_rows, got"):
        segment_sum(torch.zeros(shape), torch.tensor(ptr, dtype=torch.int64))
