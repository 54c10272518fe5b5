"""A small perceptron that imitates the scores of a model, to find the pairs that are worth a closer look."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from linkwl.models.gradient import seeded, torch_threads
from linkwl.predict.row_inputs import RowInputs
from linkwl.sparse.screen_rows import LANES, perceive
from linkwl.typing import FloatArray, IntArray, Pairs, Scores

WIDTH = 32
PASSES = 40
_BATCH = 2048
_RATE = 0.01
_WEIGHT_DECAY = 1e-4


@dataclass(frozen=True, eq=False)
class Student:
    """A perceptron with two hidden layers; the arrays are those of :func:`linkwl.sparse.screen_rows.perceive`.

    The first layer adds a vector of the pair, a vector of the source and one of the target. The last two are products
    with numbers of nodes, and computed once for every node.
    """

    pair_weight: FloatArray
    at_source: FloatArray
    """One row for every node."""
    at_target: FloatArray
    middle_weight: FloatArray
    middle_bias: FloatArray
    last_weight: FloatArray

    def rows(self, inputs: RowInputs, sources: IntArray, first: int, room: FloatArray, out: FloatArray) -> None:
        """Writes the scores of at most :data:`LANES` sources and the targets from ``first`` on: ``out[i, target]``.

        Args:
            inputs: The inputs of the graph.
            sources: The sources.
            first: The first target.
            room: An array of :meth:`RowInputs.room`.
            out: To be written, ``(LANES, num_nodes)``, float32.
        """
        inputs.fill(sources, first, room)
        own = np.zeros((self.at_source.shape[1], LANES), dtype=np.float32)
        own[:, : len(sources)] = self.at_source[sources].T
        perceive(
            *(room, inputs.chosen, inputs.is_log, self.pair_weight, own, self.at_target),
            *(self.middle_weight, self.middle_bias, self.last_weight, first, out),
        )


def teach(
    inputs: RowInputs, pairs: Pairs, scores: Scores, *, is_directed: bool, seed: int = 0, passes: int = PASSES
) -> Student:
    """A student that has learned the scores of some pairs, in one thread, by their mean squared error.

    Args:
        inputs: The inputs of the graph.
        pairs: The pairs.
        scores: Their exact scores.
        is_directed: Whether the two ends of a pair have different roles.
        seed: Seed of the weights and of the batches.
        passes: Number of times that every pair is learned.
    """
    x = torch.from_numpy(inputs.at(pairs))
    nodes = torch.from_numpy(inputs.nodes)
    y = torch.from_numpy(scores).float()
    center, scale = _moments(x)
    node_center, node_scale = _moments(nodes)
    ends = torch.from_numpy(pairs.astype(np.int64))
    z, e = (x - center) / scale, ((nodes - node_center) / node_scale)
    target = (y - y.mean()) / y.std(correction=0).clamp(min=1e-6)
    with torch_threads(1), seeded(seed):
        network = _Network(x.shape[1], nodes.shape[1], is_directed=is_directed)
        _descend(network, z, e[ends[:, 0]], e[ends[:, 1]], target, passes)
    with torch.no_grad(), torch_threads(1):
        weight = network.pair.weight / scale
        bias = network.pair.bias - weight @ center
        return Student(
            *(_array(weight.T), _array(e @ network.source.weight.T + bias), _array(e @ network.target.weight.T)),
            *(_array(network.middle.weight), _array(network.middle.bias), _array(network.last.weight[0])),
        )


class _Network(nn.Module):
    def __init__(self, num_pair: int, num_node: int, *, is_directed: bool) -> None:
        super().__init__()
        self.pair = nn.Linear(num_pair, WIDTH)
        self.source = nn.Linear(num_node, WIDTH, bias=False)
        self.target = nn.Linear(num_node, WIDTH, bias=False) if is_directed else self.source
        self.middle = nn.Linear(WIDTH, WIDTH)
        self.last = nn.Linear(WIDTH, 1, bias=False)

    def forward(self, z: Tensor, p: Tensor, q: Tensor) -> Tensor:
        hidden = (self.pair(z) + self.source(p) + self.target(q)).relu()
        return self.last(self.middle(hidden).relu())[:, 0]


def _descend(network: _Network, z: Tensor, p: Tensor, q: Tensor, target: Tensor, passes: int) -> None:
    steps = passes * -(-len(z) // _BATCH)
    optimizer = torch.optim.AdamW(network.parameters(), _RATE, weight_decay=_WEIGHT_DECAY, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps)
    for _ in range(passes):
        for batch in torch.randperm(len(z)).split(_BATCH):
            loss = (network(z[batch], p[batch], q[batch]) - target[batch]).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()


def _moments(x: Tensor) -> tuple[Tensor, Tensor]:
    scale = x.std(dim=0, correction=0)
    return x.mean(dim=0), torch.where(scale > 1e-6, scale, 1.0)


def _array(x: Tensor) -> FloatArray:
    return np.ascontiguousarray(x.detach().numpy(), dtype=np.float32)
