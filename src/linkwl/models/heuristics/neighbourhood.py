"""Scores from the neighbours of the two nodes."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial

import numpy as np

from linkwl.graph import Graph
from linkwl.models.base import FormulaScorer, LinkModel, Scorer
from linkwl.sparse import common_neighbour_sums
from linkwl.typing import FloatArray, IntArray, Pairs, Scores


class _WeightedCommonNeighbours(LinkModel):
    """A sum over the common neighbours, each weighted by its degree."""

    @abstractmethod
    def _weights(self, degree: IntArray) -> FloatArray:
        """The weight of a common neighbour of each degree; only degrees above 0 are used."""

    def describe(self, observed: Graph) -> str:
        """Nothing is approximated."""
        return "exact"

    def prepare(self, observed: Graph) -> Scorer:
        """Computes the weight of every node."""
        self.check(observed)
        # A neighbour of an end has a positive degree, so the weight of an isolated node is never used.
        weight_of_degree = self._weights(np.maximum(np.arange(observed.degree.max(initial=0) + 1), 1))
        return FormulaScorer(observed, partial(self._score, observed, weight_of_degree[observed.degree]))

    def _score(self, observed: Graph, weights: FloatArray, pairs: Pairs) -> Scores:
        return common_neighbour_sums(observed.rowptr, observed.col, pairs, weights[:, None])[:, 0]


class CommonNeighbours(_WeightedCommonNeighbours):
    r"""Number of common neighbours: :math:`|\Gamma(i) \cap \Gamma(j)|`."""

    id = "cn"
    title = "Common neighbours"
    reference = "Liben-Nowell and Kleinberg, The link-prediction problem for social networks, JASIST 58(7), 2007."

    def _weights(self, degree: IntArray) -> FloatArray:
        return np.ones(len(degree))


class AdamicAdar(_WeightedCommonNeighbours):
    r"""Common neighbours, with more weight on low degrees: :math:`\sum_{k \in \Gamma(i) \cap \Gamma(j)} 1 / \ln d_k`.

    A neighbour of degree 1, which only the pair (i, i) can share, counts 0.
    """

    id = "aa"
    title = "Adamic-Adar"
    reference = "Adamic and Adar, Friends and neighbors on the Web, Social Networks 25(3), 2003."

    def _weights(self, degree: IntArray) -> FloatArray:
        return np.where(degree > 1, 1 / np.log(np.maximum(degree, 2)), 0.0)


class ResourceAllocation(_WeightedCommonNeighbours):
    r"""Common neighbours, each sharing out one unit: :math:`\sum_{k \in \Gamma(i) \cap \Gamma(j)} 1 / d_k`."""

    id = "ra"
    title = "Resource allocation"
    reference = "Zhou, Lü and Zhang, Predicting missing links via local information, Eur. Phys. J. B 71, 2009."

    def _weights(self, degree: IntArray) -> FloatArray:
        return 1 / degree


class Jaccard(CommonNeighbours):
    r"""Share of the neighbours that are common: :math:`|\Gamma(i) \cap \Gamma(j)| / |\Gamma(i) \cup \Gamma(j)|`.

    0 if neither node has a neighbour.
    """

    id = "jaccard"
    title = "Jaccard"
    reference = "Jaccard, Étude comparative de la distribution florale, Bull. Soc. Vaudoise Sci. Nat. 37, 1901."

    def _score(self, observed: Graph, weights: FloatArray, pairs: Pairs) -> Scores:
        common = super()._score(observed, weights, pairs)
        union = observed.degree[pairs].sum(axis=1) - common
        return common / np.maximum(union, 1)


class PreferentialAttachment(LinkModel):
    r"""Product of the degrees: :math:`d_i d_j`."""

    id = "pa"
    title = "Preferential attachment"
    reference = "Barabási and Albert, Emergence of scaling in random networks, Science 286, 1999."

    def describe(self, observed: Graph) -> str:
        """Nothing is approximated."""
        return "exact"

    def prepare(self, observed: Graph) -> Scorer:
        """Reads the degrees."""
        self.check(observed)
        return FormulaScorer(observed, partial(_products, observed.degree))


def _products(degree: IntArray, pairs: Pairs) -> Scores:
    return degree[pairs].astype(np.float64).prod(axis=1)
