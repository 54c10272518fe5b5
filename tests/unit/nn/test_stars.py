from __future__ import annotations

import numpy as np
import pytest
import torch

from adjacencies import assert_same_function, normal
from linkwl.nn import stars as operators
from linkwl.nn.stars import at_stars, star_sums
from linkwl.sparse import Stars

STARS = Stars.at_both_ends(np.random.default_rng(0).integers(0, 9, (30, 2)), 9)


@pytest.mark.parametrize("scale", [None, normal(30, seed=1, requires_grad=False)])
@pytest.mark.parametrize(("function", "rows"), [(star_sums, 30), (at_stars, 9)])
def test_value_and_gradient_equal_the_plain_version(function, rows, scale, monkeypatch):
    x = normal(rows, 4)
    fast = function(x, STARS, scale)
    monkeypatch.setattr(operators, "has_kernels", lambda _: False)
    assert_same_function(fast, function(x, STARS, scale), (x,))


@pytest.mark.parametrize(("function", "rows"), [(star_sums, 30), (at_stars, 9)])
def test_first_and_second_derivatives(function, rows):
    assert torch.autograd.gradcheck(lambda x: function(x, STARS), (normal(rows, 2),))
    assert torch.autograd.gradgradcheck(lambda x: function(x, STARS), (normal(rows, 2),))


@pytest.mark.parametrize(("function", "name"), [(star_sums, "x"), (at_stars, "t")])
def test_wrong_shapes_are_refused(function, name):
    with pytest.raises(ValueError, match=f"`{name}` must have shape"):
        function(torch.zeros(4, 2), STARS)
