"""PyG's graph autoencoder: two GCN layers and an inner product, the usual measure of a cheap model."""

from __future__ import annotations

import torch
from second_order_graph import Baseline, NodeInput
from torch import Tensor, nn
from torch_geometric.nn import GAE, GCNConv

from linkwl import Split


class Encoder(nn.Module):
    """GCN of widths in, 32, 16."""

    def __init__(self, in_channels: int) -> None:
        super().__init__()
        self.first, self.second = GCNConv(in_channels, 32), GCNConv(32, 16)

    def forward(self, x: Tensor, edge_index: Tensor) -> Tensor:
        """The node vectors."""
        return self.second(self.first(x, edge_index).relu(), edge_index)


class GAENet(nn.Module):
    """The autoencoder behind the call that all baselines share; without features a node's input is its identity."""

    def __init__(self, num_features: int, num_nodes: int) -> None:
        super().__init__()
        self.gae = GAE(Encoder(num_features or num_nodes))

    def forward(self, nodes: NodeInput, edge_index: Tensor, targets: Tensor) -> Tensor:
        """One logit per target."""
        x = torch.eye(len(nodes.degree)) if nodes.features is None else nodes.features
        return self.gae.decode(self.gae.encode(x, edge_index), targets.T, sigmoid=False)


def baseline(split: Split) -> Baseline:
    """The autoencoder on this split, as PyG's example trains it."""
    graph = split.test.observed
    return Baseline(split, GAENet(graph.num_features, graph.num_nodes), learning_rate=0.01)
