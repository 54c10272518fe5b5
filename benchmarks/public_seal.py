"""SEAL assembled from PyG: subgraphs pair by pair, extracted once; graph convolutions, sort pooling, convolutions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from subgraph_extraction import label
from torch import Tensor, nn

from linkwl.graph import Graph
from linkwl.protocols import PAPER
from linkwl.splits import Split
from linkwl.typing import IntArray, Pairs, Scores

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # some versions of torch warn about its imports
    from torch_geometric.data import Data
    from torch_geometric.loader import DataLoader
    from torch_geometric.nn import GCNConv, SortAggregation
    from torch_geometric.utils import k_hop_subgraph

MAX_LABEL = 1000
QUANTILE, SHORTEST = 0.6, 10
"""The network reads as many nodes as this share of the subgraphs have at most, and at least ten."""


def edge_index(graph: Graph) -> Tensor:
    """The edges in both directions, as PyG has them."""
    rows = np.repeat(np.arange(graph.num_nodes), graph.degree)
    return torch.from_numpy(np.stack([rows, graph.col.astype(np.int64)]))


def extract(edges: Tensor, pair: tuple[int, int], hops: int, num_nodes: int) -> tuple[IntArray, Tensor, IntArray]:
    """The nodes of the subgraph around a pair, its two ends first, its edges without that pair, and DRNL labels."""
    found, inner, places, _ = k_hop_subgraph(list(pair), hops, edges, relabel_nodes=True, num_nodes=num_nodes)
    order = np.full(len(found), -1)
    order[places] = [0, 1]
    order[order < 0] = np.arange(2, len(found))
    inner = torch.from_numpy(order)[inner]
    inner = inner[:, inner.sum(dim=0) != 1]  # only the pair itself has the places 0 and 1
    shape = (len(found), len(found))
    part = sp.csr_matrix((np.ones(inner.shape[1]), inner.numpy()), shape=shape)
    nodes = np.empty(len(found), dtype=np.int64)
    nodes[order] = found.numpy()
    return nodes, inner, label(part)


def subgraphs(graph: Graph, pairs: Pairs, labels: Any, hops: int) -> list[Data]:
    """A graph of PyG for every pair."""
    edges, found = edge_index(graph), []
    for (p, q), y in zip(pairs.tolist(), labels, strict=True):
        _, inner, z = extract(edges, (p, q), hops, graph.num_nodes)
        z = torch.from_numpy(np.minimum(z, MAX_LABEL - 1))
        found.append(Data(z=z, edge_index=inner, y=torch.tensor([float(y)]), num_nodes=len(z)))
    return found


class PublicDGCNN(nn.Module):
    """Layers of 32, 32, 32 and 1 channels with tanh; the sorted nodes pass two convolutions and a hidden layer."""

    def __init__(self, length: int, channels: int = 32) -> None:
        super().__init__()
        widths = [channels] * 4 + [1]
        self.labels = nn.Embedding(MAX_LABEL, channels)
        self.convs = nn.ModuleList(GCNConv(a, b) for a, b in zip(widths, widths[1:], strict=False))
        total = sum(widths[1:])
        self.pool = SortAggregation(length)
        self.first, self.maximum = nn.Conv1d(1, 16, total, total), nn.MaxPool1d(2, 2)
        self.second = nn.Conv1d(16, 32, 5)
        self.out = nn.Sequential(nn.Linear(32 * (length // 2 - 4), 128), nn.ReLU(), nn.Dropout(0.5), nn.Linear(128, 1))

    def forward(self, batch: Any) -> Tensor:
        """One logit per subgraph."""
        depths = [self.labels(batch.z)]
        for conv in self.convs:
            depths.append(conv(depths[-1], batch.edge_index).tanh())
        x = self.pool(torch.cat(depths[1:], dim=1), batch.batch)[:, None]
        x = self.second(self.maximum(self.first(x).relu())).relu()
        logits: Tensor = self.out(x.flatten(1))[:, 0]
        return logits


def score(network: nn.Module, graphs: list[Data], batch_size: int) -> Scores:
    """The logits of some subgraphs."""
    network.eval()
    with torch.no_grad():
        found = [network(batch) for batch in DataLoader(graphs, batch_size=batch_size)]
    return torch.cat(found).double().numpy()


def train_and_score(split: Split, negatives: Pairs, *, hops: int, epochs: int, batch_size: int, rate: float) -> Scores:
    """Trains on the train edges and these negatives; the best epoch on validation targets scores the test targets."""
    torch.manual_seed(0)
    train, valid, test = split.train, split.valid, split.test
    learned = np.concatenate([train.positives, negatives])
    graphs = subgraphs(train.observed, learned, np.repeat([1, 0], [len(train.positives), len(negatives)]), hops)
    watched, asked = (
        subgraphs(fold.observed, fold.targets.queries, np.zeros(len(fold.targets.queries)), hops)
        for fold in (valid, test)
    )
    sizes = sorted(graph.num_nodes for graph in graphs)
    network = PublicDGCNN(max(sizes[int(np.ceil(QUANTILE * len(sizes))) - 1], SHORTEST))
    optimizer = torch.optim.Adam(network.parameters(), lr=rate)
    best, weights = -1.0, network.state_dict()
    for _ in range(epochs):
        network.train()
        for batch in DataLoader(graphs, batch_size=batch_size, shuffle=True):
            optimizer.zero_grad()
            nn.functional.binary_cross_entropy_with_logits(network(batch), batch.y).backward()
            optimizer.step()
        auc = PAPER.measure(valid.targets, score(network, watched, batch_size))["auc"]
        if auc > best:
            best, weights = auc, {name: value.clone() for name, value in network.state_dict().items()}
    network.load_state_dict(weights)
    return score(network, asked, batch_size)
