"""Local 2-FWL as published: one product of sparse matrices per channel, over the whole pattern.

Two forms. ``coo`` is what one would write: torch's product of coordinate lists, which passes gradients on, as ours
does. ``csr`` does as little as can be: torch's product of compressed rows is the fastest here of all that were tried
(SciPy's among them), and like the published sparse product it passes no gradient, so that a training step is the
forward pass and the backward pass of what is left: the last update, the readout, and the node layers through the
product of node vectors.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import NamedTuple

import torch
from second_order_graph import Baseline, NodeInput, finish
from torch import Tensor, nn
from torch_geometric.nn import GCNConv

from linkwl import Split

# torch says once per process that compressed rows are in beta.
warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")


class PairMatrix(NamedTuple):
    """A sparse n x n matrix with a vector in every entry."""

    key: Tensor
    """Ascending ``p * n + q`` of every entry (p, q)."""
    value: Tensor
    """Shape ``(entries, channels)``."""


def channel_products(left: PairMatrix, right: PairMatrix, num_nodes: int) -> PairMatrix:
    """Channel by channel, the product of two sparse matrices; entries without a term are left out."""
    shape = (num_nodes, num_nodes)
    parts = [(torch.stack([m.key // num_nodes, m.key % num_nodes]), m.value.T) for m in (left, right)]
    values = []
    for k in range(left.value.size(1)):
        a, b = (torch.sparse_coo_tensor(at, v[k], shape, check_invariants=False, is_coalesced=True) for at, v in parts)
        product = torch.sparse.mm(a, b).coalesce()
        values.append(product.values())
    row, col = product.indices()
    return PairMatrix(row * num_nodes + col, torch.stack(values, dim=1))


@torch.no_grad()
def channel_products_csr(left: PairMatrix, right: PairMatrix, num_nodes: int) -> PairMatrix:
    """The same without gradients, in compressed rows; entries that happen to be zero stay, so channels agree."""
    starts, shape = torch.arange(num_nodes + 1) * num_nodes, (num_nodes, num_nodes)
    parts = [(torch.searchsorted(m.key, starts), m.key % num_nodes, m.value.T.contiguous()) for m in (left, right)]
    values = []
    for k in range(left.value.size(1)):
        a, b = (torch.sparse_csr_tensor(ptr, col, v[k], shape, check_invariants=False) for ptr, col, v in parts)
        product = torch.sparse.mm(a, b)
        values.append(product.values())
    rows = torch.arange(num_nodes).repeat_interleave(product.crow_indices().diff().long())
    key = rows * num_nodes + product.col_indices()
    order = torch.argsort(key)
    return PairMatrix(key[order], torch.stack(values, dim=1)[order])


PRODUCTS = {"coo": channel_products, "csr": channel_products_csr}


@dataclass(frozen=True)
class Settings:
    """The published settings of local 2-FWL on one dataset."""

    node_channels: int
    pair_channels: int
    node_layers: int
    rounds: int
    drop_embedding: float
    drop_pair: tuple[float, float]
    """Of the two edge transforms and of the update."""
    learning_rate: float
    inputs: str = "degree"
    """``degree``, ``features`` or ``both``."""
    node: tuple[str, bool] = ("graph", True)
    """Norm and ReLU of the node layers, as the next two of edge transforms and update."""
    init: tuple[str, bool] = ("none", True)
    update: tuple[str, bool] = ("graph", True)


SETTINGS = {
    "usair": Settings(64, 32, 2, 1, 0.0, (0.0, 0.0), 0.01),
    "ns": Settings(24, 32, 2, 2, 0.3, (0.0, 0.0), 0.05),
    "pb": Settings(64, 24, 3, 2, 0.0, (0.1, 0.1), 0.005),
    "yeast": Settings(32, 24, 2, 2, 0.3, (0.1, 0.1), 0.01),
    "celegans": Settings(32, 64, 3, 1, 0.2, (0.1, 0.1), 0.01),
    "power": Settings(24, 64, 2, 3, 0.1, (0.2, 0.2), 0.01),
    "router": Settings(64, 24, 3, 1, 0.2, (0.0, 0.0), 0.005),
    "ecoli": Settings(64, 24, 2, 1, 0.1, (0.1, 0.1), 0.005),
    "cora": Settings(
        128, 32, 1, 2, 0.0, (0.8, 0.8), 0.001, "features", ("layer", False), ("layer", False), ("none", True)
    ),
    "pubmed": Settings(128, 96, 1, 1, 0.1, (0.4, 0.4), 0.005, "both"),
}
"""Citeseer is missing: its published model is another one, with APPNP and a sum as readout."""


class LocalTwoFWLNet(nn.Module):
    """Node GCN, edge vectors from both ends, a product with fresh edge vectors in each round, linear readout.

    Args:
        settings: Widths, depths, dropouts and norms.
        num_features: Width of the feature rows.
        max_degree: Largest degree that has an embedding.
        form: ``coo`` or ``csr``.
    """

    def __init__(self, settings: Settings, num_features: int, max_degree: int, form: str = "coo") -> None:
        super().__init__()
        self.product = PRODUCTS[form]
        s, self.inputs = settings, settings.inputs
        c, d = s.node_channels, s.pair_channels
        self.embedding = nn.Sequential(nn.Embedding(max_degree + 1, c), nn.Dropout(s.drop_embedding))
        first = {"degree": c, "features": num_features, "both": c + num_features}[s.inputs]
        self.convs = nn.ModuleList(GCNConv(c if k else first, c) for k in range(s.node_layers))
        self.blocks = nn.ModuleList(finish(c, norm=s.node[0], relu=s.node[1]) for _ in range(s.node_layers))

        def block(width: int, dropout: float, norm: tuple[str, bool]) -> nn.Sequential:
            return nn.Sequential(nn.Linear(width, d), finish(d, norm=norm[0], dropout=dropout, relu=norm[1]))

        self.left = block(2 * c, s.drop_pair[0], s.init)
        self.rights = nn.ModuleList(block(2 * c, s.drop_pair[0], s.init) for _ in range(s.rounds))
        self.updates = nn.ModuleList(block(d + 1, s.drop_pair[1], s.update) for _ in range(s.rounds))
        self.readout = nn.Linear(d + c, 1)

    def encode(self, nodes: NodeInput, edge_index: Tensor) -> Tensor:
        """The node vectors."""
        parts = [] if self.inputs == "features" else [self.embedding(nodes.degree)]
        parts += [] if self.inputs == "degree" else [nodes.features]
        h = torch.cat(parts, dim=-1)
        for conv, block in zip(self.convs, self.blocks, strict=True):
            h = block(conv(h, edge_index))
        return h

    def pair_vectors(self, h: Tensor, edge_index: Tensor) -> PairMatrix:
        """The vectors of all pairs that some walk joins, after the last round."""
        n, (row, col) = len(h), edge_index
        observed, ends = row * n + col, torch.cat([h[row], h[col]], dim=-1)
        x = PairMatrix(observed, self.left(ends))
        for right, update in zip(self.rights, self.updates, strict=True):
            y = self.product(x, PairMatrix(observed, right(ends)), n)
            key = torch.cat([y.key, observed]).unique()
            joined = y.value.new_zeros(len(key), y.value.size(1) + 1)
            joined[torch.searchsorted(key, y.key), :-1] = y.value
            joined[torch.searchsorted(key, observed), -1] = 1
            x = PairMatrix(key, update(joined))
        return x

    def forward(self, nodes: NodeInput, edge_index: Tensor, targets: Tensor) -> Tensor:
        """One logit per target."""
        h = self.encode(nodes, edge_index)
        x = self.pair_vectors(h, edge_index)
        p, q = targets.T
        z = look_up(x, p * len(h) + q) * look_up(x, q * len(h) + p)
        return self.readout(torch.cat([z, h[p] * h[q]], dim=-1)).squeeze(-1)


def look_up(matrix: PairMatrix, key: Tensor) -> Tensor:
    """The vectors of the entries with these keys; zero where there is none."""
    place = torch.searchsorted(matrix.key, key).clamp(max=len(matrix.key) - 1)
    return matrix.value[place] * (matrix.key[place] == key)[:, None]


def baseline(dataset: str, split: Split, form: str) -> Baseline:
    """The published network with its settings for this dataset."""
    settings, graph = SETTINGS[dataset], split.test.observed
    network = LocalTwoFWLNet(settings, graph.num_features, int(graph.degree.max()), form)
    return Baseline(split, network, settings.learning_rate)
