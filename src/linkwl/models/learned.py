"""Models with weights: what the training loop and the files of a saved model need of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar, Self

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor, nn

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.models.base import LinkModel, ModelConfig
from linkwl.models.cost import Cost, Plan
from linkwl.typing import Keep, Pairs, Scores


class TrainingConfig(BaseModel):
    """How a model is trained; see :func:`linkwl.training.fit`."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    learning_rate: float = Field(default=0.005, gt=0, le=1000)
    """Step size of Adam."""
    weight_decay: float = Field(default=0.0, ge=0)
    """Penalty on the squared weights, as Adam adds it to the gradient."""
    batch_ratio: float = Field(default=0.125, gt=0, le=1)
    """Share of the train edges that are the positives of one step; they leave the observed graph for that step."""
    max_batch: int = Field(default=32768, ge=1)
    """Most positives in one step, whatever the share."""
    batches_per_step: int = Field(default=1, ge=1)
    """Batches, each with a graph of its own, whose mean loss one step lowers."""
    negatives_per_positive: int = Field(default=1, ge=1)
    """Fresh negatives in each step, for every positive."""
    near_share: float = Field(default=0.0, ge=0, lt=1)
    """Share of them drawn among the pairs that two edges join, so that the top of a ranking is learned as well."""
    max_steps: int = Field(default=500, ge=1)
    """Most gradient steps."""
    patience: int = Field(default=120, ge=1)
    """Steps without a better validation AUC after which training stops, where the best weights are kept."""
    evaluate_every: int = Field(default=5, ge=1)
    """Steps between two looks at the validation targets."""
    average: float = Field(default=0.97, ge=0, lt=1)
    """Decay of the running mean of the weights, which is what is looked at and kept; 0 for the weights themselves."""
    keep: Keep = "best"
    """Which weights: those of the best validation AUC, or the last, after all steps."""

    def batch_size(self, num_edges: int) -> int:
        """Positives of one step, for that many train edges."""
        return max(1, min(int(self.batch_ratio * num_edges), self.max_batch))


class LearnedConfig(ModelConfig):
    """The settings of a model with weights."""

    training: TrainingConfig = TrainingConfig()
    """How the weights are found."""


class LearnedModel(LinkModel):
    """A model whose scores come from a neural network.

    A subclass says what the network looks like (:meth:`build_network`) and how it turns pairs of an observed graph into
    logits (:meth:`logits`). It has no weights until :meth:`start`, :meth:`load_state_dict` or
    :func:`linkwl.training.fit` gives it some.

    Args:
        config: The settings; the defaults if left out.
    """

    Config: ClassVar[type[ModelConfig]] = LearnedConfig
    config: LearnedConfig
    block_size: ClassVar[int] = 1 << 16
    """Pairs scored at a time; a score does not depend on it."""

    def __init__(self, config: ModelConfig | None = None) -> None:
        super().__init__(config)
        self.network: nn.Module | None = None
        """The weights; None until there are some."""
        self.shape: dict[str, int] = {}
        """What :meth:`build_network` needs besides the config to build this network again."""
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        """Where the network is, or will be."""
        self.is_frozen = False
        """Whether the weights are final, so that what was read of a graph can be kept for the next pairs."""

    @abstractmethod
    def build_network(self, shape: Mapping[str, int]) -> nn.Module:
        """A network with fresh weights from torch's global generator.

        Everything that the config leaves open comes from ``shape``: no graph is at hand when a saved model is loaded.
        """

    @abstractmethod
    def logits(self, observed: Graph, pairs: Pairs) -> Tensor:
        """One differentiable logit per checked pair, float32 on :attr:`device`; or a row of them per member.

        Where there are several members each learns by itself, and the score is their mean.
        Whether dropout is active is the network's own state, ``network.train()`` or ``network.eval()``.
        """

    @property
    def training(self) -> TrainingConfig:
        """How the weights are found."""
        return self.config.training

    def measure(self, observed: Graph) -> dict[str, int]:
        """The shape of a network for graphs like this one: its feature width and largest degree."""
        return {"num_features": observed.num_features, "max_degree": int(observed.degree.max(initial=0))}

    def start(self, observed: Graph, seed: int) -> None:
        """Gives the model fresh weights for graphs like this one; torch's global generator is left as it was."""
        self.shape, self.is_frozen = self.measure(observed), False
        with seeded(seed):
            self.network = self.build_network(self.shape).to(self.device)

    def freeze(self) -> Self:
        """Says that the weights are final; only :meth:`start` and :meth:`load_state_dict` change them and undo it."""
        self.trained.requires_grad_(False)
        self.is_frozen = True
        return self

    def make_optimizer(self) -> torch.optim.Optimizer:
        """What changes the weights, given the gradient of the loss."""
        config = self.training
        parameters = self.trained.parameters()
        return torch.optim.Adam(parameters, config.learning_rate, weight_decay=config.weight_decay, fused=True)

    def to(self, device: torch.device | str) -> Self:
        """Moves the model to another device."""
        self.device = torch.device(device)
        if self.network is not None:
            self.network.to(self.device)
        return self

    def clone(self) -> Self:
        """A model of the same settings, without weights."""
        return type(self)(self.config).to(self.device)

    def is_small(self, observed: Graph, num_targets: int) -> bool:
        """Whether torch's operations on this graph are too short to be shared between threads."""
        return False

    @contextmanager
    def threads_for(self, observed: Graph, num_targets: int) -> Iterator[None]:
        """Runs a block on one thread of torch's if the work is small, and leaves their number as it was.

        To wake a thread takes longer than its share of a short operation. Our own kernels see to that by themselves.
        """
        before = torch.get_num_threads()
        torch.set_num_threads(1 if self.is_small(observed, num_targets) else before)
        try:
            yield
        finally:
            torch.set_num_threads(before)

    def cost(self, observed: Graph, num_targets: int) -> Cost:
        """What one training step on this graph is expected to take."""
        return Cost()

    def plan(self, observed: Graph) -> Plan:
        """What training on this graph is expected to take."""
        cost, steps = self.cost(observed, self.num_targets(observed)), self.training.max_steps
        return Plan(f"training {self.id} on {observed.name}", cost, steps, self.remedy)

    @property
    def remedy(self) -> str:
        """What to do where training does not fit, as the rest of a sentence."""
        return "train on a smaller graph or on a machine with more memory"

    def num_targets(self, observed: Graph) -> int:
        """Positives and negatives of one training step on this graph."""
        training = self.training
        return training.batch_size(observed.num_edges) * (1 + training.negatives_per_positive)

    @property
    def trained(self) -> nn.Module:
        """The network.

        Raises:
            InputError: If there is none yet.
        """
        if self.network is None:
            raise InputError(
                f"{self.id} has no weights yet; train it with `linkwl.training.fit` or `linkwl train`, "
                "or load a model that was."
            )
        return self.network

    def state_dict(self) -> dict[str, Tensor]:
        """The weights by name; they are not copied."""
        return dict(self.trained.state_dict())

    def expected_state(self, shape: Mapping[str, int]) -> dict[str, Tensor]:
        """Names, shapes and dtypes of the weights for ``shape``, as tensors that take no memory."""
        with seeded(0), torch.device("meta"):
            return dict(self.build_network(shape).state_dict())

    def load_state_dict(self, state: Mapping[str, Tensor], shape: Mapping[str, int]) -> None:
        """Takes a copy of the weights ``state`` of a network of that shape.

        Raises:
            ValueError: If a weight is missing, unknown, or of another shape or dtype.
        """
        expected = self.expected_state(shape)
        if unmatched := expected.keys() ^ state.keys():
            raise ValueError(f"`state` must hold the weights of {self.id}; missing or unknown: {min(unmatched)!r}.")
        for name, weight in expected.items():
            if state[name].shape != weight.shape or state[name].dtype != weight.dtype:
                raise ValueError(
                    f"weight {name!r} must be {weight.dtype} of shape {tuple(weight.shape)}, "
                    f"got {state[name].dtype} of shape {tuple(state[name].shape)}."
                )
        if self.network is None or self.is_frozen or self.shape != dict(shape):
            with seeded(0):
                self.network = self.build_network(shape).to(self.device)
            self.shape, self.is_frozen = dict(shape), False
        self.network.load_state_dict(state)

    @contextmanager
    def evaluating(self) -> Iterator[nn.Module]:
        """The network without dropout, for a block; afterwards it is in the state it was in."""
        network = self.trained
        if not network.training:
            yield network
            return
        network.eval()
        try:
            yield network
        finally:
            network.train()

    def _score(self, observed: Graph, pairs: Pairs) -> Scores:
        with torch.no_grad(), self.evaluating(), self.threads_for(observed, len(pairs)):
            blocks = [pairs[start : start + self.block_size] for start in range(0, len(pairs), self.block_size)]
            logits = [self.logits(observed, block).reshape(-1, len(block)).mean(0) for block in blocks]
        return torch.cat(logits).cpu().numpy().astype(np.float64)


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Runs a block with torch's global generators seeded, and leaves them as they were."""
    devices = [torch.cuda.current_device()] if torch.cuda.is_available() else []
    with torch.random.fork_rng(devices):
        torch.manual_seed(seed)
        yield
