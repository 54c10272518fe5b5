"""BUDDY: numbers of nodes by their distances to both ends, and propagated features."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, NamedTuple

import numpy as np
import torch
from pydantic import Field
from torch import Tensor, nn

from linkwl.graph import Graph
from linkwl.models.base import Needs
from linkwl.models.cost import FETCH, FLOAT, KEPT, PASSES, Cost
from linkwl.models.gradient import TrainingConfig
from linkwl.models.pairs.config import Dropout, EncodedConfig, EncoderConfig, Settings
from linkwl.models.pairs.pair_model import GraphInput, PairModel, PairNetwork, PairProfile
from linkwl.models.space import Choice, LogUniform, Space, Uniform
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.distance_profile import DistanceProfile, distance_channels
from linkwl.nn.encoder import NodeEncoder
from linkwl.nn.encodings import QuantileEncoding
from linkwl.nn.perceptron import Perceptron
from linkwl.nn.sparse_linear import SparseRows

_SAMPLE = 4096  # links, and about as many other pairs, whose numbers give the input statistics


class PropagationConfig(EncoderConfig):
    """The propagated inputs: a linear map, then hops without weights."""

    conv: Literal["appnp"] = "appnp"
    """The hops have no weights, so the settings of layers in between do not exist here."""
    alpha: float = Field(default=0.0, ge=0, lt=1)
    """Share of the input that is kept at each hop; the published one is 0."""


class BuddyReadout(Settings):
    """The perceptrons of BUDDY."""

    hidden: int = Field(default=64, ge=1, le=1 << 16)
    layers: int = Field(default=1, ge=1, le=256)
    """Number of hidden layers on the numbers of nodes."""
    node_dropout: Dropout = 0.1
    """In the perceptron on the two ends."""
    dropout: Dropout = 0.1
    """In the perceptron on the numbers of nodes."""


class BuddyConfig(EncodedConfig):
    """Settings of BUDDY."""

    hops: int = Field(default=2, ge=1, le=3)
    """The largest distance k that is distinguished."""
    max_degree: int = Field(default=2000, ge=1, lt=1 << 31)
    """Paths do not pass nodes with more neighbours, which bounds the time near hubs."""
    encoder: PropagationConfig = PropagationConfig(channels=32)
    readout: BuddyReadout = BuddyReadout()
    training: TrainingConfig = TrainingConfig()


class Buddy(PairModel):
    r"""BUDDY: how many nodes there are at which distances from both ends, beside propagated features.

    .. math::
        s(p, q) = f\big(\phi(A_{pq}, B_{pq}) \,\Vert\, \psi(\mathbf{h}_p \odot \mathbf{h}_q)\big), \qquad
        A_{pq}[a, b] = |\{u : d(u, p) = a,\, d(u, q) = b\}|, \quad B_{pq}[a] = \sum_{b > k} A_{pq}[a, b]

    for a and b from 1 to k = 2, B for either end, and :math:`\mathbf{h} = W (X \Vert \hat{A} X \Vert \hat{A}^2 X)`: the
    inputs, features or degrees or both, after every hop of a propagation that has no weights.

    The published system estimates the numbers by sketches (MinHash and HyperLogLog), which pays where the nodes within
    k hops are too many to walk through. Here they are counted by :func:`distance_counts
    <linkwl.sparse.distance_counts.distance_counts>`: on graphs of the size of the benchmarks that is fast enough, and
    it leaves out the edge of the pair, in training and afterwards, so that a link is counted as if it were not there.
    A sketch cannot forget an edge. Numbers are read as logarithms with the degrees beside them, standardised by a
    sample of pairs of the training graph; the published network uses batch normalisation. The end of smaller degree
    comes first, so that a pair and its reverse have the same score. Training links are hidden while they are predicted.
    Time grows with the edges within k hops of the ends, and with nodes times channels.

    Reference: Chamberlain et al., 2023, arXiv:2209.15486.
    """

    id = "buddy"
    title = "BUDDY"
    reference = "Chamberlain et al., Graph neural networks for link prediction with subgraph sketching, ICLR, 2023."
    needs: ClassVar[Needs] = Needs()
    block_size: ClassVar[int] = 1 << 14
    Config: ClassVar[type[BuddyConfig]] = BuddyConfig
    config: BuddyConfig
    search_space: ClassVar[Space] = {
        "hops": Choice(1, 2, 3),
        "encoder.channels": Choice(16, 32, 64, 128),
        "encoder.layers": Choice(0, 1, 2, 3),
        "encoder.input": Choice("auto", "degree", "features"),
        "encoder.input_dropout": Uniform(0.0, 0.6),
        "encoder.feature_dropout": Uniform(0.0, 0.8),
        "readout.hidden": Choice(32, 64, 128),
        "readout.layers": Choice(1, 2),
        "readout.dropout": Uniform(0.0, 0.6),
        "readout.node_dropout": Uniform(0.0, 0.6),
        "training.learning_rate": LogUniform(1e-3, 2e-2),
        "training.batch_ratio": Choice(0.03, 0.06, 0.125),
    }

    def build_network(self, shape: Mapping[str, int]) -> BuddyNetwork:
        """The network for graphs of that shape."""
        return BuddyNetwork(self.config, shape)

    def start(self, observed: Graph, seed: int) -> None:
        """Initialises the weights; input statistics come from a sample of pairs."""
        super().start(observed, seed)
        generator = np.random.default_rng(seed)
        edges = observed.edges[generator.permutation(observed.num_edges)[:_SAMPLE]]
        others = generator.integers(max(observed.num_nodes, 1), size=(len(edges), 2))
        pairs = np.concatenate([edges, others[~observed.has_edges(others)]]).astype(np.int64)
        network = self._pair_network
        assert isinstance(network, BuddyNetwork)
        if len(pairs):
            profile = network.profile(self._adjacency(observed))
            network.quantiles.fit(profile.at(torch.from_numpy(pairs)).to(self.device, torch.float32))

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the searches around both ends, and of the perceptrons."""
        hidden, channels = self.config.readout.hidden, self.config.encoder.channels
        inputs = 2 * distance_channels(self.config.hops) + self.config.readout.layers * hidden
        numbers = num_targets * (inputs + 2 * channels + 2 * hidden)
        search = 2 * num_targets * _search_steps(observed, self.config.hops)
        memory = FLOAT * KEPT * numbers + 20.0 * observed.num_nodes
        return Cost(memory, PASSES * numbers * hidden + FETCH / 8 * search)

    @property
    def remedy(self) -> str:
        """What to do if training does not fit."""
        return "use fewer channels (encoder.channels) or a smaller batch (training.max_batch)"

    def describe(self, observed: Graph) -> str:
        """Distances, hops and channels."""
        encoder = self.config.encoder
        return f"exact numbers of nodes within {self.config.hops} hops, {encoder.channels} channels"


class BuddyEncoding(NamedTuple):
    """The vectors of the nodes, and the numbers of nodes around pairs."""

    h: Tensor
    distances: PairProfile


class BuddyNetwork(PairNetwork):
    """Propagated inputs, a perceptron on two ends, a perceptron on numbers of nodes, and a linear map of both."""

    encoder: NodeEncoder

    def __init__(self, config: BuddyConfig, shape: Mapping[str, int]) -> None:
        super().__init__()
        encoder, readout = config.encoder, config.readout
        self.hops, self.max_degree = config.hops, config.max_degree
        self.encoder = encoder.build(shape)
        self.mix = nn.Linear((encoder.layers + 1) * encoder.channels, encoder.channels)
        self.of_nodes = Perceptron(encoder.channels, readout.hidden, norm=True, dropout=readout.node_dropout)
        width = distance_channels(config.hops)
        self.quantiles = QuantileEncoding(width)
        self.of_numbers = Perceptron(2 * width, readout.hidden, layers=readout.layers, dropout=readout.dropout)
        self.out = nn.Linear(2 * readout.hidden, 1)

    def profile(self, adjacency: Adjacency, *, remember: bool = False) -> DistanceProfile:
        """The numbers of nodes around pairs of a graph."""
        return DistanceProfile(adjacency, self.hops, self.max_degree, remember=remember)

    def read(self, adjacency: Adjacency, features: SparseRows | Tensor | None, *, remember: bool = False) -> GraphInput:
        """The graph, and numbers of nodes that are counted when pairs are scored."""
        return GraphInput(adjacency, features, self.profile(adjacency, remember=remember))

    def encode(self, graph: GraphInput) -> BuddyEncoding:
        """Propagates the inputs."""
        assert graph.profile is not None
        hops = self.encoder(graph.adjacency, graph.features)
        return BuddyEncoding(self.mix(torch.cat(hops, dim=1)), graph.profile)

    def score(self, encoding: BuddyEncoding, pairs: Tensor) -> Tensor:
        """Reads the numbers of nodes and the two ends."""
        numbers = self.of_numbers(self.quantiles(encoding.distances.at(pairs).to(encoding.h.dtype)))
        h_p, h_q = (encoding.h.index_select(0, end) for end in pairs.T)
        logits: Tensor = self.out(torch.cat([numbers, self.of_nodes(h_p * h_q)], dim=1))
        return logits.squeeze(-1)


def _search_steps(observed: Graph, hops: int) -> float:
    """Mean number of edges that a search of ``hops`` from an end of an edge reads, at most all."""
    degree = observed.degree.astype(np.float64)
    at_end = float((degree**2).sum() / max(degree.sum(), 1))
    return min(sum(at_end**k for k in range(1, hops + 1)), float(len(observed.col)))
