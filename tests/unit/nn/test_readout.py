from __future__ import annotations

import pytest
import torch

from adjacencies import all_pairs_of, assert_same_function, normal, randomised
from linkwl.nn.readout import PairReadout

KINDS = ["mlp", "linear", "sum"]
PAIRS = torch.cat([all_pairs_of(3), torch.tensor([[0, 2]])])


@pytest.fixture
def z():
    return normal(len(PAIRS), 4)


@pytest.fixture
def z_reverse():
    return normal(len(PAIRS), 4, seed=1)


@pytest.fixture
def nodes():
    """Three nodes at two depths."""
    return [normal(3, 2, seed=2), normal(3, 2, seed=3)]


@pytest.mark.parametrize("product", [False, True])
@pytest.mark.parametrize("depths", [0, 1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_a_pair_has_one_score_either_way_round(z, z_reverse, nodes, kind, depths, product):
    readout = randomised(PairReadout(4, 2, depths, kind=kind, hidden=5, product=product))
    there, back = readout(z, z_reverse, nodes, PAIRS), readout(z_reverse, z, nodes, PAIRS.flip(1))
    assert there.shape == (len(PAIRS),)
    assert_same_function(there, back, [z, z_reverse, *nodes, *readout.parameters()], 1e-12)


@pytest.mark.parametrize("depths", [0, 2])
def test_an_ordered_pair_has_two(z, z_reverse, nodes, depths):
    readout = randomised(PairReadout(4, 2, depths, is_ordered=True))
    there, back = readout(z, z_reverse, nodes, PAIRS), readout(z_reverse, z, nodes, PAIRS.flip(1))
    assert ((there - back).abs() > 1e-6).all()


def test_nodes_alone_tell_the_order_of_their_pair(z, nodes):
    readout = randomised(PairReadout(4, 2, 1, is_ordered=True))
    there, back = readout(z, z, nodes, PAIRS), readout(z, z, nodes, PAIRS.flip(1))
    is_loop = PAIRS[:, 0] == PAIRS[:, 1]
    assert torch.equal((there - back).abs() < 1e-9, is_loop)


def perceptron(readout, parts):
    linear, out = readout.reader[0].linears[0], readout.reader[1]
    return (torch.cat(parts, dim=1) @ linear.weight.T + linear.bias).clamp(min=0) @ out.weight[0] + out.bias


def ends(nodes):
    """Both ends of every pair at each depth, and the cosine of the two."""
    for h in nodes:
        h_p, h_q = h[PAIRS[:, 0]], h[PAIRS[:, 1]]
        yield h_p, h_q, (h_p * h_q).sum(1, keepdim=True) / (h_p.norm(dim=1) * h_q.norm(dim=1))[:, None]


@pytest.mark.parametrize("product", [False, True])
def test_mlp_reads_both_orientations_and_the_ends_at_every_depth(z, z_reverse, nodes, product):
    readout = randomised(PairReadout(4, 2, 2, hidden=5, product=product))
    parts = [z * z_reverse if product else z + z_reverse]
    for h_p, h_q, cosine in ends(nodes):
        parts += [h_p * h_q, h_p + h_q, cosine]
    inputs = [z, z_reverse, *nodes, *readout.parameters()]
    assert_same_function(readout(z, z_reverse, nodes, PAIRS), perceptron(readout, parts), inputs)


def test_an_ordered_mlp_reads_them_side_by_side(z, z_reverse, nodes):
    readout = randomised(PairReadout(4, 2, 2, hidden=5, is_ordered=True))
    parts = [z, z_reverse]
    for h_p, h_q, cosine in ends(nodes):
        parts += [h_p * h_q, h_p, h_q, cosine]
    inputs = [z, z_reverse, *nodes, *readout.parameters()]
    assert_same_function(readout(z, z_reverse, nodes, PAIRS), perceptron(readout, parts), inputs)


def test_linear_and_sum_are_the_published_readouts(z, z_reverse, nodes):
    h_p, h_q, _ = list(ends(nodes))[-1]
    x = torch.cat([z * z_reverse, h_p * h_q], dim=1)
    linear = randomised(PairReadout(4, 2, 2, kind="linear"))
    plain = x @ linear.reader.weight[0] + linear.reader.bias
    assert_same_function(linear(z, z_reverse, nodes, PAIRS), plain, [z, z_reverse, *nodes, *linear.parameters()])
    total = PairReadout(4, 2, 2, kind="sum")
    assert list(total.parameters()) == []
    assert_same_function(total(z, z_reverse, nodes, PAIRS), x.sum(1), [z, z_reverse, *nodes])


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_last_depths_are_read(z, z_reverse, nodes, kind):
    readout = randomised(PairReadout(4, 2, 1, kind=kind))
    plain = readout(z, z_reverse, nodes[-1:], PAIRS)
    assert_same_function(readout(z, z_reverse, nodes, PAIRS), plain, [z, *nodes])
    blind = randomised(PairReadout(4, 2, 0, kind=kind))
    gradients = torch.autograd.grad(blind(z, z_reverse, nodes, PAIRS).sum(), nodes, allow_unused=True)
    assert gradients == (None, None)


def test_vectors_without_length_have_no_direction():
    """What rounding leaves of a zero vector must not swing the score, nor its gradient."""
    readout = randomised(PairReadout(4, 2, 1))
    z, pairs = torch.zeros(1, 4, dtype=torch.float64), torch.tensor([[0, 1]])
    tiny = (1e-6 * normal(2, 2, requires_grad=False)).requires_grad_()
    nothing = readout(z, z, [torch.zeros(2, 2, dtype=torch.float64)], pairs)
    score = readout(z, z, [tiny], pairs)
    torch.testing.assert_close(score, nothing, rtol=0, atol=1e-3)
    score.sum().backward()
    assert tiny.grad.abs().max() < 1e3


@pytest.mark.parametrize("is_ordered", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_no_pair_and_one_pair(kind, is_ordered):
    readout = PairReadout(4, 2, 1, kind=kind, is_ordered=is_ordered)
    for count in (0, 1):
        z = torch.ones(count, 4)
        assert readout(z, z, [torch.ones(3, 2)], PAIRS[:count]).shape == (count,)


@pytest.mark.parametrize("kind", ["mlp", "linear"])
def test_fresh_weights(kind):
    readout = PairReadout(4, 2, 1, kind=kind)
    before = [weight.detach().clone() for weight in readout.parameters() if weight.ndim == 2]
    readout.reset_parameters()
    after = [weight for weight in readout.parameters() if weight.ndim == 2]
    assert before
    assert all(not torch.equal(old, new) for old, new in zip(before, after, strict=True))
