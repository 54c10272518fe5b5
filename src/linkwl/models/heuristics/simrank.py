"""SimRank: two nodes are similar if their neighbours are."""

from __future__ import annotations

from functools import partial

import numpy as np
from pydantic import Field

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.models.base import FormulaScorer, LinkModel, ModelConfig, Needs, Scorer
from linkwl.models.evidence import WALKS, Evidence
from linkwl.models.heuristics.entries import block_width, blocks, symmetric_entries, unit_columns
from linkwl.sparse import neighbour_sum
from linkwl.threads import run_all
from linkwl.typing import FloatArray, IntArray, Pairs, Scores


class SimRankConfig(ModelConfig):
    """Settings of :class:`SimRank`."""

    gamma: float = Field(default=0.8, gt=0, lt=1)
    """Decay factor of the similarity of neighbours."""
    iterations: int = Field(default=5, ge=1, le=20)
    """Number of iterations of the definition."""


class SimRank(LinkModel):
    r"""How soon two random walkers, one from each node, are expected to meet.

    .. math::
        S^{(0)} = I, \qquad S^{(k)} = \max(\gamma N^\top S^{(k-1)} N,\, I), \qquad N = A D^{-1}

    The maximum only resets the diagonal: :math:`S^{(k)} = \gamma N^\top S^{(k-1)} N + D_k` with a diagonal
    :math:`D_k`, :math:`D_0 = I`. Unrolled,

    .. math::
        S^{(K)} = \sum_{t=0}^{K} \gamma^t (N^\top)^t D_{K-t} N^t

    so a column takes K forward and K backward steps, exactly, without the n x n matrix. Memory is bounded; the
    diagonals cost O(n m K^2), more than the columns. In a directed graph, too, the walkers go against the edges, as
    published: nodes are similar if similar nodes point to them. The score is the same for (i, j) and (j, i).
    With weights, A has them as entries: a walker goes along an edge in proportion to its weight.

    Reference: Jeh and Widom, 2002; the published setting is that of Zhang and Chen, 2018 (SEAL).
    """

    id = "simrank"
    title = "SimRank"
    reference = "Jeh and Widom, SimRank: a measure of structural-context similarity, KDD 2002."
    needs = Needs(directed=True, weights=True, whole_graph=True)
    Config = SimRankConfig
    config: SimRankConfig

    def describe(self, observed: Graph) -> str:
        """The method is the same on all graphs."""
        width = block_width(observed.num_nodes)
        return f"exact, walks from {width} sources at a time"

    def evidence(self, observed: Graph) -> Evidence:
        """The edges, on walks of every length."""
        return WALKS

    def prepare(self, observed: Graph) -> Scorer:
        """Computes the diagonals, the most expensive part."""
        self.check(observed)
        if observed.part is not None:
            raise InputError(
                f"simrank compares nodes of one side, and {observed.name} is bipartite; use katz or ppr, or ra, which "
                "counts paths between the sides."
            )
        walks = _Walks(observed)
        resets: list[FloatArray] = [np.ones(observed.num_nodes)]  # D_0 .. D_{K-1}
        for _ in range(1, self.config.iterations):
            resets.append(self._next_reset(walks, resets))
        return FormulaScorer(observed, partial(self._score, walks, resets))

    def _score(self, walks: _Walks, resets: list[FloatArray], pairs: Pairs) -> Scores:
        def read(sources: IntArray, row: IntArray, slot: IntArray) -> FloatArray:
            return self._columns(walks, resets, sources)[row, slot]

        scores = symmetric_entries(pairs, walks.num_nodes, read)
        return np.where(pairs[:, 0] == pairs[:, 1], 1.0, scores)

    def _next_reset(self, walks: _Walks, resets: list[FloatArray]) -> FloatArray:
        r"""Next diagonal: :math:`D_k(i) = 1 - \sum_{t=1}^{k} \gamma^t \sum_v (N^t e_i)(v)^2 D_{k-t}(v)`."""
        reset = np.ones(walks.num_nodes)

        def work(sources: IntArray) -> None:
            current = unit_columns(sources, walks.num_nodes)
            buffer = np.zeros_like(current)
            for t, earlier in enumerate(reversed(resets), start=1):
                walks.forward(current, buffer)
                current, buffer = buffer, current
                # Not a BLAS product: its threads would compete with ours.
                reset[sources] -= self.config.gamma**t * np.einsum("vi,vi,v->i", current, current, earlier)

        run_all(work, blocks(walks.num_nodes, walks.num_nodes))
        return reset

    def _columns(self, walks: _Walks, resets: list[FloatArray], sources: IntArray) -> FloatArray:
        """Columns of S^(K) by Horner's rule, without D_K: correct except for the diagonal."""
        steps = [unit_columns(sources, walks.num_nodes)]  # N^t e_i
        for _ in resets:
            steps.append(np.zeros_like(steps[0]))
            walks.forward(steps[-2], steps[-1])
        column = steps.pop()  # D_0 = I
        for reset in resets[1:]:
            step = steps.pop()
            step *= reset[:, None]
            walks.backward(column, step, self.config.gamma)
            column = step
        result = np.zeros_like(column)
        walks.backward(column, result, self.config.gamma)
        return result


class _Walks:
    """The two steps of a walk on a graph, N and its transpose."""

    def __init__(self, graph: Graph) -> None:
        self.num_nodes = graph.num_nodes
        self._graph, self._arriving = graph, graph.reversed
        self._ones = np.ones(graph.num_nodes)
        self._inverse_degree = 1 / np.where(self._arriving.degree > 0, self._arriving.strength, 1.0)

    def forward(self, x: FloatArray, out: FloatArray) -> None:
        """``out <- N x``."""
        rows = self._graph.rowptr, self._graph.col
        neighbour_sum(*rows, self._ones, self._inverse_degree, x, 0.0, out, self._graph.relative_weight)

    def backward(self, x: FloatArray, out: FloatArray, gamma: float) -> None:
        """``out <- gamma N^T x + out``."""
        rows = self._arriving.rowptr, self._arriving.col
        neighbour_sum(*rows, gamma * self._inverse_degree, self._ones, x, 1.0, out, self._arriving.relative_weight)
