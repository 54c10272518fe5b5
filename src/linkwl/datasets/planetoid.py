"""The Planetoid citation graphs with node features: Cora, Citeseer, Pubmed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from linkwl.datasets.unpickle import unpickle
from linkwl.graph import Graph
from linkwl.typing import IntArray


def read_planetoid(name: str, paths: Sequence[Path]) -> Graph:
    """The graph of the files ``allx``, ``tx``, ``test.index`` and ``graph``, in this order.

    Row i of ``allx`` belongs to node i, row i of ``tx`` to node ``test.index[i]``. Citeseer has no features for 15
    nodes: they have edges, so they are kept, with a row of zeros. Feature values are not normalised.
    """
    allx, tx, test_index, adjacency = paths
    neighbours: dict[int, list[int]] = unpickle(adjacency)
    source = np.repeat(list(neighbours), [len(row) for row in neighbours.values()])
    target = np.concatenate([np.array(row, dtype=np.int64) for row in neighbours.values()])
    num_nodes = len(neighbours)
    features = _features(unpickle(allx), unpickle(tx), np.loadtxt(test_index, dtype=np.int64), num_nodes)
    return Graph.from_columns(source, target, num_nodes, form="Planetoid files", features=features, name=name)


def _features(allx: sp.csr_array, tx: sp.csr_array, test_index: IntArray, num_nodes: int) -> sp.csr_array:
    stored = sp.vstack([allx, tx], format="coo")
    node = np.concatenate([np.arange(allx.shape[0]), test_index])
    entries = (stored.data, (node[stored.row], stored.col))
    features = sp.csr_array(entries, shape=(num_nodes, stored.shape[1]), dtype=np.float32)
    features.sort_indices()
    return features
