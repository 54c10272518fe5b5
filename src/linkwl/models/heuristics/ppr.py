"""Personalised (rooted) PageRank: random walks with restart."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, TypeAlias

import numpy as np
import scipy.sparse as sp
from pydantic import Field

from linkwl.graph import Graph
from linkwl.models.base import FormulaScorer, LinkModel, ModelConfig, Needs, Scorer
from linkwl.models.evidence import WALKS, Evidence
from linkwl.models.heuristics.directed_series import DirectedSeries, DirectedSteps
from linkwl.models.heuristics.entries import (
    MAX_DENSE_NODES,
    InverseEntries,
    SeriesEntries,
    block_width,
    prefers_dense,
)
from linkwl.typing import FloatArray, Pairs, Scores

Entries: TypeAlias = Callable[[Pairs], FloatArray]
"""Returns the entries of a matrix at some pairs."""


class PersonalisedPageRankConfig(ModelConfig):
    """Settings of :class:`PersonalisedPageRank`."""

    alpha: float = Field(default=0.85, gt=0, lt=1)
    """Probability of walking on instead of returning to the start."""


class PersonalisedPageRank(LinkModel):
    r"""Probability that a random walk with restart from either node is at the other.

    .. math::
        \pi_i(j) + \pi_j(i), \qquad \pi_i = (1 - \alpha) (I - \alpha P^\top)^{-1} e_i, \quad P = D^{-1} A

    With :math:`S = D^{-1/2} A D^{-1/2}` and :math:`Y = (I - \alpha S)^{-1}`, symmetric, the score is
    :math:`(1 - \alpha) Y_{ij} (d_i + d_j) / \sqrt{d_i d_j}`: one column of Y serves both directions. Small, dense
    graphs: one factorisation. All others: the series :math:`Y = \sum_k \alpha^k S^k`, a block of columns at a time, to
    a relative :attr:`tolerance`. A node without neighbours has a zero row in P, so :math:`\pi_i(i) = 1 - \alpha`.
    In a directed graph the score is :math:`\pi_i(j)` alone, of walks that follow the edges from i; a node that no edge
    leaves ends them. With weights, A has them as entries: a walk goes along an edge in proportion to its weight.

    Reference: Brin and Page, 1998; as a link predictor Liben-Nowell and Kleinberg, 2007; the published setting is that
    of Zhang and Chen, 2018 (SEAL).
    """

    id = "ppr"
    title = "Personalised PageRank"
    reference = "Brin and Page, The anatomy of a large-scale hypertextual Web search engine, WWW 1998."
    needs = Needs(directed=True, weights=True, whole_graph=True)
    Config = PersonalisedPageRankConfig
    config: PersonalisedPageRankConfig

    max_dense_nodes: ClassVar[int] = MAX_DENSE_NODES
    tolerance: ClassVar[float] = 1e-10

    def describe(self, observed: Graph) -> str:
        """Which of the two methods is used on this graph."""
        if not observed.is_directed and prefers_dense(observed, self.max_dense_nodes):
            return "exact, dense Cholesky"
        return f"power series to {self.tolerance:g}, {block_width(observed.num_nodes)} sources at a time"

    def evidence(self, observed: Graph) -> Evidence:
        """The edges, on walks of every length."""
        return WALKS

    def prepare(self, observed: Graph) -> Scorer:
        """Factorises a small, dense graph."""
        self.check(observed)
        degree = np.where(observed.degree > 0, observed.strength, 1.0)
        alpha = self.config.alpha
        if observed.is_directed:
            steps = DirectedSteps(observed, alpha / degree, np.ones(observed.num_nodes))
            return FormulaScorer(observed, partial(self._from_first, DirectedSeries(steps, self.tolerance)))
        if prefers_dense(observed, self.max_dense_nodes):
            root = sp.diags_array(degree**-0.5)
            steps = alpha * (root @ observed.to_scipy(weighted=True) @ root)
            dense = InverseEntries(steps, sp.eye_array(observed.num_nodes, format="csr"))
            return FormulaScorer(observed, partial(self._score, degree, dense, 0))
        root = degree**-0.5
        # Terms eventually shrink by alpha each: the rest of the series is at most 1 / (1 - alpha) times the last term.
        series = SeriesEntries(observed, alpha * root, root, self.tolerance * (1 - alpha))
        return FormulaScorer(observed, partial(self._score, degree, series, 1))

    def _from_first(self, entries: Entries, pairs: Pairs) -> Scores:
        """The score of directed walks, from their series."""
        return (1 - self.config.alpha) * (entries(pairs) + (pairs[:, 0] == pairs[:, 1]))

    def _score(self, degree: FloatArray, entries: Entries, standing: int, pairs: Pairs) -> Scores:
        """The score from the entries of Y; ``standing`` is the term of the walk of length 0."""
        found = entries(pairs)
        if standing:
            found += pairs[:, 0] == pairs[:, 1]
        ends = degree[pairs]
        return (1 - self.config.alpha) * found * ends.sum(axis=1) / np.sqrt(ends.prod(axis=1))
