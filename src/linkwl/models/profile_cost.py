"""What plain walks between targets cost."""

from __future__ import annotations

import numpy as np

from linkwl.graph import Graph
from linkwl.models.cost import FETCH, Cost
from linkwl.nn.feature_similarity import DEPTH, RANK
from linkwl.sparse.walk_values import BYTES_PER_BLOCK, BYTES_PER_ENTRY, row_work

_SAMPLE = 256


def profile_cost(observed: Graph, num_targets: int, *, steps: int) -> Cost:
    """Rows for both ends of the targets, half of which are edges and so end at hubs more often, and their meetings."""
    if observed.num_edges == 0 or num_targets == 0:
        return Cost()
    edges = observed.edges[:: max(1, observed.num_edges // _SAMPLE)].reshape(-1)
    others = np.random.default_rng(0).integers(observed.num_nodes, size=len(edges))
    entries, products = row_work(observed.rowptr, observed.col, np.concatenate([edges, others]), steps)
    ends = min(2 * num_targets, observed.num_nodes)
    blocks = min(BYTES_PER_BLOCK, BYTES_PER_ENTRY * entries * ends)
    # Rows are made in parts that are then put together.
    memory = 2.0 * blocks + 16.0 * observed.num_nodes + 40.0 * len(observed.col) + 24.0 * 8 * steps * num_targets
    fetches = ends * products + 2.0 * entries * (num_targets + ends)
    return Cost(memory, FETCH / 8 * fetches)


def smoothing_cost(observed: Graph) -> Cost:
    """Projected features of all nodes after every step of smoothing."""
    width = min(observed.num_features, RANK)
    numbers = float(observed.num_nodes * width)
    assert observed.features is not None
    operations = observed.features.size * width + DEPTH * len(observed.col) * (width + FETCH)
    return Cost(4 * (DEPTH + 3) * numbers, operations)
