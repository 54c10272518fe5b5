"""What the walks between targets cost."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from linkwl.graph import Graph
from linkwl.models.cost import FLOAT, KEPT, PASSES, Cost
from linkwl.sparse import UnionPlan, WalkPlan, plan_walks
from linkwl.typing import FloatArray, IntArray, Pairs

_FEW, _MANY = 512, 4096
"""Sizes of the samples, in targets."""


def walk_cost(
    observed: Graph,
    num_targets: int,
    *,
    rounds: int,
    channels: int,
    plan: Callable[..., WalkPlan | UnionPlan] = plan_walks,
) -> Cost:
    """What the walks of targets take, half of them edges taken out of the graph.

    Up to some thousand targets are counted. For more, two samples tell how what they need grows with their number: ever
    slower, as targets share what lies between them.
    """
    if observed.num_edges == 0 or num_targets == 0:
        return Cost()

    def plan_on(graph: Graph, pairs: Pairs) -> WalkPlan | UnionPlan:
        return plan(graph.rowptr, graph.col, pairs, rounds, transposed=_transposed(graph))

    counts = _count(observed, min(num_targets, _MANY), plan_on)
    if num_targets > _MANY:
        growth = np.log(counts / _count(observed, _FEW, plan_on)) / np.log(_MANY / _FEW)
        counts *= (num_targets / _MANY) ** growth.clip(0, 1)
    terms, pairs, factors = counts.tolist()
    memory = 30.0 * terms + FLOAT * KEPT * channels * (pairs + factors * (rounds + 1))
    return Cost(memory, 2.0 * PASSES * (terms * channels + pairs * channels * channels))


def _count(observed: Graph, num_targets: int, plan: Callable[[Graph, Pairs], WalkPlan | UnionPlan]) -> FloatArray:
    """Terms, pairs and right factors of a plan for so many targets, both ways round."""
    positives = observed.edges[:: max(1, 2 * observed.num_edges // num_targets)][: max(num_targets // 2, 1)]
    graph = observed.without(positives)
    others = np.random.default_rng(0).integers(graph.num_nodes, size=(num_targets - len(positives), 2))
    targets = np.concatenate([positives, others])
    joins = plan(graph, np.concatenate([targets, targets[:, ::-1]]).astype(np.int32)).joins
    terms = sum(triples.num_terms for triples in joins)
    pairs = sum(triples.num_out for triples in joins)
    return np.maximum([terms, pairs, joins[0].num_right], 1.0)


def _transposed(graph: Graph) -> tuple[IntArray, IntArray] | None:
    """The rows of the turned edges, where they are other edges."""
    if not graph.is_directed:
        return None
    turned = graph.to_scipy().T.tocsr()
    return turned.indptr.astype(np.int64), turned.indices.astype(np.int32)
