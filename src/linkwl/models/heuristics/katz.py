"""Katz: walks of every length."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import scipy.sparse.linalg as spla
from pydantic import Field

from linkwl.errors import InputError
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

_MARGIN = 1e-3
"""Required distance of the series from divergence; closer to it, tens of thousands of terms are needed."""


class KatzConfig(ModelConfig):
    """Settings of :class:`Katz`."""

    beta: float = Field(default=0.001, gt=0, le=1e9)
    """Damping factor of each step."""


class Katz(LinkModel):
    r"""All walks between two nodes, each step damped by :math:`\beta`.

    .. math::
        \sum_{k \ge 1} \beta^k (A^k)_{ij} = \big[(I - \beta A)^{-1} - I\big]_{ij}

    Small, dense graphs: one factorisation. All others: the series itself, a block of columns at a time, until no entry
    grows by more than :attr:`tolerance` of its own value. In a directed graph the walks follow the edges from i to j.
    With weights, A has them as entries, divided by their mean, so that :math:`\beta` keeps its meaning.

    Reference: Katz, 1953; the published setting is that of Zhang and Chen, 2018 (SEAL).
    """

    id = "katz"
    title = "Katz"
    reference = "Katz, A new status index derived from sociometric analysis, Psychometrika 18, 1953."
    needs = Needs(directed=True, weights=True, whole_graph=True)
    Config = KatzConfig
    config: KatzConfig

    max_dense_nodes: ClassVar[int] = MAX_DENSE_NODES
    tolerance: ClassVar[float] = 1e-12

    def describe(self, observed: Graph) -> str:
        """Which of the two methods is used on this graph."""
        if self._is_dense(observed):
            return "exact, dense Cholesky"
        width = block_width(observed.num_nodes)
        return f"power series to {self.tolerance:g}, {width} sources at a time"

    def evidence(self, observed: Graph) -> Evidence:
        """The edges, on walks of every length."""
        return WALKS

    def prepare(self, observed: Graph) -> Scorer:
        """Factorises a small, dense graph."""
        self.check(observed)
        if observed.is_directed:
            return FormulaScorer(observed, self._directed_series(observed))
        self._require_convergence(observed)
        if self._is_dense(observed):
            steps = self.config.beta * observed.to_scipy(weighted=True)
            # (I - M)^-1 - I = (I - M)^-1 M, and the right-hand side subtracts nothing.
            return FormulaScorer(observed, InverseEntries(steps, steps))
        ones = np.ones(observed.num_nodes)
        return FormulaScorer(observed, SeriesEntries(observed, self.config.beta * ones, ones, self.tolerance))

    def _is_dense(self, observed: Graph) -> bool:
        return not observed.is_directed and prefers_dense(observed, self.max_dense_nodes)

    def _directed_series(self, observed: Graph) -> DirectedSeries:
        ones = np.ones(observed.num_nodes)
        try:
            return DirectedSeries(DirectedSteps(observed, self.config.beta * ones, ones), self.tolerance)
        except OverflowError as error:
            raise self._divergence(error.args[0] / self.config.beta) from None

    def _require_convergence(self, observed: Graph) -> None:
        beta = self.config.beta
        if beta * observed.strength.max(initial=0) <= 1 - _MARGIN:  # no eigenvalue exceeds the largest sum of a row
            return
        largest = _largest_eigenvalue(observed)
        if beta * largest > 1 - _MARGIN:
            raise self._divergence(largest)

    def _divergence(self, largest: float) -> InputError:
        return InputError(
            f"katz setting 'beta' must be below {1 / largest:.4g} on this graph, the inverse of the largest "
            f"eigenvalue of its adjacency matrix, got {self.config.beta:g}."
        )


def _largest_eigenvalue(observed: Graph) -> float:
    adjacency = observed.to_scipy(weighted=True)
    if observed.num_nodes < 32:  # too small for the Lanczos method
        return float(np.linalg.eigvalsh(adjacency.toarray())[-1])
    # The leading eigenvector has no negative entry, so a vector of ones is not orthogonal to it.
    start = np.ones(observed.num_nodes)
    return float(spla.eigsh(adjacency, k=1, which="LA", v0=start, return_eigenvectors=False)[0])
