from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.reconstruction import reconstruction_loss
from network_cases import random_graph


def plain(z, table):
    """The published loss on dense matrices: weighted cross-entropy against A + I."""
    n, entries = len(table), table.sum()
    weight, norm = (n * n - entries) / entries, n * n / (2 * (n * n - entries))
    target = table + torch.eye(n, dtype=z.dtype)
    return norm * F.binary_cross_entropy_with_logits(z @ z.T, target, pos_weight=weight)


@pytest.mark.parametrize("block_elements", [1, 100, 1 << 22])
def test_blocks_give_the_dense_loss_and_its_gradient(block_elements):
    graph = random_graph()
    adjacency = Adjacency.from_csr(graph.rowptr, graph.col, is_symmetric=True)
    table = torch.from_numpy(graph.to_scipy().toarray().astype(np.float64) != 0).double()
    torch.manual_seed(0)
    z = torch.randn(graph.num_nodes, 5, dtype=torch.float64, requires_grad=True)
    loss, expected = reconstruction_loss(z, adjacency, block_elements=block_elements), plain(z, table)
    assert loss.item() == pytest.approx(expected.item(), abs=1e-12)
    (gradient,), (reference,) = (torch.autograd.grad(3 * value, z) for value in (loss, expected))
    np.testing.assert_allclose(gradient, reference, atol=1e-12)
    assert torch.autograd.gradcheck(lambda x: reconstruction_loss(x, adjacency), (z,))


def test_a_graph_without_edges_is_refused():
    empty = Adjacency(torch.zeros(4, dtype=torch.int64), torch.empty(0, dtype=torch.int64), is_symmetric=True)
    with pytest.raises(ValueError, match="must have edges"):
        reconstruction_loss(torch.ones(3, 2), empty)
