"""Local 2-FWL on typed pairs: the walks of facts between two entities."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor, nn

from linkwl.nn.encodings import log_scale
from linkwl.nn.norms import dropout
from linkwl.nn.operators import join
from linkwl.nn.sparse_linear import SparseLinear, SparseRows
from linkwl.sparse import WalkPlan, plan_walks
from linkwl.sparse.rows import starts
from linkwl.typing import BoolArray, IntArray, Pairs


@dataclass(frozen=True, eq=False)
class JoinedPairs:
    """The ordered pairs that some fact joins, in ascending order and each in both orders: the steps of walks."""

    pairs: Pairs
    num_nodes: int

    @cached_property
    def rowptr(self) -> IntArray:
        """The pairs that start at entity v are ``rowptr[v] : rowptr[v + 1]``."""
        return starts(np.bincount(self.pairs[:, 0], minlength=self.num_nodes))

    @cached_property
    def degree(self) -> IntArray:
        """Number of entities that each entity is joined with."""
        return np.diff(self.rowptr)

    def walks(self, pairs: Pairs, rounds: int) -> WalkPlan:
        """The walks of 2 to ``rounds`` + 1 steps between the ends of pairs."""
        return plan_walks(self.rowptr, self.pairs[:, 1], pairs, rounds)


def reached(plan: WalkPlan) -> BoolArray:
    """Whether a walk of two steps or a fact leads from the first entity of each pair to the second."""
    terms, places = np.diff(plan.joins[0].ptr), plan.targets[0]
    return (terms[places] > 0) | (plan.adjacent[0][places] >= 0)


class TypedWalks(nn.Module):
    r"""Typed walks between the ends of a pair, one step longer with every round.

    .. math::
        \mathbf{y}^1_{ab} = \sum_u \phi(A \mathbf{f}_{au}) \odot \frac{\phi(B_1 \mathbf{f}_{ub})}{\sqrt{d_u}}, \qquad
        \mathbf{y}^{t+1}_{ab} = \sum_u \mathbf{y}^t_{au} \odot \frac{\phi(B_{t+1} \mathbf{f}_{ub})}{\sqrt{d_u}}

    with :math:`\mathbf{f}` the relations of a pair in both directions, :math:`\phi` a ReLU, and :math:`d_u` the number
    of entities that u is joined with. Each channel is a weighted count of walks whose steps have certain relations. The
    output is the logarithm of every round.

    Args:
        num_relations: Number of relations.
        channels: Number of kinds of walks.
        rounds: Number of rounds, at least 1.
        dropout: Dropout on the steps.

    Shape:
        - output: ``(num_pairs, rounds * channels)``
    """

    def __init__(self, num_relations: int, channels: int, rounds: int, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.rounds, self.channels, self.dropout = rounds, channels, dropout
        self.steps = nn.ModuleList(SparseLinear(2 * num_relations, channels) for _ in range(rounds + 1))

    def encode(self, rows: SparseRows, joined: JoinedPairs) -> list[Tensor]:
        """The vectors of every step of a walk, for each joined pair."""
        weight = torch.from_numpy(np.maximum(joined.degree, 1)[joined.pairs[:, 0]] ** -0.5)[:, None]
        first, *later = (dropout(step(rows).relu(), self.dropout, self.training) for step in self.steps)
        return [first, *(step * weight.to(step) for step in later)]

    def forward(self, steps: list[Tensor], plan: WalkPlan) -> Tensor:
        """The walks of the pairs of a plan."""
        edges = torch.from_numpy(plan.edges).to(steps[0].device)
        x, outputs = steps[0].index_select(0, edges[torch.from_numpy(plan.first)]), []
        for step, triples, targets in zip(steps[1:], plan.joins, plan.targets, strict=True):
            x = join(x, step.index_select(0, edges), triples)
            outputs.append(log_scale(x.index_select(0, torch.from_numpy(targets).to(x.device))))
        return torch.cat(outputs, dim=1)

    def extra_repr(self) -> str:
        """Width and number of rounds."""
        return f"{self.channels}, rounds={self.rounds}"
