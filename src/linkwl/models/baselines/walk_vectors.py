"""Vectors of nodes from random walks, for models that read them."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from linkwl.graph import Graph
from linkwl.models.base import ModelConfig
from linkwl.sparse.random_walks import random_walks
from linkwl.sparse.skip_gram import SkipGramSettings, skip_gram
from linkwl.typing import FloatArray

_NUMBER = 4  # bytes of a float32 or of a node's index


class WalkVectorsConfig(ModelConfig):
    """Settings of node2vec's vectors; the defaults are published."""

    channels: int = Field(default=128, ge=1, le=1 << 16)
    """Length of a node's vector."""
    walks: int = Field(default=10, ge=1, le=10_000)
    """Number of walks from each node."""
    length: int = Field(default=80, ge=2, le=100_000)
    """Number of nodes of a walk."""
    p: float = Field(default=1.0, ge=0.01, le=100)
    """A large value makes it rare to return at once."""
    q: float = Field(default=1.0, ge=0.01, le=100)
    """A large value keeps walks near their source."""
    window: int = Field(default=10, ge=1, le=1000)
    """The largest distance of two nodes that meet in a walk."""
    epochs: int = Field(default=1, ge=1, le=100_000)
    """How often skip-gram goes through all walks."""


def walk_vectors(graph: Graph, config: WalkVectorsConfig, generator: np.random.Generator) -> FloatArray:
    """Vectors of all nodes, from skip-gram on walks of this graph; nodes without edges get the mean of the others.

    The time is O(n walks length window channels).

    Returns:
        Float32, shape ``(num_nodes, channels)``.
    """
    sources = np.concatenate([generator.permutation(graph.num_nodes) for _ in range(config.walks)])
    seeds = generator.integers(1 << 62, size=2).tolist()
    walks = random_walks(graph.rowptr, graph.col, sources, config.length, p=config.p, q=config.q, seed=seeds[0])
    settings = SkipGramSettings(config.channels, config.window, epochs=config.epochs)
    z = skip_gram(walks, graph.num_nodes, settings, seeds[1])
    is_alone = graph.degree == 0
    if graph.num_edges:
        z[is_alone] = z[~is_alone].mean(axis=0)
    return z


def walk_memory(num_nodes: int, config: WalkVectorsConfig) -> float:
    """Bytes of the walks and of skip-gram's two vectors per node."""
    return float(_NUMBER * num_nodes * (config.walks * config.length + 2 * config.channels))
