"""What the node encoder costs."""

from __future__ import annotations

from linkwl.graph import Graph
from linkwl.models.cost import FETCH, FLOAT, KEPT, PASSES, Cost
from linkwl.models.pair_config import EncoderConfig


def encoder_cost(config: EncoderConfig, observed: Graph) -> Cost:
    """The encoder on the whole observed graph, its rows included."""
    n, entries, c = observed.num_nodes, len(observed.col), config.channels
    blocks = config.layers + 1
    features = observed.features
    stored = n if features is None else features.size  # entries: of a sparse array those that are there
    memory = 40.0 * entries + FLOAT * KEPT * n * c * blocks + 16.0 * stored
    operations = PASSES * (config.layers * (entries * (c + FETCH) + n * c * (c + KEPT)) + stored * c)
    return Cost(memory, operations)
