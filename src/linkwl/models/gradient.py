"""Models trained by gradient descent."""

from __future__ import annotations

import copy
import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor, nn

from linkwl.errors import UntrainedError
from linkwl.graph import Observed
from linkwl.models.base import GradientTrainer, LinkModel, ModelConfig, Scorer
from linkwl.models.batch import Batch, BatchSource
from linkwl.models.cost import Cost, TrainingPlan
from linkwl.models.history import History
from linkwl.models.loss import cross_entropy
from linkwl.protocols import TrainingData
from linkwl.protocols.protocol import ScoreQueries
from linkwl.typing import FloatArray, IntArray, Keep, Pairs, Queries, Scores

_STEPS_PER_UNIT = 1 << 20
"""Exact scores are rounded to about a millionth, so that they do not depend on the other queries."""


Schedule: TypeAlias = Literal["constant", "one-cycle"]
"""How the learning rate changes: not at all; or up for three tenths of the steps and then down to nothing."""
_FEWEST_STEPS = 400
"""Steps on small graphs if their number depends on the graph."""
_WARM_UP = 0.3


class TrainingConfig(BaseModel):
    """How a model is trained; see :class:`linkwl.training.Trainer`."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    learning_rate: float = Field(default=0.005, gt=0, le=1000)
    """Step size of Adam; with `one-cycle` the largest."""
    schedule: Schedule = "constant"
    """How the learning rate changes over the steps."""
    weight_decay: float = Field(default=0.0, ge=0, le=1e9)
    """Penalty on the squared weights, as Adam adds it to the gradient."""
    batch_ratio: float = Field(default=0.125, gt=0, le=1)
    """Share of the train edges that are the positives of one step; they are removed from its observed graph."""
    max_batch: int = Field(default=32768, ge=1, lt=1 << 31)
    """Maximum number of positives in one step."""
    batches_per_step: int = Field(default=1, ge=1, le=10_000)
    """Number of batches per step, each with its own graph; a step reduces their mean loss."""
    negatives_per_positive: int = Field(default=1, ge=1, le=10_000)
    """Newly drawn negatives per positive in each step."""
    near_share: float = Field(default=0.0, ge=0, lt=1)
    """Share of them drawn from pairs with a common neighbour, so that the top of a ranking is learned as well."""
    max_steps: int = Field(default=500, ge=1, lt=1 << 31)
    """Maximum number of gradient steps; all of them are taken if ``links_per_step`` is 0."""
    links_per_step: int = Field(default=0, ge=0, lt=1 << 31)
    """If not 0, there is one step for this many train edges, but at least 400 if ``max_steps`` allows them: more steps
    overfit small graphs."""
    patience: int = Field(default=120, ge=1, lt=1 << 31)
    """Steps without improvement of the selection metric before training stops, if the best weights are kept."""
    evaluate_every: int = Field(default=5, ge=1, lt=1 << 31)
    """Steps between two validations."""
    average: float = Field(default=0.97, ge=0, lt=1)
    """Decay of the running mean of the weights, which is validated and kept; 0 for the weights themselves."""
    keep: Keep = "best"
    """Which weights to keep: the best on validation targets, or the last."""

    def on(self, num_edges: int) -> TrainingConfig:
        """The settings with the number of steps for this many train edges."""
        if not self.links_per_step:
            return self
        steps = max(num_edges // self.links_per_step, _FEWEST_STEPS)
        return self.model_copy(update={"max_steps": min(steps, self.max_steps)})

    def rate(self, step: int) -> float:
        """The learning rate of a step, from 1."""
        if self.schedule == "constant":
            return self.learning_rate
        warm_up = max(_WARM_UP * self.max_steps, 1)
        turn = step / warm_up if step <= warm_up else 1 + (step - warm_up) / max(self.max_steps - warm_up, 1)
        return self.learning_rate * max((1 - math.cos(math.pi * turn)) / 2, 1e-4)

    def batch_size(self, num_edges: int) -> int:
        """Number of positives of one step, for this many train edges."""
        return max(1, min(int(self.batch_ratio * num_edges), self.max_batch))

    def negatives(self, batch_size: int) -> tuple[int, int]:
        """Number of near pairs and of uniform negatives of one step with this many positives."""
        num_pairs = batch_size * self.negatives_per_positive
        num_near = int(self.near_share * num_pairs)
        return num_near, num_pairs - num_near


class GradientConfig(ModelConfig):
    """The settings of a model trained by gradient descent."""

    training: TrainingConfig = TrainingConfig()
    """The settings of training."""


class GradientModel(LinkModel):
    """A model whose scores come from a neural network.

    A subclass defines the network (:meth:`build_network`) and how it turns queries about an observed graph into logits
    (:meth:`logits`). It has no weights until :meth:`fit`, :meth:`start` or :meth:`load_state` is called.

    Args:
        config: The settings; by default the default settings.
    """

    Config: ClassVar[type[ModelConfig]] = GradientConfig
    config: GradientConfig
    gives_logits: ClassVar[bool] = True
    block_size: ClassVar[int] = 1 << 16
    """Number of queries scored at a time; scores do not depend on it."""

    def __init__(self, config: ModelConfig | None = None) -> None:
        super().__init__(config)
        self.network: nn.Module | None = None
        """The network; None until it has weights."""
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        """The device of the network."""

    @abstractmethod
    def build_network(self, shape: Mapping[str, int]) -> nn.Module:
        """A network with new weights from torch's global generator.

        Everything that the config leaves open comes from ``shape``, since a saved model is loaded without a graph.
        """

    @abstractmethod
    def logits(self, observed: Any, queries: Queries) -> Tensor:
        """One differentiable logit per checked query, float32 on :attr:`device`; or one row per member of an ensemble.

        Each member of an ensemble is trained separately, and the score is their mean.
        Whether dropout is active is the network's own state, ``network.train()`` or ``network.eval()``.
        """

    def loss(self, batch: Batch) -> Tensor:
        """The training loss of one batch: by default the cross-entropy of its labels."""
        return cross_entropy(self.logits(batch.observed, batch.queries), batch)

    def batches(self, data: TrainingData, seed: int) -> BatchSource | None:
        """The model's own batches; None for those of the trainer, which hide some facts and draw uniform negatives."""
        return None

    def fit(self, data: TrainingData, trainer: GradientTrainer) -> History:
        """Finds the weights by the trainer's loop."""
        self.check(data.train.observed)
        return trainer.descend(self, data)

    @property
    def training(self) -> TrainingConfig:
        """The settings of training."""
        return self.config.training

    def measure(self, observed: Any) -> dict[str, int]:
        """The shape of a network for graphs like this one: the feature width, and further numbers of a model."""
        return {"num_features": observed.num_features}

    def start(self, observed: Any, seed: int) -> None:
        """Initialises the weights for graphs like this one; torch's global generator is left unchanged."""
        self.shape = self.measure(observed)
        with seeded(seed):
            self.network = self.build_network(self.shape).to(self.device)

    def make_optimizer(self) -> torch.optim.Optimizer:
        """The optimizer of the weights."""
        config = self.training
        parameters = self.trained.parameters()
        return torch.optim.Adam(parameters, config.learning_rate, weight_decay=config.weight_decay, fused=True)

    def prepare(self, observed: Any) -> Scorer:
        """Reads a graph with a copy of the current weights."""
        self.check(observed)
        frozen = self.frozen()  # reports missing weights
        self.check_nodes(observed)
        return frozen.make_scorer(observed)

    def exact(self) -> Callable[[Observed], Scorer]:
        """Scores in double precision, rounded to about a millionth.

        The order of summation in a matrix product depends on its number of rows, so the last bits of a score depend on
        the other queries. In double precision this is far below the rounding, and equal queries tie.
        """
        return partial(_prepare_rounded, self.frozen(torch.float64))

    def frozen(self, dtype: torch.dtype | None = None) -> Self:
        """A model with a copy of the weights, without dropout or gradients; in precision ``dtype`` if given."""
        twin = self.clone()
        twin.shape = self.shape
        twin.network = copy.deepcopy(self.trained).eval().requires_grad_(False)
        if dtype is not None:
            twin.network.to(dtype)
        return twin

    def make_scorer(self, observed: Any) -> Scorer:
        """The scorer of a frozen model; see :meth:`frozen`."""
        return NetworkScorer(self, observed)

    def watch(self, observed: Any) -> ScoreQueries:
        """A function that scores with the current weights at each call; for validation during training.

        Results that do not depend on the weights may be cached between calls.
        """
        return lambda queries: self._scores(observed, queries)

    def _scores(self, observed: Any, queries: Queries) -> Scores:
        with torch.no_grad(), self.evaluating(), torch_threads(self.num_threads(observed, len(queries))):
            blocks = [queries[start : start + self.block_size] for start in range(0, len(queries), self.block_size)]
            logits = [mean_of_members(self.logits(observed, block), len(block)) for block in blocks]
        return as_scores(torch.cat(logits))

    def to(self, device: torch.device | str) -> Self:
        """Moves the model to another device."""
        self.device = torch.device(device)
        if self.network is not None:
            self.network.to(self.device)
        return self

    def clone(self) -> Self:
        """A model with the same settings on the same device, without weights."""
        return super().clone().to(self.device)

    def is_small(self, observed: Any, num_targets: int) -> bool:
        """Whether torch's operations on this graph are too short to use several threads."""
        return False

    def num_threads(self, observed: Any, num_targets: int) -> int:
        """Number of torch threads for this many targets: one if the work is small.

        Waking a thread takes longer than its share of a short operation. Our own kernels account for this themselves.
        """
        return 1 if self.is_small(observed, num_targets) else torch.get_num_threads()

    def cost(self, observed: Any, num_targets: int) -> Cost:
        """The expected cost of one training step on this graph."""
        return Cost()

    def plan(self, observed: Observed) -> TrainingPlan:
        """The expected cost of training on this graph."""
        cost, steps = self.cost(observed, self.num_targets(observed)), self.training.on(observed.num_facts).max_steps
        return TrainingPlan(f"training {self.id} on {observed.name}", cost, steps, self.remedy)

    @property
    def remedy(self) -> str:
        """What to do if training does not fit, as the end of a sentence."""
        return "train on a smaller graph or on a machine with more memory"

    def num_targets(self, observed: Observed) -> int:
        """Number of positives and negatives of one training step on this graph."""
        training = self.training
        return training.batch_size(observed.num_facts) * (1 + training.negatives_per_positive)

    @property
    def trained(self) -> nn.Module:
        """The network.

        Raises:
            UntrainedError: If there is none yet.
        """
        if self.network is None:
            raise UntrainedError(self.id)
        return self.network

    def state(self) -> dict[str, NDArray[Any]]:
        """The weights by name, not copied."""
        return {name: weight.detach().cpu().numpy() for name, weight in self.trained.state_dict().items()}

    def expected_state(self, shape: Mapping[str, int]) -> dict[str, Tensor]:
        """Names, shapes and dtypes of the weights for ``shape``, as tensors that take no memory."""
        with seeded(0), torch.device("meta"):
            return dict(self.build_network(shape).state_dict())

    def load_state(self, state: Mapping[str, NDArray[Any]], shape: Mapping[str, int]) -> None:
        """Loads a copy of the weights ``state`` of a network of this shape.

        Raises:
            ValueError: If a weight is missing, unknown, or of another shape or dtype.
        """
        expected = self.expected_state(shape)
        if unmatched := expected.keys() ^ state.keys():
            raise ValueError(f"`state` must hold the weights of {self.id}; missing or unknown: {min(unmatched)!r}.")
        weights = {name: torch.from_numpy(np.array(array)) for name, array in state.items()}
        for name, like in expected.items():
            if weights[name].shape != like.shape or weights[name].dtype != like.dtype:
                raise ValueError(
                    f"weight {name!r} must be {like.dtype} of shape {tuple(like.shape)}, "
                    f"got {weights[name].dtype} of shape {tuple(weights[name].shape)}."
                )
        with seeded(0):
            self.network = self.build_network(shape).to(self.device)
        self.shape = dict(shape)
        self.network.load_state_dict(weights)

    @contextmanager
    def evaluating(self) -> Iterator[nn.Module]:
        """The network without dropout, within a block; its mode is restored afterwards."""
        network = self.trained
        if not network.training:
            yield network
            return
        network.eval()
        try:
            yield network
        finally:
            network.train()


class NetworkScorer(Scorer):
    """The scorer of a network: scores queries in blocks, with the number of torch threads at its creation.

    Args:
        model: A frozen model.
        observed: The graph to read.
    """

    def __init__(self, model: GradientModel, observed: Any) -> None:
        super().__init__(observed)
        self._model = model
        self._threads = torch.get_num_threads()

    def _score(self, queries: Queries) -> Scores:
        with torch_threads(self._threads):
            return self._model._scores(self.observed, queries)


class RoundedScorer(Scorer):
    """The scores of another scorer, rounded to about a millionth."""

    def __init__(self, scorer: Scorer) -> None:
        super().__init__(scorer.observed)
        self._scorer, self.quick = scorer, scorer.quick

    def _rows(self, sources: IntArray) -> FloatArray:
        return _rounded(self._scorer.rows(sources))

    def _relations(self, pairs: Pairs) -> FloatArray:
        return _rounded(self._scorer.relations(pairs))

    def _score(self, queries: Queries) -> Scores:
        return _rounded(self._scorer(queries))


def _rounded(scores: FloatArray) -> FloatArray:
    return np.round(scores * _STEPS_PER_UNIT) / _STEPS_PER_UNIT


def _prepare_rounded(model: GradientModel, observed: Observed) -> Scorer:
    model.check(observed)
    model.check_nodes(observed)
    return RoundedScorer(model.make_scorer(observed))


def mean_of_members(logits: Tensor, num_queries: int) -> Tensor:
    """One logit per query: the mean over the members of an ensemble, if there is one."""
    return logits.reshape(-1, num_queries).mean(0)


def as_scores(logits: Tensor) -> Scores:
    """Logits as a float64 array."""
    return logits.cpu().numpy().astype(np.float64)


@contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """Runs a block with the given number of torch threads, and restores the number."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Runs a block with torch's global generators seeded, and restores them."""
    devices = [torch.cuda.current_device()] if torch.cuda.is_available() else []
    with torch.random.fork_rng(devices):
        torch.manual_seed(seed)
        yield
