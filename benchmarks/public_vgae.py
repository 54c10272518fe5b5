"""VGAE assembled from PyG: its autoencoder and its loss, with graph convolutions."""

from __future__ import annotations

import warnings

import numpy as np
import torch
from public_seal import edge_index
from torch import Tensor, nn

from linkwl.graph import Graph
from linkwl.splits import Split
from linkwl.typing import Scores

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # some versions of torch warn about its imports
    from torch_geometric.nn import VGAE, GCNConv

RATE, HIDDEN, LATENT = 0.01, 32, 16


class Encoder(nn.Module):
    """A hidden layer, then means and the logarithms of deviations; no biases, as published."""

    def __init__(self, in_channels: int) -> None:
        super().__init__()
        self.hidden = GCNConv(in_channels, HIDDEN, bias=False)
        self.mean, self.log_deviation = (GCNConv(HIDDEN, LATENT, bias=False) for _ in range(2))

    def forward(self, x: Tensor, edges: Tensor) -> tuple[Tensor, Tensor]:
        """Both for every node."""
        h = self.hidden(x, edges).relu()
        return self.mean(h, edges), self.log_deviation(h, edges)


def train_and_score(split: Split, steps: int) -> Scores:
    """Trains on all train edges at once, as many steps as given; the means score the test targets."""
    train, test = split.train.observed, split.test
    assert isinstance(train, Graph)
    assert isinstance(test.observed, Graph)
    features = np.eye(train.num_nodes, dtype=np.float32) if train.features is None else train.features
    x = torch.tensor(features if isinstance(features, np.ndarray) else features.toarray(), dtype=torch.float32)
    torch.manual_seed(0)
    model = VGAE(Encoder(x.shape[1]))
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    edges = edge_index(train)
    for _ in range(steps):
        optimizer.zero_grad()
        z = model.encode(x, edges)
        (model.recon_loss(z, edges) + model.kl_loss() / train.num_nodes).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        z = model.encode(x, edge_index(test.observed))
        pairs = torch.from_numpy(test.targets.queries.T.astype(np.int64))
        return model.decode(z, pairs, sigmoid=False).double().numpy()
