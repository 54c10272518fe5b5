from __future__ import annotations

import pytest
import torch
from adjacencies import assert_same_function, normal, randomised

from linkwl.nn.readout import PairReadout

KINDS = ["mlp", "linear", "sum"]


@pytest.fixture
def parts():
    """Both orientations of six pairs, and the nodes at their ends."""
    return [normal(6, width, seed=k) for k, width in enumerate([4, 4, 3, 3])]


def turned(parts):
    z, z_reverse, h_p, h_q = parts
    return z_reverse, z, h_q, h_p


@pytest.mark.parametrize("product", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_a_pair_has_one_score_either_way_round(parts, kind, product):
    readout = randomised(PairReadout(4, 3, kind=kind, hidden=5, product=product))
    assert readout(*parts).shape == (6,)
    assert_same_function(readout(*parts), readout(*turned(parts)), [*parts, *readout.parameters()], 1e-12)


def test_an_ordered_pair_has_two():
    readout = randomised(PairReadout(4, 3, is_ordered=True))
    parts = [normal(6, width, seed=k) for k, width in enumerate([4, 4, 3, 3])]
    assert ((readout(*parts) - readout(*turned(parts))).abs() > 1e-6).all()


@pytest.mark.parametrize("product", [False, True])
def test_mlp_reads_both_orientations_and_the_ends(parts, product):
    z, z_reverse, h_p, h_q = parts
    readout = randomised(PairReadout(4, 3, hidden=5, product=product))
    pair = z * z_reverse if product else z + z_reverse
    x = torch.cat([pair, h_p * h_q, h_p + h_q], dim=1)
    linear = readout.hidden.linears[0]
    plain = (x @ linear.weight.T + linear.bias).clamp(min=0) @ readout.out.weight[0] + readout.out.bias
    assert_same_function(readout(*parts), plain, [*parts, *readout.parameters()])


def test_linear_and_sum_are_the_published_readouts(parts):
    z, z_reverse, h_p, h_q = parts
    x = torch.cat([z * z_reverse, h_p * h_q], dim=1)
    linear = randomised(PairReadout(4, 3, kind="linear"))
    plain = x @ linear.out.weight[0] + linear.out.bias
    assert_same_function(linear(*parts), plain, [*parts, *linear.parameters()])
    total = PairReadout(4, 3, kind="sum")
    assert list(total.parameters()) == []
    assert_same_function(total(*parts), x.sum(1), parts)


@pytest.mark.parametrize("is_ordered", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_no_pair_and_one_pair(kind, is_ordered):
    readout = PairReadout(4, 3, kind=kind, is_ordered=is_ordered)
    for count in (0, 1):
        assert readout(*(torch.ones(count, width) for width in (4, 4, 3, 3))).shape == (count,)


@pytest.mark.parametrize("kind", KINDS)
def test_fresh_weights(kind):
    readout = PairReadout(4, 3, kind=kind)
    before = [weight.detach().clone() for weight in readout.parameters() if weight.ndim == 2]
    readout.reset_parameters()
    after = [weight for weight in readout.parameters() if weight.ndim == 2]
    assert all(not torch.equal(old, new) for old, new in zip(before, after, strict=True))
