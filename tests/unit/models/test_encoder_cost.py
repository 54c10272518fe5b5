from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from linkwl.datasets import load_airports
from linkwl.models.encoder_cost import encoder_cost
from linkwl.models.pair_config import EncoderConfig


def test_layers_and_channels_cost():
    graph = load_airports()
    narrow, wide, deep = (
        encoder_cost(EncoderConfig(channels=channels, layers=layers), graph)
        for channels, layers in ((32, 1), (64, 1), (32, 3))
    )
    assert narrow.operations < wide.operations < 4 * narrow.operations
    assert narrow.operations < deep.operations < 4 * narrow.operations
    assert narrow.memory < wide.memory
    assert narrow.memory < deep.memory


def test_sparse_features_cost_their_entries():
    graph = load_airports()
    entries = sp.random_array((graph.num_nodes, 5000), density=0.001, format="csr", rng=np.random.default_rng(0))
    sparse = encoder_cost(EncoderConfig(), graph.with_features(entries))
    dense = encoder_cost(EncoderConfig(), graph.with_features(entries.toarray()))
    assert dense.operations - sparse.operations > 0.99 * 3 * 32 * graph.num_nodes * 5000
