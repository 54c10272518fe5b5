"""NBFNet: Bellman-Ford with learned operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field
from torch import Tensor

from linkwl.graph import Graph
from linkwl.models.cost import FETCH, PASSES, Cost, some_pairs
from linkwl.models.gradient import GradientConfig, GradientModel, TrainingConfig
from linkwl.models.space import Choice, LogUniform, Space
from linkwl.nn.bellman_ford import BYTES_PER_BLOCK, BYTES_PER_STATE, BellmanFord
from linkwl.sparse.bellman_ford import SweepPlan
from linkwl.typing import Pairs

_SAMPLE = 32  # links, and as many other pairs, whose states are counted
_SMALL = 1 << 13  # states; the product of fewer with a map is too short for several threads
_BYTES_PER_MESSAGE = 16  # indices, in both directions
_WIDTH = 5  # of what a state's map reads: itself and four aggregates
_AGGREGATION = 4  # operations of a message, in multiplications
_MANY_LAYERS, _FEW_LAYERS = 6, 4


class NBFNetConfig(GradientConfig):
    """Settings of NBFNet."""

    layers: Annotated[int, Field(ge=1, le=32)] | Literal["auto"] = "auto"
    """Steps of Bellman-Ford, beyond which nodes see nothing of each other; by default six, or four if three steps reach
    most nodes."""
    channels: int = Field(default=32, ge=1, le=1 << 16)
    """Width of a state."""
    hidden: int = Field(default=64, ge=1, le=1 << 16)
    """Width of the perceptron that reads the last states."""
    training: TrainingConfig = TrainingConfig(
        learning_rate=0.005,
        schedule="one-cycle",
        batch_ratio=1.0,
        max_batch=32,
        max_steps=500,
        patience=500,
        evaluate_every=50,
    )


class NBFNet(GradientModel):
    r"""NBFNet: states move from one node of a pair over the graph by learned operators, and are read at the other.

    .. math::
        \mathbf{h}^0_{uv} = [u = v]\, \mathbf{q}, \qquad
        \mathbf{h}^t_{uv} = \mathbf{h}^{t-1}_{uv} + \mathrm{relu}\Big(\mathrm{norm}\Big(W_t \Big[\mathbf{h}^{t-1}_{uv}
            \,\Big\Vert\, \bigoplus \big\{\mathbf{w}_t \odot \mathbf{h}^{t-1}_{ux} : x \in N(v) \cup \{v\}\big\} \cup
            \big\{\mathbf{h}^0_{uv}\big\}\Big]\Big)\Big)

    with principal neighbourhood aggregation :math:`\bigoplus` (:class:`linkwl.nn.bellman_ford.BellmanFordConv`). A
    perceptron reads :math:`\mathbf{q}` and the mean of :math:`\mathbf{h}^T_{uv}` and :math:`\mathbf{h}^T_{vu}`. This is
    the published network with one relation; features of nodes are not read.

    Published, every source sweeps the whole graph. Here a sweep computes only the states that depend on its source and
    that a requested pair depends on (:class:`linkwl.sparse.bellman_ford.SweepPlan`); scores and gradients are the same.
    On Cora six steps need some 80 states for each end of a pair instead of 16 thousand, and in a small dense network
    about a third of all. A state costs :math:`O((d + c) c)`. Pairs with a common end share its sweep, and sources are
    processed in blocks of bounded memory.

    In training the links of a step are removed from its graph, as published; negatives are no edges of it anyway. They
    are uniform, so most have no walk of six edges between their ends and cost nothing on a large sparse graph. Unlike
    the published settings, the defaults take four steps instead of six where three edges lead to most nodes, and train
    for fewer steps, with a learning rate that rises and falls and a running mean of the weights.

    Reference: Zhu et al., 2021, arXiv:2106.06935.
    """

    id = "nbfnet"
    title = "NBFNet"
    reference = "Zhu et al., Neural Bellman-Ford networks: a general framework for link prediction, NeurIPS, 2021."
    block_size: ClassVar[int] = 4096
    search_space: ClassVar[Space] = {
        "layers": Choice(2, 3, 4, 5, 6),
        "channels": Choice(16, 32, 64),
        "hidden": Choice(32, 64, 128),
        "training.learning_rate": LogUniform(5e-4, 2e-2),
        "training.schedule": Choice("constant", "one-cycle"),
        "training.weight_decay": LogUniform(1e-7, 1e-3),
        "training.max_batch": Choice(16, 32, 64, 128),
        "training.average": Choice(0.0, 0.9, 0.97),
    }
    Config: ClassVar[type[NBFNetConfig]] = NBFNetConfig
    config: NBFNetConfig

    def measure(self, observed: Graph) -> dict[str, int]:
        """The number of steps."""
        return {"layers": self._num_layers(observed)}

    def build_network(self, shape: Mapping[str, int]) -> BellmanFord:
        """The network for graphs of any size."""
        return BellmanFord(self.config.channels, shape["layers"], self.config.hidden)

    def logits(self, observed: Graph, queries: Pairs) -> Tensor:
        """One differentiable logit per pair."""
        plan = SweepPlan.of(observed.rowptr, observed.col, self.shape["layers"])
        logits: Tensor = self.trained(plan, queries)
        return logits

    def cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the states of one step, as many as those of some pairs."""
        pairs = some_pairs(observed, min(_SAMPLE, max(num_targets // 2, 1)))
        if len(pairs) == 0:
            return Cost()
        channels, layers = self.config.channels, self._num_layers(observed)
        plan = SweepPlan.of(observed.rowptr, observed.col, layers)
        demand = plan.group(np.concatenate([pairs, pairs[:, ::-1]]))
        steps = [step for block in plan.blocks(demand) for step in block.steps]
        # Sources are shared as soon as they are more than the nodes.
        growth = min(num_targets / len(pairs), max(observed.num_nodes / len(demand.source), 1.0))
        swept, shared = growth * sum(step.rows.num_rows for step in steps), layers * observed.num_nodes
        messages = growth * sum(len(step.rows.col) for step in steps) + shared + layers * len(observed.col)
        blocks = min(BYTES_PER_STATE * swept * channels, BYTES_PER_BLOCK)
        memory = 2 * (blocks + BYTES_PER_STATE * shared * channels) + _BYTES_PER_MESSAGE * messages
        operations = (swept + shared) * _WIDTH * channels**2 + messages * (_AGGREGATION * channels + FETCH)
        return Cost(memory, PASSES * operations)

    def is_small(self, observed: Graph, num_targets: int) -> bool:
        """Whether the states of one step have so few rows that the products of their maps are short."""
        return observed.num_nodes < _SMALL and num_targets <= 2 * self.training.max_batch

    def describe(self, observed: Graph) -> str:
        """Layers and channels."""
        layers = self.shape.get("layers") or self._num_layers(observed)
        return f"{layers} steps of Bellman-Ford, {self.config.channels} channels"

    @property
    def remedy(self) -> str:
        """Fewer states."""
        return "lower layers, channels or training.max_batch"

    def _num_layers(self, observed: Graph) -> int:
        """The setting, or what suits the graph: the mean degree of a neighbour says how fast steps spread."""
        if self.config.layers != "auto":
            return self.config.layers
        degree = observed.degree.astype(np.float64)
        spread = (degree**2).sum() / max(degree.sum(), 1.0)
        return _FEW_LAYERS if spread**3 > observed.num_nodes else _MANY_LAYERS
