"""PyG's graph autoencoder, as a reference for our times."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from linkwl.graph import Graph
from linkwl.typing import Pairs

GAE = "PyG GAE"
"""Its name in records and tables."""


def has_gae() -> bool:
    """Whether ``torch_geometric`` is installed; it comes with the extra ``pyg``."""
    return find_spec("torch_geometric") is not None


def prepare_gae(observed: Graph, pairs: Pairs, seed: int) -> Callable[[], object]:
    """A function that scores ``pairs`` with a two-layer GCN encoder: features to 32 to 16 channels.

    The tensors are created in advance, so that only the library itself is timed. Its weights are untrained, which does
    not change the time. Nodes without features get the rows of the identity matrix.
    """
    import torch
    from torch import Tensor, nn

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some versions of torch warn about its imports
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
