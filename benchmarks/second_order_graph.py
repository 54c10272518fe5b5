"""Local 2-WL as published: PyG's GCN on the explicit graph whose nodes are pairs.

The blocks and the training step that all plain baselines share are here too. Nothing is written to be slow: the norms
are plain reductions, the GCN weights are computed once for all rounds, and the second-order graph comes in both forms
that PyG knows, the list of edges (its default, and the published one) and compressed rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch_geometric.nn import GCNConv
from torch_geometric.nn.conv.gcn_conv import gcn_norm
from torch_geometric.utils import degree, to_torch_csr_tensor

from linkwl import Graph, Split


class GraphNorm(nn.Module):
    """Centres and scales each channel over the first axis, with statistics of the tensor at hand."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.shift = nn.Parameter(torch.ones(channels))
        self.scale = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))

    def forward(self, x: Tensor) -> Tensor:
        """The same shape; on ``(n, n, c)`` it is the column norm of the published 2-FWL."""
        x = x - self.shift * x.mean(dim=0)
        return self.scale * x / (x.square().mean(dim=0) + 1e-5).sqrt() + self.bias


def finish(channels: int, *, norm: str = "none", dropout: float = 0.0, relu: bool = True) -> nn.Sequential:
    """What follows a linear or graph operator: norm, dropout, ReLU, in the published order."""
    norms = {"none": nn.Identity(), "graph": GraphNorm(channels)}
    norms["layer"] = nn.LayerNorm(channels, elementwise_affine=False)
    return nn.Sequential(norms[norm], nn.Dropout(dropout), nn.ReLU() if relu else nn.Identity())


class NodeInput(NamedTuple):
    """What is known of the nodes."""

    degree: Tensor
    features: Tensor | None


def dense_features(graph: Graph) -> Tensor | None:
    """Feature rows that sum to one, as PyG hands them out; zero rows stay zero."""
    if graph.features is None:
        return None
    rows = graph.features if isinstance(graph.features, np.ndarray) else graph.features.toarray()
    return torch.from_numpy(rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-12))


def edge_index_of(graph: Graph) -> Tensor:
    """Both orientations of every edge, ascending, int64 ``(2, E)``."""
    rows = np.repeat(np.arange(graph.num_nodes), graph.degree)
    return torch.from_numpy(np.stack([rows, graph.col.astype(np.int64)]))


def without(edge_index: Tensor, pairs: Tensor, num_nodes: int) -> Tensor:
    """The edges that are not among the pairs, either way round."""
    key = edge_index[0] * num_nodes + edge_index[1]
    both = torch.cat([pairs, pairs.flip(1)])
    return edge_index[:, ~torch.isin(key, both[:, 0] * num_nodes + both[:, 1])]


class Baseline:
    """A network on the folds of a split: one training step, and the scores of the test targets.

    Args:
        split: The folds; the degree table is as large as the test fold needs.
        network: Called as ``network(nodes, edge_index, pairs)``; one logit per pair.
        learning_rate: Of Adam.
    """

    def __init__(self, split: Split, network: nn.Module, learning_rate: float) -> None:
        self.network = network
        self.optimizer = torch.optim.Adam(network.parameters(), lr=learning_rate)
        self.num_nodes = split.train.observed.num_nodes
        self.features = dense_features(split.train.observed)
        self.train_edges = edge_index_of(split.train.observed)
        self.test_edges = edge_index_of(split.test.observed)
        self.test_pairs = torch.from_numpy(np.concatenate([split.test.positives, split.test.negatives])).long()

    def nodes(self, edge_index: Tensor) -> NodeInput:
        """The input of the nodes, with the degrees in these edges."""
        return NodeInput(degree(edge_index[0], self.num_nodes, dtype=torch.long), self.features)

    def step(self, positives: np.ndarray, negatives: np.ndarray) -> float:
        """One gradient step; the positives leave the observed edges first."""
        pairs = torch.from_numpy(np.concatenate([positives, negatives])).long()
        labels = torch.cat([torch.ones(len(positives)), torch.zeros(len(negatives))])
        observed = without(self.train_edges, pairs[: len(positives)], self.num_nodes)
        self.network.train()
        loss = F.binary_cross_entropy_with_logits(self.network(self.nodes(observed), observed, pairs), labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def score(self) -> Tensor:
        """The logits of the test targets."""
        self.network.eval()
        return self.network(self.nodes(self.test_edges), self.test_edges, self.test_pairs)


class SecondOrderGraph(NamedTuple):
    """The graph of pairs: observed edges in ascending order, then the targets, then the targets reversed."""

    pairs: Tensor
    by_first: Tensor
    """From (p, v) to (p, q), for every observed (p, v)."""
    by_second: Tensor
    """From (u, q) to (p, q), for every observed (u, q)."""


def second_order_graph(edge_index: Tensor, targets: Tensor, num_nodes: int) -> SecondOrderGraph:
    """Both lists of second-order edges; targets receive and never send, observed edges do both."""
    row, col = edge_index
    pairs = torch.cat([edge_index.T, targets, targets.flip(1)])
    count = torch.bincount(row, minlength=num_nodes)
    start = count.cumsum(0) - count
    # The edge (u, q) stands where (q, u) does in the order by second node; the edges are symmetric.
    reverse = torch.argsort(col * num_nodes + row)

    def join(node: Tensor) -> tuple[Tensor, Tensor]:
        """For each pair, the places of all edges in the row of its node."""
        fanout = count[node]
        receiver = torch.arange(len(node)).repeat_interleave(fanout)
        step = torch.arange(len(receiver)) - (fanout.cumsum(0) - fanout)[receiver]
        return start[node][receiver] + step, receiver

    sender, receiver = join(pairs[:, 0])
    by_first = torch.stack([sender, receiver])
    sender, receiver = join(pairs[:, 1])
    return SecondOrderGraph(pairs, by_first, torch.stack([reverse[sender], receiver]))


@dataclass(frozen=True)
class Settings:
    """The published settings of local 2-WL on one dataset."""

    node_channels: int
    pair_channels: int
    node_layers: int
    rounds: int
    drop_embedding: float
    drop_node: tuple[float, float]
    """Of the inner layers and of the last one, as the next."""
    drop_pair: float
    relu: tuple[bool, bool]
    learning_rate: float
    drop_features: tuple[float, float] = (0.0, 0.0)
    """Of the raw features and after their projection."""


SETTINGS = {
    "usair": Settings(24, 64, 2, 2, 0.2, (0.0, 0.0), 0.0, (True, True), 0.005),
    "ns": Settings(64, 64, 3, 2, 0.5, (0.0, 0.0), 0.1, (False, False), 0.005),
    "pb": Settings(32, 32, 3, 2, 0.0, (0.0, 0.0), 0.0, (True, True), 0.01),
    "yeast": Settings(32, 64, 2, 3, 0.0, (0.1, 0.1), 0.1, (True, True), 0.01),
    "celegans": Settings(64, 64, 2, 3, 0.2, (0.2, 0.2), 0.2, (True, True), 0.005),
    "power": Settings(96, 64, 3, 3, 0.0, (0.1, 0.2), 0.2, (True, False), 0.01),
    "router": Settings(48, 48, 3, 2, 0.1, (0.1, 0.1), 0.1, (True, True), 0.01),
    "ecoli": Settings(32, 32, 1, 2, 0.1, (0.5, 0.0), 0.1, (False, False), 0.005),
    "cora": Settings(96, 96, 1, 2, 0.0, (0.6, 0.0), 0.1, (False, True), 0.005, (0.8, 0.1)),
    "citeseer": Settings(96, 64, 2, 2, 0.0, (0.1, 0.0), 0.1, (False, False), 0.001, (0.8, 0.3)),
    "pubmed": Settings(128, 128, 2, 2, 0.0, (0.3, 0.0), 0.1, (False, True), 0.01, (0.4, 0.1)),
}


class LocalTwoWLNet(nn.Module):
    """Node GCN, products of node vectors, GCNs on both lists of second-order edges, readout of both orientations.

    Args:
        settings: Widths, depths and dropouts.
        num_features: Width of the feature rows; 0 to embed degrees instead.
        max_degree: Largest degree that has an embedding.
        layout: ``edge_index`` for PyG's default form of a graph, ``csr`` for compressed rows.
    """

    def __init__(self, settings: Settings, num_features: int, max_degree: int, layout: str = "edge_index") -> None:
        super().__init__()
        s, self.layout = settings, layout
        if num_features:
            after = finish(s.node_channels, norm="layer", dropout=s.drop_features[1], relu=False)
            self.stem = nn.Sequential(nn.Dropout(s.drop_features[0]), nn.Linear(num_features, s.node_channels), after)
        else:
            after = finish(s.node_channels, norm="graph", dropout=s.drop_embedding, relu=False)
            self.stem = nn.Sequential(nn.Embedding(max_degree + 1, s.node_channels), after)
        widths = [s.node_channels] * s.node_layers + [s.pair_channels]
        last = s.node_layers - 1
        self.convs = nn.ModuleList(GCNConv(a, b) for a, b in zip(widths[:-1], widths[1:], strict=True))
        self.blocks = nn.ModuleList(
            finish(width, norm="graph", dropout=s.drop_node[k == last], relu=s.relu[k == last])
            for k, width in enumerate(widths[1:])
        )
        width, branches = s.pair_channels, 2 * s.rounds
        self.pair_convs = nn.ModuleList(GCNConv(width, width, normalize=False) for _ in range(branches))
        self.pair_blocks = nn.ModuleList(finish(width, norm="graph", dropout=s.drop_pair) for _ in range(branches))
        self.readout = nn.Linear(width, 1)

    def forward(self, nodes: NodeInput, edge_index: Tensor, targets: Tensor) -> Tensor:
        """One logit per target."""
        h = self.stem(nodes.degree if nodes.features is None else nodes.features)
        for conv, block in zip(self.convs, self.blocks, strict=True):
            h = block(conv(h, edge_index))
        graph = second_order_graph(edge_index, targets, len(h))
        x = h[graph.pairs[:, 0]] * h[graph.pairs[:, 1]]
        lists = [self._adjacency(edges, x) for edges in (graph.by_first, graph.by_second)]
        for k in range(0, len(self.pair_convs), 2):
            x = sum(self.pair_blocks[k + b](self.pair_convs[k + b](x, *lists[b])) for b in range(2))
        ahead, back = x[edge_index.size(1) :].chunk(2)
        return self.readout(ahead * back).squeeze(-1)

    def _adjacency(self, edges: Tensor, x: Tensor) -> tuple[Tensor, ...]:
        """What a convolution is called with besides the vectors: normalised edges, or normalised rows."""
        edges, weight = gcn_norm(edges, None, len(x), dtype=x.dtype)
        if self.layout == "edge_index":
            return edges, weight
        return (to_torch_csr_tensor(edges.flip(0), weight, size=(len(x), len(x))),)


def baseline(dataset: str, split: Split, layout: str = "edge_index") -> Baseline:
    """The published network with its settings for this dataset."""
    settings, graph = SETTINGS[dataset], split.test.observed
    network = LocalTwoWLNet(settings, graph.num_features, int(graph.degree.max()), layout)
    return Baseline(split, network, settings.learning_rate)
