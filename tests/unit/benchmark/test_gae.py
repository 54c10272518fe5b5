from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from linkwl.benchmark.gae import prepare_gae
from linkwl.graph import Graph

torch = pytest.importorskip("torch")
PAIRS = np.array([[0, 3], [1, 2], [3, 0]], dtype=np.int32)


@pytest.mark.parametrize("features", [None, np.eye(4, 6, dtype=np.float32), sp.csr_array(np.eye(4, 6))])
def test_one_score_per_pair(features):
    graph = Graph.from_pairs([(0, 1), (1, 2), (2, 3)], 4).with_features(features)
    scores = prepare_gae(graph, PAIRS, 0)()
    assert scores.shape == (3,)
    assert scores[0] == scores[2]  # an inner product, the same both ways
    assert ((scores > 0) & (scores < 1)).all()
    assert torch.equal(prepare_gae(graph, PAIRS, 0)(), scores)
    assert not torch.equal(prepare_gae(graph, PAIRS, 1)(), scores)


def test_it_is_the_network_that_it_says():
    """The scores by hand: two rounds of normalised sums, 32 and 16 channels wide."""
    graph = Graph.from_pairs([(0, 1), (1, 2)], 3).with_features(np.array([[1, 2], [0, 1], [3, 1]], dtype=np.float32))
    pairs = np.array([[0, 2]], dtype=np.int32)
    scores = prepare_gae(graph, pairs, 3)()
    from torch_geometric.nn import GCNConv

    with torch.random.fork_rng():
        torch.manual_seed(3)
        first, second = GCNConv(2, 32), GCNConv(32, 16)
        for conv in (first, second):  # as the library does when the two are put together
            conv.reset_parameters()
    adjacency = torch.tensor(graph.to_scipy().toarray() + np.eye(3), dtype=torch.float32)
    scale = adjacency.sum(dim=1).rsqrt()
    smooth = scale[:, None] * adjacency * scale
    x = torch.tensor(graph.features)
    hidden = (smooth @ x @ first.lin.weight.T + first.bias).relu()
    z = smooth @ hidden @ second.lin.weight.T + second.bias
    assert torch.allclose(scores, torch.sigmoid(z[0] @ z[2]), atol=1e-6)
