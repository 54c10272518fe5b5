"""A 2-WL layer on top of PyG's convolutions, in a plain training loop: ``python examples/layers_in_pyg.py [STEPS]``."""

import sys

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits
from torch_geometric.nn import SAGEConv

import linkwl
from linkwl.metrics import auc
from linkwl.nn import Adjacency, LocalTwoWLConv, ProductPairs


class PairNetwork(nn.Module):
    """Node vectors by PyG, then two rounds of messages between pairs."""

    def __init__(self, in_channels: int, channels: int) -> None:
        super().__init__()
        self.nodes = SAGEConv(in_channels, channels)
        self.rounds = nn.ModuleList([LocalTwoWLConv(channels, channels) for _ in range(2)])
        self.out = nn.Linear(channels, 1)

    def forward(self, x: Tensor, edge_index: Tensor, targets: Tensor) -> Tensor:
        """One logit per target pair."""
        h = self.nodes(x, edge_index).relu()
        adjacency = Adjacency.from_edge_index(edge_index, num_nodes=len(x))
        pairs = ProductPairs(h)  # x[p, q] = h[p] * h[q], never stored
        at_targets = pairs.at(targets)
        for layer in self.rounds:
            pairs, at_targets = layer(pairs, adjacency, targets, at_targets)
        return self.out(at_targets)[:, 0]


def edge_index_of(graph: linkwl.Graph) -> Tensor:
    """Both directions of every edge, sorted."""
    edges = torch.tensor(graph.edges)
    both = torch.cat([edges, edges.flip(1)])
    return both[(both[:, 0] * graph.num_nodes + both[:, 1]).argsort()].T.contiguous()


def main(steps: str = "60") -> None:
    """Trains on the airports; the edges of a batch are removed while they are predicted."""
    torch.manual_seed(0)
    graph = linkwl.load_dataset("airports")
    split = linkwl.PROTOCOLS["paper"].apply(graph, seed=0)
    positives, negatives = split.train.positives, split.train.negatives
    degree = torch.tensor(split.train.observed.degree, dtype=torch.float32)
    x = torch.stack([degree.log1p(), torch.ones_like(degree)], dim=1)
    model = PairNetwork(in_channels=2, channels=32)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(int(steps)):
        batch = torch.randperm(len(positives))[:256].numpy()
        hidden = split.train.observed.without(positives[batch])
        targets = torch.cat([torch.tensor(positives[batch]), torch.tensor(negatives[batch])])
        labels = torch.cat([torch.ones(len(batch)), torch.zeros(len(batch))])
        loss = binary_cross_entropy_with_logits(model(x, edge_index_of(hidden), targets), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            print(f"step {step:3} loss {loss.item():.3f}")
    model.eval()
    edge_index = edge_index_of(split.test.observed)
    with torch.no_grad():
        scores = [model(x, edge_index, torch.tensor(each)) for each in (split.test.positives, split.test.negatives)]
    print(f"AUC on hidden routes: {auc(*(score.numpy() for score in scores)):.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
