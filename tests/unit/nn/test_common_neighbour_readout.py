from __future__ import annotations

import torch

from linkwl.nn.common_neighbour_readout import CommonNeighbourReadout


def readout(**options):
    torch.manual_seed(0)
    settings = {"layers": 1, "norm": False, "dropout": 0.0, "is_logarithmic": False, **options}
    return CommonNeighbourReadout(3, 4, **settings).double()


def test_the_logit_is_the_formula():
    net = readout()
    product, common = torch.randn(2, 5, 3, dtype=torch.float64).unbind()
    first, second = net.of_product.linears[0], net.of_common.linears[0]
    hidden = torch.relu(product @ first.weight.T) + torch.relu(common @ second.weight.T)  # the biases start at zero
    last = torch.relu(hidden @ net.joint.linears[0].weight.T)
    torch.testing.assert_close(net(product, common), last @ net.out.weight[0] + net.out.bias[0])


def test_sums_may_be_read_as_logarithms_of_either_sign():
    plain, log = readout(), readout(is_logarithmic=True)
    product, common = torch.randn(2, 5, 3, dtype=torch.float64).unbind()
    torch.testing.assert_close(log(product, common.sign() * (common.abs().exp() - 1)), plain(product, common))


def test_every_weight_learns_and_can_be_reset():
    net = readout(norm=True, layers=2, is_logarithmic=True)
    net(*torch.randn(2, 50, 3, dtype=torch.float64).unbind()).square().sum().backward()
    assert all(weight.grad is not None and weight.grad.any() for weight in net.parameters())
    before = net.out.weight.clone()
    net.reset_parameters()
    assert not torch.equal(net.out.weight, before)
