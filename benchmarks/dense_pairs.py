"""2-WL and 2-FWL as published: dense tensors with a vector for each of the n x n pairs.

Every pair goes through every layer, whichever pairs are asked for: that is the published algorithm.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from second_order_graph import Baseline, NodeInput, finish
from torch import Tensor, nn
from torch_geometric.nn import GCNConv, SAGEConv

from linkwl import Split


def pair_tensor(h: Tensor, edge_index: Tensor) -> Tensor:
    """Products of node vectors, and whether there is an edge: ``(n, n, c + 1)``."""
    n, c = h.shape
    x = h.new_empty(n, n, c + 1)
    x[..., c] = 0
    x[edge_index[0], edge_index[1], c] = 1
    x[..., :c] = h[:, None] * h[None]
    return x


def mlp(in_channels: int, out_channels: int, depth: int, dropout: float, norm: bool, relu: bool) -> nn.Sequential:
    """Blocks of linear layer, norm, dropout and ReLU."""
    layers: list[nn.Module] = []
    for k in range(depth):
        layers.append(nn.Linear(out_channels if k else in_channels, out_channels))
        layers.append(finish(out_channels, norm="layer" if norm else "none", dropout=dropout, relu=relu))
    return nn.Sequential(*layers)


@dataclass(frozen=True)
class TwoWLSettings:
    """The published settings of 2-WL on one dataset."""

    node_channels: int
    pair_channels: int
    depths: tuple[int, int, int]
    """Of the node layers, of the MLP that is summed, and of the one that updates."""
    dropouts: tuple[float, float, float]
    """Of the embedding, the nodes and the pairs."""
    norm: tuple[bool, bool, bool, bool]
    """LayerNorm in the first node layer, the later ones, the summed and the updating MLP; as the next."""
    relu: tuple[bool, bool, bool, bool]
    learning_rate: float
    drop_features: tuple[float, float] = (0.0, 0.0)


def _switches(text: str) -> tuple[bool, bool, bool, bool]:
    first, later, summed, updating = (letter != "." for letter in text)
    return first, later, summed, updating


TWO_WL = {
    "usair": TwoWLSettings(64, 32, (2, 2, 1), (0.2, 0.4, 0.1), _switches("N.NN"), _switches("R.R."), 0.005),
    "pb": TwoWLSettings(32, 24, (3, 2, 1), (0.3, 0.0, 0.2), _switches("NNNN"), _switches("RR.."), 0.0005),
    "yeast": TwoWLSettings(64, 24, (3, 2, 1), (0.1, 0.1, 0.1), _switches("NNNN"), _switches("R.RR"), 0.001),
    "ecoli": TwoWLSettings(96, 64, (3, 2, 1), (0.5, 0.0, 0.0), _switches("NN.N"), _switches("R.RR"), 0.0005),
    "cora": TwoWLSettings(64, 32, (2, 1, 1), (0.0, 0.1, 0.3), _switches("..NN"), _switches("R..R"), 0.001, (0.7, 0.7)),
}


class TwoWLNet(nn.Module):
    """GraphSAGE, one round of sums over all nodes, readout of both orientations."""

    def __init__(self, settings: TwoWLSettings, num_features: int, max_degree: int) -> None:
        super().__init__()
        s, c, d = settings, settings.node_channels, settings.pair_channels
        if num_features:
            after = finish(c, norm="layer", dropout=s.drop_features[1], relu=False)
            self.stem = nn.Sequential(nn.Dropout(s.drop_features[0]), nn.Linear(num_features, c), after)
        else:
            self.stem = nn.Sequential(nn.Embedding(max_degree + 1, c), nn.Dropout(s.dropouts[0]))
        self.convs = nn.ModuleList(SAGEConv(c, c) for _ in range(s.depths[0]))
        self.blocks = nn.ModuleList(
            finish(c, norm="layer" if s.norm[k > 0] else "none", dropout=s.dropouts[1], relu=s.relu[k > 0])
            for k in range(s.depths[0])
        )
        self.summed = mlp(c + 1, d, s.depths[1], s.dropouts[2], s.norm[2], s.relu[2])
        self.updating = mlp(c + 1 + 2 * d, d, s.depths[2], s.dropouts[2], s.norm[3], s.relu[3])
        self.readout = nn.Linear(d, 1)

    def pairs(self, x: Tensor) -> Tensor:
        """One round: ``g(x_pq, sum_i h(x_pi), sum_i h(x_iq))``."""
        summed = self.summed(x)
        rows, columns = summed.sum(dim=1), summed.sum(dim=0)
        shape = (*x.shape[:2], rows.size(-1))
        return self.updating(torch.cat([x, rows[:, None].expand(shape), columns[None].expand(shape)], dim=-1))

    def forward(self, nodes: NodeInput, edge_index: Tensor, targets: Tensor) -> Tensor:
        """One logit per target."""
        h = self.stem(nodes.degree if nodes.features is None else nodes.features)
        for conv, block in zip(self.convs, self.blocks, strict=True):
            h = block(conv(h, edge_index))
        z, (p, q) = self.pairs(pair_tensor(h, edge_index)), targets.T
        return self.readout(z[p, q] * z[q, p]).squeeze(-1)


@dataclass(frozen=True)
class TwoFWLSettings:
    """The published settings of 2-FWL on one dataset."""

    node_channels: int
    pair_channels: int
    node_layers: int
    rounds: int
    dropouts: tuple[float, float, float]
    """Of the embedding, the nodes and the pairs."""
    relu: bool
    """Of the node layers; without it only the first has dropout."""
    learning_rate: float


TWO_FWL = {
    "usair": TwoFWLSettings(24, 24, 1, 2, (0.4, 0.0, 0.1), True, 0.01),
    "pb": TwoFWLSettings(32, 32, 3, 3, (0.4, 0.4, 0.4), True, 0.005),
    "yeast": TwoFWLSettings(64, 32, 1, 2, (0.4, 0.4, 0.4), True, 0.005),
    "ecoli": TwoFWLSettings(32, 32, 3, 1, (0.3, 0.0, 0.4), True, 0.01),
    "cora": TwoFWLSettings(64, 32, 2, 1, (0.3, 0.5, 0.0), False, 0.005),
}


class FolkloreLayer(nn.Module):
    """One round of 2-FWL: a matrix product per channel, then the update with its norm over each column."""

    def __init__(self, in_channels: int, channels: int, dropout: float) -> None:
        super().__init__()
        self.left, self.right = (
            nn.Sequential(nn.Linear(in_channels, channels), finish(channels, dropout=dropout)) for _ in range(2)
        )
        after = finish(channels, norm="graph", dropout=dropout)
        self.update = nn.Sequential(nn.Linear(in_channels + channels, channels), after)

    def forward(self, x: Tensor) -> Tensor:
        """From ``(n, n, in_channels)`` to ``(n, n, channels)``."""
        left, right = (f(x).permute(2, 0, 1).contiguous() for f in (self.left, self.right))
        return self.update(torch.cat([x, torch.bmm(left, right).permute(1, 2, 0)], dim=-1))


class TwoFWLNet(nn.Module):
    """Node GCN on degrees and features, rounds of 2-FWL over all pairs, readout of both orientations."""

    def __init__(self, settings: TwoFWLSettings, num_features: int, max_degree: int) -> None:
        super().__init__()
        s, c, d = settings, settings.node_channels, settings.pair_channels
        self.embedding = nn.Sequential(nn.Embedding(max_degree + 1, c), nn.Dropout(s.dropouts[0]))
        self.convs = nn.ModuleList(GCNConv(c if k else c + num_features, c) for k in range(s.node_layers))
        self.blocks = nn.ModuleList(
            finish(c, norm="graph", dropout=s.dropouts[1] if s.relu or k == 0 else 0.0, relu=s.relu)
            for k in range(s.node_layers)
        )
        self.rounds = nn.Sequential(*(FolkloreLayer(d if k else c + 1, d, s.dropouts[2]) for k in range(s.rounds)))
        self.readout = nn.Linear(d, 1)

    def forward(self, nodes: NodeInput, edge_index: Tensor, targets: Tensor) -> Tensor:
        """One logit per target."""
        h = self.embedding(nodes.degree)
        h = h if nodes.features is None else torch.cat([h, nodes.features], dim=-1)
        for conv, block in zip(self.convs, self.blocks, strict=True):
            h = block(conv(h, edge_index))
        z, (p, q) = self.rounds(pair_tensor(h, edge_index)), targets.T
        return self.readout(z[p, q] * z[q, p]).squeeze(-1)


def baseline(model: str, dataset: str, split: Split) -> Baseline:
    """The published network, ``2wl`` or ``2fwl``, with its settings for this dataset."""
    graph = split.test.observed
    net, table = {"2wl": (TwoWLNet, TWO_WL), "2fwl": (TwoFWLNet, TWO_FWL)}[model]
    settings = table[dataset]
    return Baseline(split, net(settings, graph.num_features, int(graph.degree.max())), settings.learning_rate)
