"""Estimates of the memory and work of a training step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from linkwl.graph import Graph
from linkwl.memory import check_memory, size_text
from linkwl.nn.feature_similarity import DEPTH, RANK
from linkwl.sparse import UnionPlan, WalkPlan, plan_walks
from linkwl.sparse.walks import BYTES_PER_BLOCK, BYTES_PER_ENTRY, row_work
from linkwl.typing import FloatArray, IntArray, Pairs

if TYPE_CHECKING:
    from linkwl.models.pairs.config import EncoderConfig

_FEW, _MANY = 512, 4096  # sizes of the samples for walks, in targets
_SAMPLED_EDGES = 256
_DIRECTED_PROFILE = 4

FLOAT = 4
KEPT = 10
"""Number of arrays, as large as its output, that a block stores for the gradient or temporarily."""
PASSES = 3
"""A product is computed once forward and twice backward."""
FETCH = 64
"""Number of multiplications that take as long as reading a row from a random place in memory."""


@dataclass(frozen=True)
class Cost:
    """Memory and work of one training step; estimates of the order of magnitude only."""

    memory: float = 0.0
    """Bytes at the peak."""
    operations: float = 0.0
    """Number of multiplications, including the gradient."""

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.memory + other.memory, self.operations + other.operations)


@dataclass(frozen=True)
class TrainingPlan:
    """The expected cost of training."""

    what: str
    """Name of the work, for messages."""
    cost: Cost
    max_steps: int
    remedy: str
    """What to do if it does not fit, as the end of a sentence."""

    @property
    def text(self) -> str:
        """The plan in a few words."""
        return f"{self.what}: about {size_text(self.cost.memory)} of memory, at most {self.max_steps:,} steps"

    def check(self, *, limit: float | None = None) -> None:
        """Checks that the work fits into memory.

        Args:
            limit: Limit in bytes; by default the free memory.

        Raises:
            MemoryLimitError: If it does not fit.
        """
        check_memory(self.cost.memory, self.what, self.remedy, limit=limit)


def encoder_cost(config: EncoderConfig, observed: Graph) -> Cost:
    """The cost of the encoder on the whole observed graph, including the graph's rows."""
    n, entries, c = observed.num_nodes, (1 + observed.is_directed) * len(observed.col), config.channels
    blocks = config.layers + 1
    features = observed.features
    stored = n if features is None else features.size  # entries; of a sparse array the stored ones
    memory = 40.0 * entries + FLOAT * KEPT * n * c * blocks + 16.0 * stored
    operations = PASSES * (config.layers * (entries * (c + FETCH) + n * c * (c + KEPT)) + stored * c)
    return Cost(memory, operations)


def some_pairs(observed: Graph, count: int) -> Pairs:
    """Edges and as many other pairs, at most ``count`` of each, to measure what pairs cost."""
    edges = observed.edges
    generator = np.random.default_rng(0)
    links = edges[generator.permutation(len(edges))[:count]]
    others = generator.integers(max(observed.num_nodes, 1), size=(len(links), 2))
    return np.concatenate([links, others]).astype(np.int32)


def walk_cost(
    observed: Graph,
    num_targets: int,
    *,
    rounds: int,
    channels: int,
    plan: Callable[..., WalkPlan | UnionPlan] = plan_walks,
) -> Cost:
    """The cost of the walks of targets, half of which are edges removed from the graph.

    Up to a few thousand targets are counted. For more, two samples show how the cost grows with their number: slower
    and slower, since targets share walks.
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
    """Terms, pairs and right factors of a plan for this many targets, in both orientations."""
    positives = observed.edges[:: max(1, 2 * observed.num_edges // num_targets)][: max(num_targets // 2, 1)]
    graph = observed.without(positives)
    others = np.random.default_rng(0).integers(graph.num_nodes, size=(num_targets - len(positives), 2))
    targets = np.concatenate([positives, others])
    joins = plan(graph, np.concatenate([targets, targets[:, ::-1]]).astype(np.int32)).joins
    terms = sum(triples.num_terms for triples in joins)
    pairs = sum(triples.num_out for triples in joins)
    return np.maximum([terms, pairs, joins[0].num_right], 1.0)


def _transposed(graph: Graph) -> tuple[IntArray, IntArray] | None:
    """The rows of the reversed edges of a directed graph."""
    return (graph.reversed.rowptr, graph.reversed.col) if graph.is_directed else None


def profile_cost(observed: Graph, num_targets: int, *, steps: int) -> Cost:
    """The cost of the walk profile: rows of the targets' ends (half of them ends of edges, often hubs) and products."""
    if observed.num_edges == 0 or num_targets == 0:
        return Cost()
    edges = observed.edges[:: max(1, observed.num_edges // _SAMPLED_EDGES)].reshape(-1)
    others = np.random.default_rng(0).integers(observed.num_nodes, size=len(edges))
    links = observed.links
    entries, products = row_work(links.rowptr, links.col, np.concatenate([edges, others]), steps)
    if observed.is_directed:  # the walks of all patterns together are about as many again, and met more often
        entries, products = _DIRECTED_PROFILE * entries, _DIRECTED_PROFILE * products
    ends = min(2 * num_targets, observed.num_nodes)
    blocks = min(BYTES_PER_BLOCK, BYTES_PER_ENTRY * entries * ends)
    # Rows are computed in parts that are then concatenated.
    memory = 2.0 * blocks + 16.0 * observed.num_nodes + 40.0 * len(observed.col) + 24.0 * 8 * steps * num_targets
    fetches = ends * products + 2.0 * entries * (num_targets + ends)
    return Cost(memory, FETCH / 8 * fetches)


def smoothing_cost(observed: Graph) -> Cost:
    """The cost of the projected features of all nodes after every smoothing step."""
    width = min(observed.num_features, RANK)
    numbers = float(observed.num_nodes * width)
    assert observed.features is not None
    operations = observed.features.size * width + DEPTH * len(observed.col) * (width + FETCH)
    return Cost(4 * (DEPTH + 3) * numbers, operations)
