"""PyG's graph autoencoder, as a clock to read our times by."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from linkwl.graph import Graph
from linkwl.typing import Pairs

GAE = "PyG GAE"
"""What it is called in records and tables."""


def has_gae() -> bool:
    """Whether ``torch_geometric`` is installed; it comes with the extra ``pyg``."""
    return find_spec("torch_geometric") is not None


def prepare_gae(observed: Graph, pairs: Pairs, seed: int) -> Callable[[], object]:
    """A function that scores ``pairs`` by a two-layer GCN encoder, as wide as the features, then 32, then 16.

    The tensors are made here, so that the clock runs only while the library itself is at work. Its weights are as they
    were drawn: what they are does not matter for the time. Nodes without features have the rows of the identity.
    """
    import torch
    from torch import Tensor, nn

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about its own imports, on some versions of torch
        from torch_geometric.nn import GAE as Autoencoder
        from torch_geometric.nn import GCNConv

    class Encoder(nn.Module):
        def __init__(self, in_channels: int) -> None:
            super().__init__()
            self.first = GCNConv(in_channels, 32)
            self.second = GCNConv(32, 16)

        def forward(self, x: Tensor, edge_index: Tensor) -> Tensor:
            return self.second(self.first(x, edge_index).relu(), edge_index)

    features = np.eye(observed.num_nodes, dtype=np.float32) if observed.features is None else observed.features
    x = torch.tensor(features if isinstance(features, np.ndarray) else features.toarray())
    rows = np.repeat(np.arange(observed.num_nodes), observed.degree)
    edge_index = torch.tensor(np.stack([rows, observed.col.astype(np.int64)]))
    targets = torch.tensor(np.ascontiguousarray(pairs.T, dtype=np.int64))
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = Autoencoder(Encoder(x.shape[1])).eval()

    def score() -> object:
        with torch.no_grad():
            return model.decode(model.encode(x, edge_index), targets)

    return score
