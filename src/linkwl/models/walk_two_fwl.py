"""Walks of every length: local 2-FWL, degree-normalised, read after every step."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
import torch
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError
from torch import Tensor

from linkwl.graph import Graph
from linkwl.models.base import Needs
from linkwl.models.cost import Cost
from linkwl.models.learned import TrainingConfig
from linkwl.models.pair_config import Dropout, PairConfig, ReadoutConfig, Settings
from linkwl.models.pair_model import PairModel, PairNetwork
from linkwl.models.profile_cost import profile_cost, smoothing_cost
from linkwl.models.walk_cost import walk_cost
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.boosted_trees import BoostedTrees, TreeDescent
from linkwl.nn.feature_similarity import FeatureSimilarity
from linkwl.nn.log_scale import log_scale
from linkwl.nn.plain_walks import PlainWalks
from linkwl.nn.quantile_encoding import QuantileEncoding
from linkwl.nn.sparse_linear import SparseRows
from linkwl.nn.walk_profile import profile_channels
from linkwl.nn.walk_rounds import WalkRounds

MAX_STEPS = 12
_SAMPLE = 4096


class GateSettings(Settings):
    """Walks weighted by what they pass through; see :class:`linkwl.nn.WalkRounds`."""

    channels: int = Field(default=16, ge=1)
    rounds: int = Field(default=2, ge=1)
    dropout: Dropout = 0.1
    """Dropout on the edges' factors."""


class BoostingSettings(Settings):
    """Gradient boosting; see :class:`linkwl.nn.TreeDescent`."""

    trees: int = Field(default=300, ge=1, le=10_000)
    """How many at most; in place of ``training.max_steps``."""
    learning_rate: float = Field(default=0.1, gt=0, le=1)
    patience: int = Field(default=60, ge=1)
    """Trees without a better validation AUC after which there are no more."""
    depth: int = Field(default=3, ge=1, le=8)
    folds: int = Field(default=8, ge=1)
    """Batches that each tree is grown on."""


class WalkTwoFWLConfig(PairConfig):
    """Settings of the model of walks."""

    steps: Literal["auto"] | int = "auto"
    """The longest walks; ``auto`` goes by how fast walks spread over the graph."""
    gates: Literal["on", "off"] = "on"
    """Whether walks weighted by what they pass through are learned beside the plain ones."""
    head: Literal["perceptron", "boosting"] = "perceptron"
    """What makes a score of it; boosting learns from the plain walks alone."""
    pairs: GateSettings = GateSettings()
    boosting: BoostingSettings = BoostingSettings()
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

    @property
    def growing(self) -> dict[str, Any]:
        """How trees are grown, in the words of training."""
        boosting = self.boosting
        return {
            "learning_rate": boosting.learning_rate,
            "max_steps": boosting.trees,
            "patience": boosting.patience,
            "batches_per_step": boosting.folds,
            "keep": "best",
            "near_share": 0.0,
        }

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        if self.steps != "auto" and not 2 <= self.steps <= MAX_STEPS:
            raise PydanticCustomError("steps", f"`steps` must be 2 to {MAX_STEPS} or 'auto'")
        if self.head == "boosting" and self.gates == "on":
            raise PydanticCustomError("no_gates", "`head` 'boosting' has no gradient for gates; set `gates` to 'off'")
        if self.head == "boosting":
            usual: TrainingConfig = type(self).model_fields["training"].default
            for key, value in self.growing.items():
                if getattr(self.training, key) not in (value, getattr(usual, key)):
                    raise PydanticCustomError(
                        "trees", f"`training.{key}` is not for trees; see the settings `boosting`"
                    )
        return self

    def reads_features(self, num_features: int) -> bool:
        """Whether features of graphs with so many are read."""
        return num_features > 0 and self.encoder.input != "degree"


class WalkTwoFWL(PairModel):
    """Walks of up to K steps: all of them plain, the short ones also weighted by what they pass through.

    Plain walks are powers of the normalised adjacency, local 2-FWL with linear updates. Those between the two ends and
    those back to each are read after every step, on a logarithmic scale; with features also how alike the features
    around the ends are.
    """

    id = "walk-2fwl"
    title = "walk 2-FWL"
    reference = "Hu et al., Two-dimensional Weisfeiler-Lehman graph neural networks for link prediction, 2022."
    Config: ClassVar[type[WalkTwoFWLConfig]] = WalkTwoFWLConfig
    config: WalkTwoFWLConfig
    needs = Needs()

    @property
    def training(self) -> TrainingConfig:
        """How the weights are found; with boosting a step is a tree, grown on several batches."""
        config = self.config
        return config.training if config.head == "perceptron" else config.training.model_copy(update=config.growing)

    def measure(self, observed: Graph) -> dict[str, int]:
        """The shape of other models, and the length of walks."""
        steps = self.config.steps
        return super().measure(observed) | {"steps": auto_steps(observed) if steps == "auto" else steps}

    def build_network(self, shape: Mapping[str, int]) -> WalkTwoFWLNetwork:
        """The network for graphs of that shape."""
        return WalkTwoFWLNetwork(self.config, shape)

    def start(self, observed: Graph, seed: int) -> None:
        """Fresh weights; what inputs look like is taken from a sample of pairs, without their edges in the graph."""
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
        plain = network.read_plain(self._adjacency(observed.without(edges)), features)
        network.fit_profile(plain.at(torch.from_numpy(pairs.astype(np.int64)).to(self.device)))

    @property
    def remedy(self) -> str:
        """What to do where training does not fit."""
        gates = "turn the gates off (gates=off), " * (self.config.gates == "on")
        return f"{gates}use shorter walks (steps) or a smaller batch (training.max_batch)"

    def make_optimizer(self) -> torch.optim.Optimizer:
        """Adam, or the growing of trees."""
        trees = self._walk_network.trees
        return super().make_optimizer() if trees is None else TreeDescent(trees, self.training.learning_rate)

    def cost(self, observed: Graph, num_targets: int) -> Cost:
        """The plain walks, the smoothed features, and what the gates need."""
        config, shape = self.config, self.measure(observed)
        plain = profile_cost(observed, num_targets, steps=shape["steps"])
        if config.reads_features(observed.num_features):
            plain += smoothing_cost(observed)
        learned = super().cost(observed, num_targets) if config.gates == "on" else self.weights_cost(observed)
        total = plain + learned
        return Cost(total.memory, self.training.batches_per_step * total.operations)

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The weighted walks of the targets."""
        pairs = self.config.pairs
        return walk_cost(observed, num_targets, rounds=pairs.rounds, channels=pairs.channels)

    def describe(self, observed: Graph) -> str:
        """Length of walks and what is learned."""
        steps = self.shape["steps"] if self.shape else self.measure(observed)["steps"]
        learned = "gates and " * (self.config.gates == "on") + self.config.head
        return f"walks of 2 to {steps} edges, {learned}"

    @property
    def _walk_network(self) -> WalkTwoFWLNetwork:
        network = self.trained
        assert isinstance(network, WalkTwoFWLNetwork)
        return network


def auto_steps(observed: Graph) -> int:
    """Walks long enough to reach most of the graph and come back over a few edges more.

    A walk's end has on average as many new neighbours as the branching number says: the mean degree at the end of a
    random edge, less the one it came by.
    """
    degree = observed.degree.astype(np.float64)
    branching = max((degree**2).sum() / max(degree.sum(), 1) - 1, 1.5)
    reach = math.log(max(observed.num_nodes, 2)) / math.log(branching)
    return min(max(2 + math.ceil(reach), 4), MAX_STEPS)


class Encoding(NamedTuple):
    """What is known of the observed graph before pairs are."""

    nodes: list[Tensor]
    """Node vectors at every depth of the encoder; none without gates."""
    adjacency: Adjacency
    plain: PlainWalks


class WalkTwoFWLNetwork(PairNetwork):
    """Profile of plain walks and similarities, gated walks, readouts.

    Some perceptrons read plain walks alone, and with gates as many others read both: either kind is mistaken where the
    other is not.
    """

    def __init__(self, config: WalkTwoFWLConfig, shape: Mapping[str, int]) -> None:
        super().__init__()
        self.steps = shape["steps"]
        num_features = shape["num_features"]
        self.similarity = FeatureSimilarity(num_features) if config.reads_features(num_features) else None
        self._kept: PlainWalks | None = None
        channels = profile_channels(self.steps) + (self.similarity.channels if self.similarity else 0)
        self.encoder = self.walks = self.trees = self.quantiles = None
        if config.head == "boosting":
            self.trees = BoostedTrees(channels, config.boosting.trees, depth=config.boosting.depth)
            return
        self.quantiles = QuantileEncoding(channels)
        width, alone = 2 * channels, config.readout.model_copy(update={"nodes": "none"})
        self.readout = alone.build(width, config.encoder, is_directed=False, product=False)
        if config.gates == "on":
            pairs = config.pairs
            self.encoder = config.encoder.build(shape)
            self.walks = WalkRounds(config.encoder.channels, pairs.channels, pairs.rounds, dropout=pairs.dropout)
            width += pairs.rounds * pairs.channels
            self.gated_readout = config.readout.build(width, config.encoder, is_directed=False, product=False)

    @property
    def reads_features(self) -> bool:
        """Whether scores depend on the nodes' features."""
        return self.similarity is not None

    def encode(self, adjacency: Adjacency, features: SparseRows | Tensor | None) -> Encoding:
        """Nodes and smoothed features; walks are found for the pairs."""
        nodes = self.encoder(adjacency, features) if self.encoder is not None else []
        return Encoding(nodes, adjacency, self.read_plain(adjacency, features))

    def read_plain(self, adjacency: Adjacency, features: SparseRows | Tensor | None) -> PlainWalks:
        """What is not learned; kept after training for when the same graph is asked about again."""
        if self._kept is not None and self._kept.adjacency is adjacency:
            return self._kept
        plain = PlainWalks(adjacency, self.steps, self.similarity, features)
        if not self.training:
            self._kept = plain
        return plain

    def load_state_dict(self, *arguments: Any, **options: Any) -> Any:
        """Takes weights; what is kept of a graph may be of others."""
        self._kept = None
        return super().load_state_dict(*arguments, **options)

    def fit_profile(self, sample: Tensor) -> None:
        """Takes from a sample of profiles what values to expect; nothing from none."""
        if len(sample) == 0:
            return
        sample = sample.to(next(self.parameters()).dtype)
        if self.trees is not None:
            self.trees.fit_knots(sample)
        if self.quantiles is not None:
            self.quantiles.fit(sample)

    def score(self, encoding: Encoding, pairs: Tensor) -> Tensor:
        """The logits, a row for each member of the readout."""
        profile = encoding.plain.at(pairs).to(next(self.parameters()).dtype)
        if self.trees is not None:
            return self.trees(profile)
        assert self.quantiles is not None
        z = self.quantiles(profile) / 2  # two orientations are added up
        logits = self.readout(z, z, [], pairs)
        if self.walks is None:
            return logits
        heard = self.walks(encoding.nodes[-1], encoding.adjacency, torch.cat([pairs, pairs.flip(1)]))
        z = torch.cat([torch.cat([z, z]), *(log_scale(x) for x in heard)], dim=1)
        gated = self.gated_readout(*z.chunk(2), encoding.nodes, pairs)
        return torch.cat([logits.view(-1, len(pairs)), gated.view(-1, len(pairs))])
