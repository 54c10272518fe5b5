"""Walks of every length: local 2-FWL, degree-normalised, read out after every step."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar, Literal, NamedTuple, Self

import numpy as np
import torch
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError
from torch import Tensor

from linkwl.graph import Graph
from linkwl.models.base import Needs, RetiredSetting
from linkwl.models.cost import Cost, profile_cost, smoothing_cost, walk_cost
from linkwl.models.edge_values import check_values, edge_values, num_values, value_channels, values_shape
from linkwl.models.gradient import TrainingConfig
from linkwl.models.pairs.config import PAIR_SPACE, Dropout, EncoderConfig, PairConfig, ReadoutConfig, Settings
from linkwl.models.pairs.pair_model import EVIDENCE, GraphInput, PairModel, PairNetwork
from linkwl.models.space import Choice, Space
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.directed_profile import DirectedProfile, directed_channels
from linkwl.nn.encodings import QuantileEncoding, log_scale
from linkwl.nn.evidence_head import Evidence
from linkwl.nn.feature_similarity import FeatureSimilarity
from linkwl.nn.plain_walks import PlainWalks, RememberedWalks, profile_channels
from linkwl.nn.readout import PairReadout
from linkwl.nn.rounds import WalkRounds
from linkwl.nn.sparse_linear import SparseRows
from linkwl.nn.weighted_walks import LONGEST

MAX_STEPS = 12
_SAMPLE = 4096


class GateSettings(Settings):
    """Walks with learned weights; see :class:`linkwl.nn.WalkRounds`."""

    channels: int = Field(default=16, ge=1, le=1 << 16)
    rounds: int = Field(default=2, ge=1, le=256)
    dropout: Dropout = 0.1
    """Dropout on the edges' factors."""


class WalkTwoFWLConfig(PairConfig):
    """Settings of the model of walks."""

    retired: ClassVar[Mapping[str, RetiredSetting]] = {
        "head": RetiredSetting("gradient-boosted trees were removed", harmless=("perceptron",)),
        "boosting": RetiredSetting("gradient-boosted trees were removed"),
    }

    steps: Literal["auto"] | int = "auto"
    """Length of the longest walks; ``auto`` chooses it by how fast walks spread over the graph."""
    gates: Literal["on", "off"] = "on"
    """Whether walks with learned weights are used besides the plain ones."""
    pairs: GateSettings = GateSettings()
    readout: ReadoutConfig = ReadoutConfig(hidden=64, layers=2, members=8)
    training: TrainingConfig = TrainingConfig(
        learning_rate=0.01,
        max_batch=8192,
        near_share=0.5,
        max_steps=400,
        patience=150,
        evaluate_every=10,
        average=0.98,
        keep="last",
    )

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        if self.steps != "auto" and not 2 <= self.steps <= MAX_STEPS:
            raise PydanticCustomError("steps", f"`steps` must be 2 to {MAX_STEPS} or 'auto'")
        return self

    def reads_features(self, num_features: int) -> bool:
        """Whether the features of graphs with this many are read."""
        return num_features > 0 and self.encoder.input != "degree"


class WalkTwoFWL(PairModel):
    """Walks of up to K steps: plain walks of all lengths, and short walks with learned weights.

    Plain walks are powers of the normalised adjacency, local 2-FWL with linear updates. Walks between the two ends and
    walks back to each end are read out after every step, on a logarithmic scale; with features, also the similarity of
    the features around the ends, and with attributes the evidence that they give, such as the distance on a map; with
    weights and times, also short walks by the weight and the recency of the edges.
    """

    id = "walk-2fwl"
    title = "walk 2-FWL"
    reference = "linkwl, docs/decisions/0009-walks-of-every-length.md, 2026; after Hu et al., 2022."
    Config: ClassVar[type[WalkTwoFWLConfig]] = WalkTwoFWLConfig
    config: WalkTwoFWLConfig
    search_space: ClassVar[Space] = PAIR_SPACE | {
        "gates": Choice("on", "off"),
        "pairs.rounds": Choice(2, 3),
        "training.near_share": Choice(0.0, 0.5),
        "training.keep": Choice("best", "last"),
    }
    needs = Needs(directed=True, weights=True)

    def measure(self, observed: Graph) -> dict[str, int]:
        """The shape of the other models, the length of walks, and what is known of the edges."""
        steps = self.config.steps
        own = {"steps": auto_steps(observed) if steps == "auto" else steps}
        return super().measure(observed) | own | values_shape(observed)

    def build_network(self, shape: Mapping[str, int]) -> WalkTwoFWLNetwork:
        """The network for graphs of that shape."""
        return WalkTwoFWLNetwork(self.config, shape)

    def start(self, observed: Graph, seed: int) -> None:
        """Initialises the weights; input statistics come from a sample of pairs, with their edges removed."""
        super().start(observed, seed)
        generator = np.random.default_rng(seed)
        count = min(self.training.batch_size(observed.num_edges), _SAMPLE)
        edges = observed.edges[generator.permutation(observed.num_edges)[:count]]
        others = generator.integers(observed.num_nodes, size=(count, 2))
        is_clean = (others[:, 0] != others[:, 1]) & ~observed.has_edges(others)
        pairs = np.concatenate([edges, others[is_clean]])
        network, features = self._walk_network, self._features(observed)
        if network.similarity is not None and features is not None:
            network.similarity.fit(features, seed)
        walks = network.read_walks(self._adjacency(observed.without(edges)), features)
        network.fit_profile(walks.at(torch.from_numpy(pairs.astype(np.int64)).to(self.device)))

    @property
    def remedy(self) -> str:
        """What to do if training does not fit."""
        gates = "turn the gates off (gates=off), " * (self.config.gates == "on")
        return f"{gates}use shorter walks (steps) or a smaller batch (training.max_batch)"

    def cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the plain walks, the smoothed features and the gates."""
        config, shape = self.config, self.measure(observed)
        plain = profile_cost(observed, num_targets, steps=shape["steps"])
        for _ in range(num_values(shape)):
            plain += profile_cost(observed, num_targets, steps=min(shape["steps"], LONGEST))
        if config.reads_features(observed.num_features):
            plain += smoothing_cost(observed)
        learned = super().cost(observed, num_targets) if config.gates == "on" else self.weights_cost(observed)
        total = plain + learned
        return Cost(total.memory, self.training.batches_per_step * total.operations)

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the weighted walks of the targets."""
        pairs = self.config.pairs
        return walk_cost(observed.links, num_targets, rounds=pairs.rounds, channels=pairs.channels)

    def describe(self, observed: Graph) -> str:
        """Length of walks and learned parts."""
        steps = self.shape["steps"] if self.shape else self.measure(observed)["steps"]
        gates = "gates and " * (self.config.gates == "on")
        return f"walks of 2 to {steps} edges, {gates}perceptron"

    def _network_for(self, observed: Graph) -> PairNetwork:
        """The network, after a check that the graph has the columns it reads."""
        check_values(self.id, self.shape, observed)
        return super()._network_for(observed)

    def _adjacency(self, observed: Graph) -> Adjacency:
        """The edges, with their weights and recency."""
        return super()._adjacency(observed).with_values(edge_values(observed, self.shape))

    @property
    def _walk_network(self) -> WalkTwoFWLNetwork:
        network = self.trained
        assert isinstance(network, WalkTwoFWLNetwork)
        return network


def auto_steps(observed: Graph) -> int:
    """A length of walks that reaches most of the graph and returns over a few more edges.

    The branching number is the mean number of new neighbours at the end of a walk: the mean degree at the end of a
    random edge, minus one.
    """
    degree = observed.links.degree.astype(np.float64)
    branching = max((degree**2).sum() / max(degree.sum(), 1) - 1, 1.5)
    reach = math.log(max(observed.num_nodes, 2)) / math.log(branching)
    return min(max(2 + math.ceil(reach), 4), MAX_STEPS)


class WalkTwoFWLEncoding(NamedTuple):
    """The encoding of the observed graph."""

    nodes: list[Tensor]
    """Node vectors at every depth of the encoder; none without gates."""
    adjacency: Adjacency
    plain: PlainWalks
    evidence: Evidence | None = None


class WalkTwoFWLNetwork(PairNetwork):
    """Profile of plain walks and similarities, gated walks, readouts.

    Some perceptrons read plain walks alone, and with gates as many others read both: the two kinds make different
    errors.
    """

    def __init__(self, config: WalkTwoFWLConfig, shape: Mapping[str, int]) -> None:
        super().__init__()
        self.steps = shape["steps"]
        num_features = shape["num_features"]
        self.similarity = FeatureSimilarity(num_features) if config.reads_features(num_features) else None
        self.is_directed = bool(shape["is_directed"])
        channels = (directed_channels if self.is_directed else profile_channels)(self.steps)
        channels += self.similarity.channels if self.similarity else 0
        channels += value_channels(shape, self.steps)
        self.encoder = self.walks = None
        self.quantiles = QuantileEncoding(channels)
        num_evidence = shape.get(EVIDENCE, 0)
        self.evidence_quantiles = QuantileEncoding(num_evidence) if num_evidence else None
        channels += num_evidence
        width, alone = 2 * channels, config.readout.model_copy(update={"nodes": "none"})
        self.readout = self._build_readout(alone, width, config.encoder)
        if config.gates == "on":
            pairs = config.pairs
            self.encoder = config.encoder.build(shape)
            self.walks = WalkRounds(
                config.encoder.channels,
                pairs.channels,
                pairs.rounds,
                is_directed=self.is_directed,
                dropout=pairs.dropout,
            )
            width += (1 + self.is_directed) * pairs.rounds * pairs.channels
            self.gated_readout = self._build_readout(config.readout, width, config.encoder)

    def _build_readout(self, readout: ReadoutConfig, width: int, encoder: EncoderConfig) -> PairReadout:
        """A readout of this width; that of ordered pairs concatenates two halves."""
        width = width // 2 if self.is_directed else width
        return readout.build(width, encoder, is_directed=self.is_directed, product=False)

    @property
    def reads_features(self) -> bool:
        """Whether scores depend on the nodes' features."""
        return self.similarity is not None

    @property
    def reads_evidence(self) -> bool:
        """Whether scores depend on the evidence that attributes give."""
        return self.evidence_quantiles is not None

    def fit_evidence(self, sample: Tensor) -> None:
        """Takes the distribution of the evidence, which is read beside the profile, from a sample."""
        if self.evidence_quantiles is not None and len(sample):
            self.evidence_quantiles.fit(sample.to(next(self.parameters()).dtype))

    def read(self, adjacency: Adjacency, features: SparseRows | Tensor | None, *, remember: bool = False) -> GraphInput:
        """Also includes the plain walks and smoothed features, which are not learned."""
        return GraphInput(adjacency, features, self.read_walks(adjacency, features, remember=remember))

    def read_walks(
        self, adjacency: Adjacency, features: SparseRows | Tensor | None, *, remember: bool = False
    ) -> PlainWalks:
        """The plain walks of a graph, and its smoothed features."""
        kind = RememberedWalks if remember else PlainWalks
        profile = DirectedProfile(adjacency, self.steps).at if self.is_directed else None
        return kind(adjacency, self.steps, self.similarity, features, profile=profile)

    def encode(self, graph: GraphInput) -> WalkTwoFWLEncoding:
        """Encodes the nodes; walks are found later for the pairs."""
        assert isinstance(graph.profile, PlainWalks)
        nodes = self.encoder(graph.adjacency, graph.features) if self.encoder is not None else []
        return WalkTwoFWLEncoding(nodes, graph.adjacency, graph.profile, graph.evidence)

    def fit_profile(self, sample: Tensor) -> None:
        """Takes the distribution of values from a sample of profiles, if it is not empty."""
        if len(sample):
            self.quantiles.fit(sample.to(next(self.parameters()).dtype))

    def score(self, encoding: WalkTwoFWLEncoding, pairs: Tensor) -> Tensor:
        """The logits, one row per member of the readout."""
        dtype = next(self.parameters()).dtype
        z = self.quantiles(encoding.plain.at(pairs).to(dtype))
        if self.evidence_quantiles is not None and encoding.evidence is not None:
            z = torch.cat([z, self.evidence_quantiles(encoding.evidence.at(pairs).to(dtype))], dim=1)
        if self.is_directed:
            return self._score_ordered(encoding, z, pairs)
        z = z / 2  # two orientations are added
        logits = self.readout(z, z, [], pairs)
        if self.walks is None:
            return logits
        heard = self.walks(encoding.nodes[-1], encoding.adjacency, torch.cat([pairs, pairs.flip(1)]))
        z = torch.cat([torch.cat([z, z]), *(log_scale(x) for x in heard)], dim=1)
        gated = self.gated_readout(*z.chunk(2), encoding.nodes, pairs)
        return torch.cat([logits.view(-1, len(pairs)), gated.view(-1, len(pairs))])

    def _score_ordered(self, encoding: WalkTwoFWLEncoding, z: Tensor, pairs: Tensor) -> Tensor:
        """The logits of ordered pairs: a profile has a direction, and of gated walks both directions are read."""
        logits = self.readout(*z.chunk(2, dim=1), [], pairs)
        if self.walks is None:
            return logits
        heard = self.walks(encoding.nodes[-1], encoding.adjacency, torch.cat([pairs, pairs.flip(1)]))
        z = torch.cat([z, *(part for x in heard for part in log_scale(x).chunk(2))], dim=1)
        gated = self.gated_readout(*z.chunk(2, dim=1), encoding.nodes, pairs)
        return torch.cat([logits.view(-1, len(pairs)), gated.view(-1, len(pairs))])
