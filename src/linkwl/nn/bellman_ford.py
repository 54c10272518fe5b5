"""Bellman-Ford with learned operators: pair states that move over the graph from their sources."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from linkwl.nn.pna import pna
from linkwl.sparse.bellman_ford import DegreeOrder, SourceBlock, Step, SweepPlan
from linkwl.sparse.rows import Demand
from linkwl.typing import IntArray, Pairs

_SCALERS, _AGGREGATORS = 3, 4
_MIN_SCALE = 0.01
BYTES_PER_BLOCK = 1 << 29
"""Bound of the states of a block of sources."""
BYTES_PER_STATE = 60
"""Stored per channel of a state until its gradient is known."""


class BellmanFordConv(nn.Module):
    r"""One step of Bellman-Ford with learned operators, for a source :math:`u`.

    .. math::
        \mathbf{h}'_v = \mathbf{h}_v + \mathrm{relu}\Big(\mathrm{norm}\Big(W \Big[\mathbf{h}_v \,\Big\Vert\,
            \bigoplus \big\{\mathbf{w} \odot \mathbf{h}_x : x \in N(v) \cup \{v\}\big\} \cup
            \big\{\mathbf{h}^0_v\big\}\Big] + \mathbf{b}\Big)\Big)

    :math:`\bigoplus` is principal neighbourhood aggregation: the mean, maximum, minimum and standard deviation, each
    times 1, :math:`s_v` and :math:`1 / s_v`, with
    :math:`s_v = \ln k_v \,/\, \mathrm{mean}_{x \in V} \ln k_x` for :math:`k_v = d_v + 2` messages. Nodes of one degree
    have the same scale, so the three maps are added to one per degree (:meth:`maps`), which is a third of the
    multiplications and of the memory.

    Reference: Zhu et al., 2021, arXiv:2106.06935, Section 3.3.

    Args:
        channels: Width of a state.
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.channels = channels
        self.relation = nn.Parameter(torch.empty(channels))
        self.linear = nn.Linear((1 + _SCALERS * _AGGREGATORS) * channels, channels)
        self.norm = nn.LayerNorm(channels)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """A normal relation vector; torch's default for the map."""
        nn.init.normal_(self.relation)
        self.linear.reset_parameters()
        self.norm.reset_parameters()

    def maps(self, scales: Tensor) -> Tensor:
        """The map of the four aggregates for each of the scales.

        Shape:
            - scales: ``(num_degrees, 3)``
            - output: ``(num_degrees, 4 * channels, channels)``
        """
        weight = self.linear.weight[:, self.channels :].unflatten(1, (_SCALERS, _AGGREGATORS * self.channels))
        return torch.einsum("dk,okf->dfo", scales, weight)

    def forward(self, table: Tensor, boundary: Tensor, step: Step, maps: Tensor) -> Tensor:
        """The states after the step.

        Args:
            table: The states before it, as :class:`linkwl.sparse.bellman_ford.SourceBlock` orders them.
            boundary: The state of a source at the start.
            step: Which states there are, and whose messages they receive.
            maps: The output of :meth:`maps`.

        Shape:
            - table: ``(num_before, channels)``
            - boundary: ``(channels,)``
            - output: ``(num_after, channels)``
        """
        own = table.index_select(0, torch.from_numpy(step.own).to(table.device))
        if len(own) == 0:
            return own
        aggregates = pna(table * self.relation, boundary, step.rows).split(step.sizes)
        mapped = [part @ map_ for part, map_ in zip(aggregates, maps.unbind(), strict=True) if len(part)]
        x = F.linear(own, self.linear.weight[:, : self.channels], self.linear.bias) + torch.cat(mapped)
        moved: Tensor = self.norm(x)
        return own + moved.relu()


class BellmanFord(nn.Module):
    r"""NBFNet: the state at v after some steps of Bellman-Ford from u, and a perceptron that reads it.

    .. math::
        \mathbf{h}^0_{uv} = [u = v]\, \mathbf{q}, \qquad
        s(u, v) = f\Big(\Big[\tfrac12 \big(\mathbf{h}^T_{uv} + \mathbf{h}^T_{vu}\big) \,\Big\Vert\, \mathbf{q}\Big]\Big)

    Args:
        channels: Width of a state.
        layers: Number of steps.
        hidden: Width of the perceptron.
    """

    def __init__(self, channels: int, layers: int, hidden: int) -> None:
        super().__init__()
        self.query = nn.Parameter(torch.randn(channels))
        self.steps = nn.ModuleList(BellmanFordConv(channels) for _ in range(layers))
        self.readout = nn.Sequential(nn.Linear(2 * channels, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, plan: SweepPlan, pairs: Pairs) -> Tensor:
        """One logit per pair; (u, v) and (v, u) have the same.

        Sources are processed in blocks of bounded memory. If their states do not fit together, they are computed again
        for the gradient.
        """
        demand = plan.group(np.concatenate([pairs, pairs[:, ::-1]]))
        there, back = self.states(plan, demand).index_select(0, self._index(demand.place)).chunk(2)
        mean = (there + back) / 2
        logits: Tensor = self.readout(torch.cat([mean, self.query.expand_as(mean)], dim=1))
        return logits[:, 0]

    def states(self, plan: SweepPlan, demand: Demand) -> Tensor:
        """The last states of the distinct ordered pairs: ``(num_pairs, channels)``."""
        scales = degree_scales(plan.degrees).to(self.query)
        maps = [step.maps(scales) for step in self._steps]
        background = [self.query.new_zeros(len(plan.rowptr) - 1, len(self.query))]
        for step, map_ in zip(self._steps, maps, strict=True):
            background.append(step(background[-1], self.query, plan.background, map_))
        most = BYTES_PER_BLOCK // (BYTES_PER_STATE * len(self.query))
        blocks = plan.blocks(demand, most)
        if not torch.is_grad_enabled():
            return torch.cat([self._sweep(block, background, maps) for block in blocks])
        stored = list(blocks)
        if sum(block.num_states for block in stored) <= most:
            return torch.cat([self._sweep(block, background, maps) for block in stored])
        return torch.cat([checkpoint(self._sweep, block, background, maps, use_reentrant=False) for block in stored])

    def _sweep(self, block: SourceBlock, background: Sequence[Tensor], maps: Sequence[Tensor]) -> Tensor:
        x = self.query.expand(block.num_start, -1)
        for step, place, before, map_ in zip(self._steps, block.steps, background, maps, strict=False):
            x = step(torch.cat([before, x]), self.query, place, map_)
        return torch.cat([background[-1], x]).index_select(0, self._index(block.place))

    @property
    def _steps(self) -> list[BellmanFordConv]:
        return [step for step in self.steps if isinstance(step, BellmanFordConv)]

    def _index(self, places: IntArray) -> Tensor:
        return torch.from_numpy(places).to(self.query.device)


def degree_scales(degrees: DegreeOrder) -> Tensor:
    """1, s and 1 / s for each number of messages; float64, shape ``(num_degrees, 3)``."""
    logs = np.log(degrees.counts)
    scale = logs / logs[degrees.group].mean()
    return torch.from_numpy(np.stack([np.ones_like(scale), scale, 1 / np.maximum(scale, _MIN_SCALE)], axis=1))
