from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph


@pytest.fixture(params=["sparse", "dense", "hub", "two parts"])
def random_graph(request):
    """A graph of 40 nodes; the last three have no edges."""
    generator = np.random.default_rng(7)
    edges = generator.integers(0, 37, ({"dense": 200}.get(request.param, 45), 2))
    if request.param == "hub":
        edges = np.concatenate([edges, [(0, v) for v in range(1, 30)]])
    if request.param == "two parts":
        edges = edges[(edges < 18).all(axis=1) | (edges >= 18).all(axis=1)]
    return Graph.from_pairs(edges, num_nodes=40)


@pytest.fixture
def every_pair():
    """All pairs of 40 nodes, both orders, (v, v) included."""
    return np.stack(np.meshgrid(range(40), range(40), indexing="ij"), axis=-1).reshape(-1, 2)
