"""A plan of walks with its indices as tensors."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from linkwl.nn.adjacency import Adjacency
from linkwl.sparse import Triples, plan_walks


@dataclass(frozen=True, eq=False)
class WalkTensors:
    """What :class:`linkwl.sparse.WalkPlan` says, for use beside tensors; see there."""

    edges: Tensor
    """Places in the adjacency of the edges that are used."""
    first: Tensor
    """The pairs of level 0, as places in `edges`."""
    joins: tuple[Triples, ...]
    adjacent: tuple[Tensor, ...]
    targets: tuple[Tensor, ...]


def walk_tensors(adjacency: Adjacency, targets: Tensor, rounds: int) -> WalkTensors:
    """Plans the walks of the given number of rounds between the targets."""
    turned = None if adjacency.is_symmetric else adjacency.transpose.arrays
    plan = plan_walks(*adjacency.arrays, targets.cpu().numpy(), rounds, transposed=turned)
    edges, first, *levels = (
        torch.from_numpy(index).to(adjacency.device)
        for index in (plan.edges, plan.first, *plan.adjacent, *plan.targets)
    )
    return WalkTensors(edges, first, plan.joins, tuple(levels[:rounds]), tuple(levels[rounds:]))
