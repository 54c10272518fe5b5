"""Our own model of triples: roles, typed walks and the structure of pairs."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor
from torch.nn.functional import log_softmax, softplus

from linkwl.errors import LinkwlWarning
from linkwl.graph import KnowledgeGraph
from linkwl.models.base import Needs, Scorer
from linkwl.models.cost import Cost
from linkwl.models.gradient import GradientConfig, GradientModel, TrainingConfig, torch_threads
from linkwl.models.triples.fold_batches import FoldBatch, FoldBatches, FoldConfig, cached_bytes
from linkwl.models.triples.reading import PAIR_CHANNELS, QUERY_CHANNELS, TripleReading
from linkwl.nn.triple_ensemble import TripleEnsemble
from linkwl.protocols import TrainingData
from linkwl.protocols.protocol import ScoreQueries
from linkwl.typing import FloatArray, Pairs, Queries, Scores, Task

_LOOP = -30.0
"""What is added to the score of a triple from an entity to itself, if its relation has no such fact."""
_BYTES_PER_STEP = 3e8
_GRID_NUMBERS = 1 << 22
"""How many numbers the first layer of all relations may take at a time, and how many triples."""


class TripleNetworkConfig(BaseModel):
    """The network; see :class:`linkwl.nn.triple_ensemble.TripleEnsemble`."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    members: int = Field(default=4, ge=1, le=256)
    """Number of networks, the mean of which is the score."""
    channels: int = Field(default=32, ge=1, le=1 << 16)
    """Width of each part of the pair's vector."""
    hidden: int = Field(default=64, ge=1, le=1 << 16)
    """Width of the pair's vector."""
    generic_hidden: int = Field(default=32, ge=1, le=1 << 16)
    """Width of the part that is the same for all relations."""
    dropout: float = Field(default=0.3, ge=0, lt=1)
    """Dropout of the pair's vector and its parts."""
    column_dropout: float = Field(default=0.2, ge=0, lt=1)
    """Probability that a relation has to do without weights of its own in a step."""
    shrinkage: float = Field(default=5.0, ge=0, le=1e9)
    """Number of facts at which a relation's own weights count half."""


class WalkTwoFWLTriplesConfig(GradientConfig):
    """Settings; each can be changed with ``--set``."""

    network: TripleNetworkConfig = TripleNetworkConfig()
    """The network."""
    hiding: FoldConfig = FoldConfig()
    """How facts are hidden in training."""
    entity_weight: float = Field(default=0.1, ge=0, le=1e9)
    """Weight of the loss of ranking entities."""
    training: TrainingConfig = TrainingConfig(
        learning_rate=0.003,
        schedule="one-cycle",
        weight_decay=1e-4,
        batch_ratio=0.0125,
        max_batch=512,
        max_steps=800,
        evaluate_every=400,
        average=0.0,
        keep="last",
    )
    """The settings of training."""


class WalkTwoFWLTriples(GradientModel):
    r"""Roles, typed walks and the structure of pairs, read from the graph that is scored.

    For a triple (h, r, t) the model reads

    - *roles*: how the other relations of h speak for it being a head of r, and those of t for a tail of r;
    - *typed walks*: rules of one and two facts between h and t and how often they hold, and how much h is like other
      heads of (r, t), and t like other tails of (h, r), which are walks of three steps;
    - *structure*: the distance between h and t, their common neighbours, walks of three steps, degrees.

    All of these are statistics of the observed graph, so they mean the same for entities and relations that training
    never saw. A generic part of the network reads them for any relation; a specific part has weights for each relation,
    which shrink to nothing for rare ones. Both are in :class:`linkwl.nn.triple_ensemble.TripleEnsemble`.

    Training hides the facts of a fold, and a random share of all others, before it reads the statistics that predict
    the fold. The loss asks three questions about a hidden fact: which relation joins its ends, does it hold (against
    random triples, so that a logit of 0 is a probability of one half between such), and which entity is its tail or
    head.
    """

    id = "walk-2fwl"
    title = "walk 2-FWL"
    reference = "linkwl, docs/knowledge-graphs.md, 2026."
    task: ClassVar[Task] = "triples"
    needs: ClassVar[Needs] = Needs(directed=True)
    Config = WalkTwoFWLTriplesConfig
    config: WalkTwoFWLTriplesConfig
    block_size: ClassVar[int] = 1 << 14

    def build_network(self, shape: Mapping[str, int]) -> TripleEnsemble:
        """The ensemble for a number of relations."""
        if not 0 < shape["num_relations"] < 1 << 24:
            raise ValueError(f"`num_relations` must be positive, got {shape['num_relations']}.")
        config = self.config.network
        return TripleEnsemble(shape["num_relations"], PAIR_CHANNELS, QUERY_CHANNELS, **config.model_dump())

    def measure(self, observed: KnowledgeGraph) -> dict[str, int]:
        """The number of relations."""
        return {"num_relations": observed.num_relations}

    def start(self, observed: KnowledgeGraph, seed: int) -> None:
        """New weights; the facts of each relation are counted, and whether some are loops."""
        super().start(observed, seed)
        self.ensemble.num_facts += torch.from_numpy(
            np.bincount(observed.triples[:, 1], minlength=observed.num_relations)
        )
        self.ensemble.loop_relations += torch.from_numpy(observed.loop_relations.copy())

    @property
    def ensemble(self) -> TripleEnsemble:
        """The network."""
        network = self.trained
        assert isinstance(network, TripleEnsemble)
        return network

    def make_optimizer(self) -> torch.optim.Optimizer:
        """Adam whose weight decay is not part of the gradient."""
        config = self.training
        parameters = self.trained.parameters()
        return torch.optim.AdamW(parameters, config.learning_rate, weight_decay=config.weight_decay, fused=True)

    def batches(self, data: TrainingData, seed: int) -> FoldBatches:
        """Hidden facts, a fold at a time."""
        observed, avoided = data.train.observed, data.reserved
        assert isinstance(observed, KnowledgeGraph)
        assert isinstance(avoided, KnowledgeGraph)
        facts, training = data.train.positives, self.training
        used = min(len(facts), self.config.hiding.most_facts)
        size = training.batch_size(used)
        epochs = max(1, math.ceil(training.max_steps * size / used))
        per_round = max(1, math.ceil(epochs / self.config.hiding.rounds))
        return FoldBatches(observed, facts, avoided, self.config.hiding, size, per_round, seed, rejected=data.rejected)

    def loss(self, batch: FoldBatch) -> Tensor:  # type: ignore[override]
        """Cross-entropy of relations, of facts against random triples, and of entities; the mean over members."""
        network = self.ensemble
        z = network.pairs(batch.inputs)
        logits = network(z, batch.inputs, batch.queries, batch.place, batch.relation)
        num_facts, num_others = batch.relations.shape
        sizes = [num_facts * (1 + num_others), batch.uniform.numel(), batch.corruptions.numel()]
        of_relations, of_uniform, of_entities = logits.split(sizes, dim=1)
        of_relations = of_relations.unflatten(1, (num_facts, 1 + num_others))
        fact = of_relations[..., :1]
        total = _ranking_loss(fact, of_relations[..., 1:] + batch.correction, batch.relations)
        uniform = batch.uniform.reshape(-1)
        total = total + softplus(-fact).mean() + (softplus(of_uniform) * uniform).sum(1).mean() / uniform.sum().clamp(1)
        if batch.corruptions.numel():
            of_entities = of_entities.unflatten(1, tuple(batch.corruptions.shape))
            for side in range(2):
                ranked = _ranking_loss(fact, of_entities[:, :, side], batch.corruptions[:, side])
                total = total + self.config.entity_weight * ranked
        return total

    def logits(self, observed: KnowledgeGraph, queries: Queries) -> Tensor:
        """One row of logits per member."""
        return self._logits(self._read(observed), queries)

    def make_scorer(self, observed: KnowledgeGraph) -> Scorer:
        """Reads the statistics once."""
        unknown = np.unique(observed.triples[:, 1])
        if len(unknown := unknown[unknown >= self.shape["num_relations"]]):
            name = observed.relations[int(unknown[0])]
            warnings.warn(
                f"{observed.name}: training has never seen {len(unknown)} of the relations, such as {name!r}; they are "
                "scored by what all relations have in common.",
                LinkwlWarning,
                stacklevel=3,
            )
        return StatisticsScorer(self, self._read(observed))

    def watch(self, observed: KnowledgeGraph) -> ScoreQueries:
        """Reads the statistics once, and scores with the current weights."""
        reading = self._read(observed)
        return lambda queries: self.read_scores(reading, queries)

    def read_scores(self, reading: TripleReading, queries: Queries) -> Scores:
        """The scores of triples of a graph that was read, a block at a time."""
        blocks = [queries[start : start + self.block_size] for start in range(0, len(queries), self.block_size)]
        with torch.no_grad(), self.evaluating():
            scores = [self._logits(reading, block).mean(0).cpu().numpy() for block in blocks]
        return np.concatenate(scores).astype(np.float64)

    def relation_scores(self, reading: TripleReading, pairs: Pairs) -> FloatArray:
        """The scores of all relations between heads and tails."""
        count = reading.graph.num_relations
        is_grid = self.device.type == "cpu"
        out, penalty = np.empty((len(pairs), count)), self._loop_penalty(reading.graph)
        network = self.ensemble
        with torch.no_grad(), self.evaluating():
            for part in self._grid_blocks(pairs, count) if is_grid else self._blocks(len(pairs), count):
                block = pairs[part]
                inputs = reading.pair_inputs(block)
                if is_grid:
                    logits = network.grid_relations(network.pairs(inputs), inputs, reading.query_grid(block))
                else:
                    queries = torch.from_numpy(reading.query_features(block))
                    logits = network.all_relations(network.pairs(inputs), inputs, queries).mean(0)
                out[part] = logits.cpu().numpy()
                out[part][block[:, 0] == block[:, 1]] += penalty
        return out

    def _blocks(self, num_pairs: int, num_relations: int) -> list[slice]:
        size = max(1, self.block_size // max(num_relations, 1))
        return [slice(start, min(start + size, num_pairs)) for start in range(0, num_pairs, size)]

    def _grid_blocks(self, pairs: Pairs, num_relations: int) -> list[slice]:
        """Ranges of pairs whose distinct heads and tails take bounded memory in the first layer."""
        channels = self.config.network.members * self.config.network.generic_hidden
        most_ends = max(2, _GRID_NUMBERS // max(channels * num_relations, 1))
        waiting, found = [slice(0, len(pairs))], []
        while waiting:
            part = waiting.pop()
            size = part.stop - part.start
            num_ends = sum(len(np.unique(end)) for end in pairs[part].T)
            if size > 1 and (num_ends > most_ends or size * num_relations > _GRID_NUMBERS):
                middle = part.start + size // 2
                waiting += [slice(middle, part.stop), slice(part.start, middle)]
            elif size:
                found.append(part)
        return found

    def _read(self, observed: KnowledgeGraph) -> TripleReading:
        return TripleReading(observed, self.shape["num_relations"])

    def _logits(self, reading: TripleReading, queries: Queries) -> Tensor:
        # Triples of one pair share its vector.
        ends = queries[:, 0].astype(np.int64) * reading.graph.num_nodes + queries[:, 2]
        _, first, place = np.unique(ends, return_index=True, return_inverse=True)
        inputs = reading.pair_inputs(np.ascontiguousarray(queries[first][:, [0, 2]]))
        features = reading.query_features(np.ascontiguousarray(queries[:, [0, 2]]), queries[:, [1]])
        network = self.ensemble
        logits = network(
            network.pairs(inputs),
            inputs,
            torch.from_numpy(features[:, 0]),
            torch.from_numpy(place.reshape(-1)),
            torch.from_numpy(queries[:, 1].astype(np.int64)),
        )
        is_loop = queries[:, 0] == queries[:, 2]
        penalty = np.where(is_loop, self._loop_penalty(reading.graph)[queries[:, 1]], 0.0)
        return logits + torch.from_numpy(penalty).to(logits)

    def _loop_penalty(self, observed: KnowledgeGraph) -> FloatArray:
        """What is added to the score of a loop of each relation: much less than 0, unless such facts are known."""
        is_known = observed.loop_relations.copy()
        is_known[: self.shape["num_relations"]] |= self.ensemble.loop_relations.cpu().numpy() > 0
        return np.where(is_known, 0.0, _LOOP)

    def cost(self, observed: KnowledgeGraph, num_targets: int) -> Cost:
        """The memory of the features of a round, and of a step."""
        config = self.config
        memory = cached_bytes(config.hiding, observed.num_facts, observed.num_relations)
        memory += config.hiding.folds * (200.0 * observed.num_facts + 16.0 * (2 * observed.num_relations) ** 2)
        network = config.network
        rows = num_targets * (1 + config.hiding.relations)
        per_row = network.members * (QUERY_CHANNELS + PAIR_CHANNELS + 2 * network.generic_hidden)
        return Cost(memory + _BYTES_PER_STEP, 3.0 * rows * per_row * network.generic_hidden)

    def describe(self, observed: KnowledgeGraph) -> str:
        """The size of the ensemble."""
        return f"roles, typed walks and structure, an ensemble of {self.config.network.members}"


class StatisticsScorer(Scorer):
    """A frozen model and the statistics of the graph it has read."""

    def __init__(self, model: WalkTwoFWLTriples, reading: TripleReading) -> None:
        super().__init__(reading.graph)
        self._model, self._reading = model, reading
        self._threads = torch.get_num_threads()

    def _score(self, queries: Queries) -> Scores:
        with torch_threads(self._threads):
            return self._model.read_scores(self._reading, queries)

    def _relations(self, pairs: Pairs) -> FloatArray:
        with torch_threads(self._threads):
            return self._model.relation_scores(self._reading, pairs)


def _ranking_loss(fact: Tensor, others: Tensor, is_used: Tensor) -> Tensor:
    """The cross-entropy of a fact among others of which some are left out: ``(members, num_facts, 1)`` and others."""
    rows = torch.cat([fact, others.masked_fill(~is_used, -torch.inf)], dim=-1)
    return -log_softmax(rows, dim=-1)[..., 0].mean()
