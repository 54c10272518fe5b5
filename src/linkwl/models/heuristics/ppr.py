"""Personalised (rooted) PageRank: random walks that return to where they began."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
import scipy.sparse as sp
from pydantic import Field

from linkwl.graph import Graph
from linkwl.models.base import LinkModel, ModelConfig
from linkwl.models.heuristics.entries import (
    MAX_DENSE_NODES,
    block_width,
    inverse_entries,
    prefers_dense,
    symmetric_entries,
    unit_columns,
)
from linkwl.sparse import neighbour_sum
from linkwl.typing import FloatArray, IntArray, Pairs, Scores


class PersonalisedPageRankConfig(ModelConfig):
    """Settings of :class:`PersonalisedPageRank`."""

    alpha: float = Field(default=0.85, gt=0, lt=1)
    """Probability of walking on instead of returning to the start."""


class PersonalisedPageRank(LinkModel):
    r"""How often walks from either node, restarted now and then, are found at the other.

    .. math::
        \pi_i(j) + \pi_j(i), \qquad \pi_i = (1 - \alpha) (I - \alpha P^\top)^{-1} e_i, \quad P = D^{-1} A

    With :math:`S = D^{-1/2} A D^{-1/2}` and :math:`Y = (I - \alpha S)^{-1}`, symmetric, the score is
    :math:`(1 - \alpha) Y_{ij} (d_i + d_j) / \sqrt{d_i d_j}`: one column of Y serves both directions. Small, dense
    graphs: one factorisation. All others: the Chebyshev series of Y, with a number of terms fixed beforehand,

    .. math::
        Y = \frac{1}{\sqrt{1 - \alpha^2}} \Big(I + 2 \sum_{k \ge 1} \rho^k T_k(S)\Big), \qquad
        \rho = \frac{\alpha}{1 + \sqrt{1 - \alpha^2}}

    which needs well under half the steps of a power iteration. A node without neighbours stays where it is:
    :math:`\pi_i(i) = 1 - \alpha`, as a zero row of P gives it.

    Reference: Brin and Page, 1998; as a link predictor Liben-Nowell and Kleinberg, 2007; the published setting is that
    of Zhang and Chen, 2018 (SEAL).
    """

    id = "ppr"
    title = "Personalised PageRank"
    reference = "Brin and Page, The anatomy of a large-scale hypertextual Web search engine, WWW 1998."
    Config = PersonalisedPageRankConfig
    config: PersonalisedPageRankConfig

    max_dense_nodes: ClassVar[int] = MAX_DENSE_NODES
    tolerance: ClassVar[float] = 1e-12

    def describe(self, observed: Graph) -> str:
        """Which of the two ways this graph goes."""
        if prefers_dense(observed, self.max_dense_nodes):
            return "exact, dense Cholesky"
        width = block_width(observed.num_nodes)
        return f"Chebyshev series of {self._num_terms()} terms to {self.tolerance:g}, {width} sources at a time"

    def _score(self, observed: Graph, pairs: Pairs) -> Scores:
        degree = np.maximum(observed.degree, 1).astype(np.float64)
        if prefers_dense(observed, self.max_dense_nodes):
            root = sp.diags_array(degree**-0.5)
            steps = self.config.alpha * (root @ observed.to_scipy() @ root)
            entries = inverse_entries(pairs, steps, sp.eye_array(observed.num_nodes, format="csr"))
        else:
            entries = symmetric_entries(pairs, observed.num_nodes, lambda *block: self._sum_series(observed, *block))
        ends = degree[pairs]
        return (1 - self.config.alpha) * entries * ends.sum(axis=1) / np.sqrt(ends.prod(axis=1))

    def _sum_series(self, observed: Graph, sources: IntArray, row: IntArray, slot: IntArray) -> FloatArray:
        root = np.maximum(observed.degree, 1) ** -0.5
        current = unit_columns(sources, observed.num_nodes)  # T_0(S)
        previous = np.zeros_like(current)
        total = current[row, slot]
        for k in range(1, self._num_terms()):
            # T_1 = S T_0, then T_k = 2 S T_{k-1} - T_{k-2}, written over T_{k-2}.
            neighbour_sum(observed.rowptr, observed.col, root if k == 1 else 2 * root, root, current, -1.0, previous)
            current, previous = previous, current
            total += 2 * self._ratio() ** k * current[row, slot]
        # Y has no negative entry; where it is all but 0 the rounding of the series may leave one.
        return np.maximum(total / math.sqrt(1 - self.config.alpha**2), 0)

    def _ratio(self) -> float:
        return self.config.alpha / (1 + math.sqrt(1 - self.config.alpha**2))

    def _num_terms(self) -> int:
        """Terms after which the rest of the series, where no T_k(S) exceeds 1, is below the tolerance."""
        rest = 2 / math.sqrt(1 - self.config.alpha**2) / (1 - self._ratio())
        return math.ceil(math.log(self.tolerance / rest) / math.log(self._ratio()))
