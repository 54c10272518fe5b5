"""Matrix factorisation with weights of the nodes."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, cast

import numpy as np
import torch
from pydantic import Field
from torch import Tensor, nn

from linkwl.graph import Graph
from linkwl.memory import check_memory
from linkwl.models.base import GradientTrainer, Needs
from linkwl.models.batch import Batch
from linkwl.models.cost import FLOAT, KEPT, PASSES, Cost
from linkwl.models.gradient import GradientConfig, GradientModel, TrainingConfig
from linkwl.models.history import History
from linkwl.models.space import Choice, LogUniform, Space
from linkwl.protocols import TrainingData
from linkwl.sparse.factor_draws import draw_factors
from linkwl.splits import sample_negatives
from linkwl.typing import Pairs


class MatrixFactorisationConfig(GradientConfig):
    """Settings of matrix factorisation."""

    inference: Literal["gradient", "gibbs"] = "gradient"
    """Logistic loss by gradient descent, or labels with Gaussian noise by Gibbs sampling as published."""
    rank: int = Field(default=32, ge=1, le=1 << 16)
    """Number of factors of a node."""
    penalty: float = Field(default=0.1, ge=0, le=1e9)
    """Penalty of `gradient` on the squared weights and factors, per train edge."""
    draws: int = Field(default=100, ge=1, le=1_000_000)
    """Number of draws of `gibbs`; the score is their mean."""
    skipped: int = Field(default=0, ge=0, lt=1 << 31)
    """Number of first iterations of `gibbs` that give no draw."""
    thinning: int = Field(default=1, ge=1, le=1_000_000)
    """Number of iterations of `gibbs` per draw."""
    training: TrainingConfig = TrainingConfig(learning_rate=0.02, batch_ratio=0.5, max_steps=800, patience=200)


class MatrixFactorisation(GradientModel):
    r"""Matrix factorisation: a weight and a few factors per node, learned from edges and sampled non-edges.

    .. math::
        s_{ij} = w_0 + w_i + w_j + \langle v_i, v_j \rangle

    It is a factorisation machine whose two active features are the ends of the pair. The published form, `gibbs`,
    regresses labels 1 and 0 on fixed non-edges and averages the prediction over all iterations of a Gibbs sampler. Here
    one half is subtracted, so that links score above 0. Stacked draws are factors like any others: the mean of
    :math:`\langle v_i^t, v_j^t \rangle` over :math:`T` draws is one product of :math:`T` times as many. The default
    minimises the cross-entropy plus :math:`\frac{\lambda}{m} (\sum w_i^2 + \sum \Vert v_i \Vert^2)` for :math:`m`
    edges, and draws its non-edges anew in every step. Negatives are never held-out pairs, unlike the published ones.

    The model never reads the graph that it scores: edges added after training change nothing. A step or iteration
    takes O(m rank). The memory of `gibbs` is O(n rank draws).
    """

    id = "mf"
    title = "Matrix factorisation"
    reference = "Rendle, Factorization machines with libFM, ACM Transactions on Intelligent Systems 3(3), 2012."
    Config: ClassVar[type[MatrixFactorisationConfig]] = MatrixFactorisationConfig
    config: MatrixFactorisationConfig
    needs = Needs(same_nodes=True)
    search_space: ClassVar[Space] = {
        "rank": Choice(5, 10, 16, 32, 64),
        "penalty": LogUniform(0.01, 1.0),
        "training.learning_rate": LogUniform(0.005, 0.05),
    }
    block_size = 1 << 13

    def measure(self, observed: Graph) -> dict[str, int]:
        """The number of nodes."""
        return {"num_nodes": observed.num_nodes}

    def build_network(self, shape: Mapping[str, int]) -> FactorNetwork:
        """Small random factors, and weights of zero."""
        draws = self.config.draws if self.config.inference == "gibbs" else 1
        return FactorNetwork(shape["num_nodes"], self.config.rank * draws)

    def logits(self, observed: Graph, queries: Pairs) -> Tensor:
        """The scores, which do not depend on the observed edges."""
        return self._network(torch.from_numpy(queries.astype(np.int64)).to(self.device))

    def loss(self, batch: Batch) -> Tensor:
        """The cross-entropy of the labels, and the penalty."""
        num_edges = batch.observed.num_facts + len(batch.positives)
        network = self._network
        squares = network.weight.square().sum() + network.factors.square().sum()
        return super().loss(batch) + self.config.penalty / num_edges * squares

    def fit(self, data: TrainingData, trainer: GradientTrainer) -> History:
        """Finds weights and factors by gradient descent, or draws them."""
        if self.config.inference == "gradient":
            return super().fit(data, trainer)
        begin = time.perf_counter()
        observed = data.train.observed
        assert isinstance(observed, Graph)
        self.check(observed)
        check_memory(self.cost(observed, 0).memory, f"drawing the factors of {observed.name}", self.remedy)
        self.start(observed, trainer.seed)
        generator = np.random.default_rng(trainer.seed)
        positives = data.train.positives
        count = min(len(positives) * self.training.negatives_per_positive, data.reserved.num_absent)
        negatives = sample_negatives(data.reserved, count, generator, known=data.rejected)
        config = self.config
        drawn = draw_factors(
            np.concatenate([positives, negatives]),
            np.repeat([1.0, 0.0], [len(positives), len(negatives)]),
            observed.num_nodes,
            rank=config.rank,
            draws=config.draws,
            skipped=config.skipped,
            thinning=config.thinning,
            generator=generator,
        )
        factors = drawn.factors.reshape(observed.num_nodes, -1)
        with torch.no_grad():
            self._network.offset.fill_(drawn.offset - 0.5)
            self._network.weight.copy_(torch.from_numpy(drawn.weight))
            self._network.factors.copy_(torch.from_numpy(factors)).div_(math.sqrt(config.draws))
        self._network.eval()
        return History(seconds=time.perf_counter() - begin)

    def is_small(self, observed: Any, num_targets: int) -> bool:
        """Whether the factors fit into a cache."""
        return (observed.num_nodes + num_targets) * self.config.rank < 1 << 20

    def cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of a step on all factors, or of all draws."""
        rank, nodes = self.config.rank, observed.num_nodes
        if self.config.inference == "gibbs":
            return Cost(2.0 * FLOAT * nodes * rank * self.config.draws + 64.0 * observed.num_edges)
        numbers = float((nodes + 2 * num_targets) * rank)
        return Cost(FLOAT * KEPT * numbers, PASSES * KEPT * numbers)

    @property
    def remedy(self) -> str:
        """Fewer factors take less memory."""
        return "lower 'rank'" + (" or 'draws'" if self.config.inference == "gibbs" else "")

    def describe(self, observed: Graph) -> str:
        """The rank and the inference."""
        config = self.config
        how = "gradient descent" if config.inference == "gradient" else f"{config.draws} Gibbs draws"
        return f"{config.rank} factors per node by {how}"

    @property
    def _network(self) -> FactorNetwork:
        return cast(FactorNetwork, self.trained)


class FactorNetwork(nn.Module):
    r"""Scores of pairs: :math:`w_0 + w_p + w_q + \langle v_p, v_q \rangle`.

    Args:
        num_nodes: Number of nodes.
        width: Number of factors of a node.

    Shape:
        - pairs: ``(num_pairs, 2)``
        - output: ``(num_pairs,)``
    """

    def __init__(self, num_nodes: int, width: int) -> None:
        super().__init__()
        self.offset = nn.Parameter(torch.zeros(()))
        self.weight = nn.Parameter(torch.zeros(num_nodes))
        self.factors = nn.Parameter(torch.empty(num_nodes, width))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weights of zero, and small random factors."""
        nn.init.zeros_(self.offset)
        nn.init.zeros_(self.weight)
        nn.init.normal_(self.factors, std=0.1)

    def forward(self, pairs: Tensor) -> Tensor:
        """One score per pair, the same for (p, q) and (q, p)."""
        p, q = pairs.unbind(1)
        products = (self.factors.index_select(0, p) * self.factors.index_select(0, q)).sum(1)
        return products + (self.weight.index_select(0, p) + self.weight.index_select(0, q)) + self.offset
