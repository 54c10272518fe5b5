"""Personalised (rooted) PageRank: random walks that return to where they began."""

from __future__ import annotations

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
    series_entries,
)
from linkwl.typing import Pairs, Scores


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
    graphs: one factorisation. All others: the series :math:`Y = \sum_k \alpha^k S^k`, a block of columns at a time, to
    a relative :attr:`tolerance`. A node without neighbours stays where it is: :math:`\pi_i(i) = 1 - \alpha`, as a zero
    row of P gives it.

    Reference: Brin and Page, 1998; as a link predictor Liben-Nowell and Kleinberg, 2007; the published setting is that
    of Zhang and Chen, 2018 (SEAL).
    """

    id = "ppr"
    title = "Personalised PageRank"
    reference = "Brin and Page, The anatomy of a large-scale hypertextual Web search engine, WWW 1998."
    Config = PersonalisedPageRankConfig
    config: PersonalisedPageRankConfig

    max_dense_nodes: ClassVar[int] = MAX_DENSE_NODES
    tolerance: ClassVar[float] = 1e-10

    def describe(self, observed: Graph) -> str:
        """Which of the two ways this graph goes."""
        if prefers_dense(observed, self.max_dense_nodes):
            return "exact, dense Cholesky"
        return f"power series to {self.tolerance:g}, {block_width(observed.num_nodes)} sources at a time"

    def _score(self, observed: Graph, pairs: Pairs) -> Scores:
        degree = np.maximum(observed.degree, 1).astype(np.float64)
        if prefers_dense(observed, self.max_dense_nodes):
            root = sp.diags_array(degree**-0.5)
            steps = self.config.alpha * (root @ observed.to_scipy() @ root)
            entries = inverse_entries(pairs, steps, sp.eye_array(observed.num_nodes, format="csr"))
        else:
            root = degree**-0.5
            # Terms end up falling by alpha each: all that follow the last one add up to 1 / (1 - alpha) times as much.
            last_term = self.tolerance * (1 - self.config.alpha)
            entries = series_entries(pairs, observed, self.config.alpha * root, root, last_term)
            entries += pairs[:, 0] == pairs[:, 1]  # the walk of no step
        ends = degree[pairs]
        return (1 - self.config.alpha) * entries * ends.sum(axis=1) / np.sqrt(ends.prod(axis=1))
