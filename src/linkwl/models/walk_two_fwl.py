"""Walks of every length: local 2-FWL, degree-normalised, read after every step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, NamedTuple

import numpy as np
import torch
from pydantic import Field
from torch import Tensor

from linkwl.graph import Graph
from linkwl.models.cost import Cost
from linkwl.models.pair_config import Dropout, PairConfig, Settings
from linkwl.models.pair_model import PairModel, PairNetwork
from linkwl.models.walk_cost import walk_cost
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.feature_similarity import FeatureSimilarity
from linkwl.nn.log_scale import log_scale
from linkwl.nn.quantile_encoding import QuantileEncoding
from linkwl.nn.sparse_linear import SparseRows
from linkwl.nn.walk_profile import profile_channels, walk_profile
from linkwl.nn.walk_rounds import WalkRounds

MAX_STEPS = 12
_SAMPLE = 4096


class GateSettings(Settings):
    """The learned walks; see :class:`linkwl.nn.WalkRounds`."""

    channels: int = Field(default=16, ge=1)
    rounds: int = Field(default=2, ge=1)
    dropout: Dropout = 0.1


class WalkTwoFWLConfig(PairConfig):
    """Settings of the model of walks."""

    steps: Literal["auto"] | int = "auto"
    gates: Literal["on", "off"] = "on"
    pairs: GateSettings = GateSettings()


class WalkTwoFWL(PairModel):
    """Walks of up to K steps: all of them plain, the short ones also weighted by what they pass through."""

    id = "walk-2fwl"
    title = "walk 2-FWL"
    reference = "Hu et al., Two-dimensional Weisfeiler-Lehman graph neural networks for link prediction, 2022."
    Config: ClassVar[type[WalkTwoFWLConfig]] = WalkTwoFWLConfig
    config: WalkTwoFWLConfig

    def measure(self, observed: Graph) -> dict[str, int]:
        steps = self.config.steps
        return super().measure(observed) | {"steps": auto_steps(observed) if steps == "auto" else steps}

    def build_network(self, shape: Mapping[str, int]) -> WalkTwoFWLNetwork:
        return WalkTwoFWLNetwork(self.config, shape)

    def start(self, observed: Graph, seed: int) -> None:
        super().start(observed, seed)
        generator = np.random.default_rng(seed)
        share = max(1, int(self.config.training.batch_ratio * observed.num_edges))
        edges = observed.edges[generator.permutation(observed.num_edges)[: min(share, _SAMPLE)]]
        others = generator.integers(observed.num_nodes, size=(len(edges), 2))
        others = others[others[:, 0] != others[:, 1]]
        graph = observed.without(edges)
        pairs = torch.from_numpy(np.concatenate([edges, others]).astype(np.int64))
        network, features = self.trained, self._features(observed)
        if network.similarity is not None:
            network.similarity.fit(features, seed)
        adjacency = self._adjacency(graph)
        network.quantiles.fit(network.profile(adjacency, network.smooth(adjacency, features), pairs))

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        pairs = self.config.pairs
        return walk_cost(observed, num_targets, rounds=pairs.rounds, channels=pairs.channels)

    def describe(self, observed: Graph) -> str:
        return f"walks of 2 to {self.shape.get('steps', '?')} edges"


def auto_steps(observed: Graph) -> int:
    """How long walks must be to reach most of the graph, by its mean degree at the end of an edge."""
    degree = observed.degree.astype(np.float64)
    branching = max((degree**2).sum() / max(degree.sum(), 1) - 1, 1.5)
    return int(np.clip(2 + np.ceil(np.log(max(observed.num_nodes, 2)) / np.log(branching)), 4, MAX_STEPS))


class Encoding(NamedTuple):
    nodes: list[Tensor]
    adjacency: Adjacency
    smoothed: list[Tensor]


class WalkTwoFWLNetwork(PairNetwork):
    def __init__(self, config: WalkTwoFWLConfig, shape: Mapping[str, int]) -> None:
        super().__init__()
        self.steps = shape["steps"]
        self.encoder = config.encoder.build(shape)
        num_features = 0 if config.encoder.input == "degree" else shape["num_features"]
        self.similarity = FeatureSimilarity(num_features) if num_features else None
        channels = profile_channels(self.steps) + (self.similarity.channels if self.similarity else 0)
        self.quantiles = QuantileEncoding(channels)
        pairs = config.pairs
        self.walks = None
        width = 2 * channels
        if config.gates == "on":
            self.walks = WalkRounds(config.encoder.channels, pairs.channels, pairs.rounds, dropout=pairs.dropout)
            width += pairs.rounds * pairs.channels
        self.readout = config.readout.build(width, config.encoder, is_directed=False, product=False)

    def encode(self, adjacency: Adjacency, features: SparseRows | Tensor | None) -> Encoding:
        return Encoding(self.encoder(adjacency, features), adjacency, self.smooth(adjacency, features))

    def smooth(self, adjacency: Adjacency, features: SparseRows | Tensor | None) -> list[Tensor]:
        return self.similarity.encode(adjacency, features) if self.similarity else []

    def profile(self, adjacency: Adjacency, smoothed: list[Tensor], pairs: Tensor) -> Tensor:
        profile = walk_profile(adjacency, pairs, self.steps)
        return torch.cat([profile, self.similarity(smoothed, pairs)], dim=1) if self.similarity else profile

    def score(self, encoding: Encoding, pairs: Tensor) -> Tensor:
        profile = self.quantiles(self.profile(encoding.adjacency, encoding.smoothed, pairs)) / 2
        z = torch.cat([profile, profile])
        if self.walks is not None:
            heard = self.walks(encoding.nodes[-1], encoding.adjacency, torch.cat([pairs, pairs.flip(1)]))
            z = torch.cat([z, *(log_scale(x) for x in heard)], dim=1)
        return self.readout(*z.chunk(2), encoding.nodes, pairs)
