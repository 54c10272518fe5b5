"""Walks of every length: local 2-FWL, degree-normalised, read out after every step."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError
from torch import Tensor

from linkwl.graph import Graph, Observed
from linkwl.models.base import GradientTrainer, Needs, RetiredSetting
from linkwl.models.batch import Batch, BatchSource
from linkwl.models.boosted_trees import find_lightgbm
from linkwl.models.cost import FLOAT, KEPT, PASSES, Cost, profile_cost, smoothing_cost, walk_cost
from linkwl.models.edge_values import check_values, edge_values, num_values, values_shape
from linkwl.models.fold_rows import FoldBatch, FoldRows, num_folds, num_rows
from linkwl.models.fold_trees import FOLDS, SETTINGS, grow_trees
from linkwl.models.global_position import POSITION, GlobalPosition, position_cost
from linkwl.models.gradient import TrainingConfig
from linkwl.models.history import History
from linkwl.models.loss import cross_entropy
from linkwl.models.pairs.config import Dropout, PairConfig, ReadoutConfig, Settings
from linkwl.models.pairs.pair_model import GraphInput, PairModel, PairNetwork, ordered
from linkwl.models.pairs.walk_network import CONTENT, PLACES, TREES, PairRows, WalkTwoFWLNetwork
from linkwl.models.space import Choice, LogUniform, Space, Uniform
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.evidence_head import Evidence
from linkwl.nn.feature_similarity import CONTENT_RANK
from linkwl.nn.weighted_walks import LONGEST
from linkwl.protocols import TrainingData
from linkwl.typing import Pairs

MIN_AUTO_STEPS, MAX_STEPS = 4, 12
MOST_PLACED = 200_000
"""Training edges up to which ``position=auto`` and ``trees=auto`` are on; eigenvectors of larger ones take long, and
depend too much on how dense the graph is."""
MOST_WORK = 2e6
"""Operations that the walks of a pair may take before ``steps=auto`` makes them shorter; those of Pubmed take 6e4."""
_SAMPLE = 4096

Switch: TypeAlias = Literal["auto", "on", "off"]
"""Whether a part of the model is there; ``auto`` has it on graphs of up to 200 000 training edges."""


class GateSettings(Settings):
    """Walks with learned weights; see :class:`linkwl.nn.WalkRounds`."""

    channels: int = Field(default=16, ge=1, le=1 << 16)
    rounds: int = Field(default=2, ge=1, le=256)
    dropout: Dropout = 0.1
    """Dropout on the edges' factors."""


class WalkTwoFWLConfig(PairConfig):
    """Settings of the model of walks."""

    retired: ClassVar[Mapping[str, RetiredSetting]] = {
        "head": RetiredSetting("trees alone were removed; see trees=on", harmless=("perceptron",)),
        "boosting": RetiredSetting("trees alone were removed; see trees=on"),
    }
    added: ClassVar[Mapping[str, Any]] = {
        "position": "off",
        "trees": "off",
        "training": {"schedule": "constant", "links_per_step": 0},
    }

    steps: Literal["auto"] | int = "auto"
    """Length of the longest walks; ``auto`` chooses it by how fast walks spread over the graph."""
    position: Switch = "auto"
    """Whether as many perceptrons again read where the ends lie in the whole graph."""
    trees: Switch = "auto"
    """Whether gradient-boosted trees on walks and global position count as much as all perceptrons together."""
    gates: Literal["on", "off"] = "off"
    """Whether walks with learned weights are used besides the plain ones. Then the node encoder reads features, and no
    perceptrons of their own read those of single ends."""
    pairs: GateSettings = GateSettings()
    readout: ReadoutConfig = ReadoutConfig(hidden=32, layers=2, members=4, dropout=0.0)
    training: TrainingConfig = TrainingConfig(
        learning_rate=0.03,
        schedule="one-cycle",
        max_batch=1024,
        negatives_per_positive=2,
        near_share=0.5,
        max_steps=1200,
        links_per_step=12,
        patience=10_000,  # a cycle is not cut short
        evaluate_every=20,
        average=0.9,
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
    """Walks of up to K steps, read once for every pair of training, by perceptrons and boosted trees.

    Walks are powers of the normalised adjacency, local 2-FWL with linear updates. Those between the two ends and those
    back to each end are read out after every step, on a logarithmic scale; with features, also what there is around the
    ends and how similar it is, and with attributes the evidence that they give, such as the distance on a map; with
    weights and times, also short walks by the weight and the recency of the edges. On graphs of up to 200 000 training
    edges further perceptrons read where the pair lies in the whole graph, and gradient-boosted trees the same numbers.
    With ``gates=on`` there are short walks with learned weights, too.
    """

    id = "walk-2fwl"
    title = "walk 2-FWL"
    reference = "linkwl, docs/decisions/0009-walks-of-every-length.md, 2026; after Hu et al., 2022."
    Config: ClassVar[type[WalkTwoFWLConfig]] = WalkTwoFWLConfig
    config: WalkTwoFWLConfig
    search_space: ClassVar[Space] = {
        "position": Choice("auto", "off"),
        "trees": Choice("auto", "off"),
        "gates": Choice("off", "on"),
        "pairs.rounds": Choice(2, 3),
        "encoder.input": Choice("auto", "degree"),
        "readout.hidden": Choice(16, 32, 64),
        "readout.dropout": Uniform(0.0, 0.3),
        "training.learning_rate": LogUniform(5e-3, 5e-2),
        "training.near_share": Choice(0.0, 0.5),
    }
    needs = Needs(directed=True, weights=True)
    _kept: FoldRows | None = None
    """The rows of the current training."""

    def measure(self, observed: Graph) -> dict[str, int]:
        """The shape of the other models, the length of walks, and what is known of the edges."""
        steps = self.config.steps
        own = {"steps": auto_steps(observed) if steps == "auto" else steps}
        if _is_on(self.config.position, observed):
            own[PLACES] = len(POSITION)
        if self.config.gates == "off" and self.config.reads_features(observed.num_features):
            own[CONTENT] = min(CONTENT_RANK, observed.num_features)
        return super().measure(observed) | own | values_shape(observed)

    def build_network(self, shape: Mapping[str, int]) -> WalkTwoFWLNetwork:
        """The network for graphs of that shape."""
        return WalkTwoFWLNetwork(self.config, shape)

    def start(self, observed: Graph, seed: int) -> None:
        """Initialises the weights; input statistics come from a sample of pairs, with their edges removed."""
        super().start(observed, seed)
        self._walk_network.keeps_numbers = _is_on(self.config.trees, observed)
        generator = np.random.default_rng(seed)
        count = min(self.training.batch_size(observed.num_edges), _SAMPLE)
        edges = observed.edges[generator.permutation(observed.num_edges)[:count]]
        others = generator.integers(observed.num_nodes, size=(count, 2))
        is_clean = (others[:, 0] != others[:, 1]) & ~observed.has_edges(others)
        pairs = np.concatenate([edges, others[is_clean]])
        network, features = self._walk_network, self._features(observed)
        if network.similarity is not None and features is not None:
            network.similarity.fit(features, seed)
        graph = self._read(observed.without(edges))
        network.fit_profile(graph, torch.from_numpy(pairs.astype(np.int64)).to(self.device))

    def fit(self, data: TrainingData, trainer: GradientTrainer) -> History:
        """Finds the weights, and grows trees if the settings ask for them."""
        has_trees = _is_on(self.config.trees, data.train.observed)
        if has_trees:
            find_lightgbm()  # before anything takes long
        try:
            history = super().fit(data, trainer)
            if has_trees:
                begin = time.perf_counter()
                self._grow(self._kept or self._fold_rows(data, trainer.seed), trainer.seed)
                history.seconds += time.perf_counter() - begin
        finally:
            self._kept = None
        return history

    def _grow(self, rows: FoldRows, seed: int) -> None:
        trees = grow_trees(rows.folds(), rows.num_absent, seed)
        self.shape = {**self.shape, **self._walk_network.plant(trees)}

    def batches(self, data: TrainingData, seed: int) -> BatchSource | None:
        """Rows that are read once, on the graphs without folds of the edges, if reading is most of the work."""
        if not self._keeps_rows(data.train.observed):
            return None
        self._kept = self._fold_rows(data, seed)
        return self._kept

    def _keeps_rows(self, observed: Observed) -> bool:
        """Whether pairs are read before training, and not at every step."""
        return self.config.gates == "off" or _is_on(self.config.position, observed)

    def _fold_rows(self, data: TrainingData, seed: int) -> FoldRows:
        if not _is_on(self.config.trees, data.train.observed):
            return FoldRows(data, self.training, seed, self._read_rows)
        return FoldRows(data, self.training, seed, self._read_rows, folds=FOLDS, most_divisions=1)

    def _read_rows(self, observed: Graph, pairs: Pairs) -> PairRows:
        network = self._walk_network
        graph = self._read(observed, with_position=network.keeps_numbers)
        with torch.no_grad():
            return network.rows(graph, torch.from_numpy(ordered(observed, pairs)).to(self.device))

    def loss(self, batch: Batch) -> Tensor:
        """The cross-entropy; the rows of the batch were read before."""
        if not isinstance(batch, FoldBatch):
            return super().loss(batch)
        return cross_entropy(self._walk_network.score_rows(batch.rows), batch)

    @property
    def remedy(self) -> str:
        """What to do if training does not fit."""
        if self.config.gates == "on":
            return "turn the gates off (gates=off), use shorter walks (steps) or a smaller batch (training.max_batch)"
        return (
            "leave out global position and trees (position=off, trees=off), use shorter walks (steps) or fewer "
            "negatives (training.negatives_per_positive)"
        )

    def cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of what is read of pairs, at every step or once for all rows, and of the gates."""
        config, shape = self.config, self.measure(observed)
        learned = super().cost(observed, num_targets) if config.gates == "on" else self.weights_cost(observed)
        keeps = self._keeps_rows(observed)
        reading = Cost() if keeps else self._reading_cost(observed, shape, num_targets)
        if keeps or _is_on(config.trees, observed):
            reading += self._kept_cost(observed, shape)
        total = learned + reading + self._perceptrons_cost(shape, num_targets)
        return Cost(total.memory, self.training.batches_per_step * total.operations)

    def _reading_cost(self, observed: Graph, shape: Mapping[str, int], num_pairs: int) -> Cost:
        """The cost of the plain walks of some pairs, and of the smoothed features of the graph."""
        cost = profile_cost(observed, num_pairs, steps=shape["steps"])
        for _ in range(num_values(shape)):
            cost += profile_cost(observed, num_pairs, steps=min(shape["steps"], LONGEST))
        return cost + smoothing_cost(observed) if self.config.reads_features(observed.num_features) else cost

    def _kept_cost(self, observed: Graph, shape: Mapping[str, int]) -> Cost:
        """The cost of the rows of all folds; its operations are shared by the steps."""
        has_trees = _is_on(self.config.trees, observed)
        count, folds = num_rows(observed.num_edges, self.training), FOLDS if has_trees else num_folds(self.training)
        reading = self._reading_cost(observed, shape, count // folds)
        if has_trees or PLACES in shape:
            reading += position_cost(observed)
        copies = 2 if has_trees else 1  # the numbers that trees read, and LightGBM's copy of them
        kept = FLOAT * copies * _row_width(shape) * count
        return Cost(reading.memory + kept, folds / self.training.on(observed.num_edges).max_steps * reading.operations)

    def _perceptrons_cost(self, shape: Mapping[str, int], num_targets: int) -> Cost:
        """The cost of the perceptrons on the rows of one step."""
        readout, width = self.config.readout, _row_width(shape)
        hidden = readout.members * readout.hidden * (1 + (PLACES in shape) + (CONTENT in shape))
        return Cost(
            FLOAT * KEPT * num_targets * (hidden + width), PASSES * num_targets * hidden * (width + readout.hidden)
        )

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the weighted walks of the targets."""
        pairs = self.config.pairs
        return walk_cost(observed.links, num_targets, rounds=pairs.rounds, channels=pairs.channels)

    def describe(self, observed: Graph) -> str:
        """Length of walks and learned parts."""
        shape = self.shape or self.measure(observed)
        position = "global position, " * (PLACES in shape)
        gates = "gates and " * (self.config.gates == "on")
        trees = shape.get(TREES[0], 0) if self.shape else SETTINGS.trees * _is_on(self.config.trees, observed)
        grown = f"; {trees} trees, with global position" if trees else ""
        return f"walks of 2 to {shape['steps']} edges, {position}{gates}perceptron{grown}"

    def load_state(self, state: Mapping[str, NDArray[Any]], shape: Mapping[str, int]) -> None:
        """Also checks the trees.

        Raises:
            ValueError: If a weight is missing, unknown, of another shape or dtype, or the trees are damaged.
        """
        super().load_state(state, shape)
        if self._walk_network.trees is not None:
            self._walk_network.trees.trees.check(self._walk_network.num_numbers)

    def _network_for(self, observed: Graph) -> PairNetwork:
        """The network, after a check that the graph has the columns it reads."""
        check_values(self.id, self.shape, observed)
        return super()._network_for(observed)

    def _read(self, observed: Graph, *, remember: bool = False, with_position: bool = False) -> GraphInput:
        """Also reads where nodes lie in the whole graph, if scores depend on it or it is asked for."""
        graph, network = super()._read(observed, remember=remember), self._walk_network
        if not (network.reads_position or with_position):
            return graph
        return graph._replace(position=Evidence(GlobalPosition(observed, network.steps), remember=remember))

    def _adjacency(self, observed: Graph) -> Adjacency:
        """The edges, with their weights and recency."""
        return super()._adjacency(observed).with_values(edge_values(observed, self.shape))

    @property
    def _walk_network(self) -> WalkTwoFWLNetwork:
        network = self.trained
        assert isinstance(network, WalkTwoFWLNetwork)
        return network


def _row_width(shape: Mapping[str, int]) -> float:
    """About as many numbers as there are in a row that is encoded for perceptrons."""
    return 2.0 * (3 * shape["steps"] + len(POSITION)) + 4 * shape.get(CONTENT, 0)


def _is_on(switch: Switch, observed: Observed) -> bool:
    """Whether a part of the model is there on a graph."""
    return switch == "on" or (switch == "auto" and observed.num_facts <= MOST_PLACED)


def auto_steps(observed: Graph) -> int:
    """A length of walks that reaches most of the graph and returns over a few more edges, if that is not too much work.

    The branching number is the mean number of new neighbours at the end of a walk: the mean degree at the end of a
    random edge, minus one. On large graphs with hubs, walks of that length meet a large part of the graph from every
    node, and shorter ones are taken.
    """
    degree = observed.links.degree.astype(np.float64)
    branching = max((degree**2).sum() / max(degree.sum(), 1) - 1, 1.5)
    reach = math.log(max(observed.num_nodes, 2)) / math.log(branching)
    steps = min(max(2 + math.ceil(reach), MIN_AUTO_STEPS), MAX_STEPS)
    while steps > MIN_AUTO_STEPS and profile_cost(observed, _SAMPLE, steps=steps).operations > MOST_WORK * _SAMPLE:
        steps -= 1
    return steps
