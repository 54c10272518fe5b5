"""Scores from the neighbours of the two nodes."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial

import numpy as np

from linkwl.graph import Graph
from linkwl.models.base import FormulaScorer, LinkModel, Needs, Scorer
from linkwl.models.evidence import Evidence
from linkwl.models.heuristics.sides import share_of_union, similar_neighbours, three_step_paths
from linkwl.sparse import common_neighbour_sums
from linkwl.sparse.common_rows import common_neighbour_rows
from linkwl.sparse.path_weights import WeightedRows, shared_weights, two_step_weights
from linkwl.typing import FloatArray, IntArray, Pairs, Scores


class _CountedNeighbours(LinkModel):
    """A sum over the common neighbours, each with a factor by its degree.

    In a directed graph, a common neighbour of (i, j) is a node k on a path i -> k -> j. The two sides of a bipartite
    graph have no common neighbours: there, paths i - k - l - j are counted, with the product of the factors of k and l.

    If edges have weights w, each path counts by the mean of its weights and the degree of k is the sum of the weights
    at it, its strength s; weights are in units of their mean. This is the form of Lü and Zhou, 2010, divided by two. On
    validation links of four weighted graphs it did better than products of weights, the entries of a matrix product.
    """

    needs = Needs(directed=True, weights=True)

    @abstractmethod
    def _factors(self, degree: IntArray | FloatArray) -> FloatArray:
        """The factor of a common neighbour of each degree or strength; only those above 0 are used."""

    def _strength_factors(self, strength: FloatArray) -> FloatArray:
        """The factor of a common neighbour of each strength, for graphs with weights."""
        return self._factors(strength)

    def _degree(self, observed: Graph) -> IntArray:
        """The degree of a common neighbour that counts: in a directed graph, the number of edges that leave it."""
        return observed.degree

    def _strength(self, observed: Graph) -> FloatArray:
        """The strength of a common neighbour that counts, as :meth:`_degree`."""
        return observed.strength

    def describe(self, observed: Graph) -> str:
        """Nothing is approximated."""
        return "exact"

    def evidence(self, observed: Graph) -> Evidence:
        """The shared neighbours, a sum of terms; between the sides of a bipartite graph, the paths of three edges."""
        if observed.part is not None:
            return Evidence.of("paths")
        # Weights are in units of their mean, which depends on all edges.
        return Evidence.of("neighbours", is_sum=observed.weight is None)

    def prepare(self, observed: Graph) -> Scorer:
        """Computes the factor of every node."""
        self.check(observed)
        # A neighbour of an end has a positive degree, so the factor of an isolated node is never used.
        graph = observed if observed.part is None else observed.links
        degree = self._degree(graph)
        if graph.weight is not None:
            found = self._strength_factors(np.where(degree > 0, self._strength(graph), 1.0))
            return FormulaScorer(observed, partial(self._weighted_score, graph, found))
        factors = self._factors(np.maximum(np.arange(degree.max(initial=0) + 1), 1))[degree].astype(np.float64)
        rows = partial(self._row_scores, graph, factors) if graph.part is None else None
        return FormulaScorer(observed, partial(self._score, graph, factors), rows=rows)

    def _row_scores(self, observed: Graph, factors: FloatArray, sources: IntArray) -> FloatArray:
        """The scores of whole rows, of graphs without weights or sides."""
        return common_neighbour_rows(observed.rowptr, observed.col, sources, factors)

    def _score(self, observed: Graph, factors: FloatArray, pairs: Pairs) -> Scores:
        if observed.part is not None:
            return three_step_paths(observed, factors, pairs)
        arriving = observed.reversed if observed.is_directed else None
        transposed = None if arriving is None else (arriving.rowptr, arriving.col)
        sums = common_neighbour_sums(observed.rowptr, observed.col, pairs, factors[:, None], transposed=transposed)
        return sums[:, 0]

    def _weighted_score(self, observed: Graph, factors: FloatArray, pairs: Pairs) -> Scores:
        if observed.part is not None:
            return three_step_paths(observed, factors, pairs)
        return two_step_weights(*_weighted_rows(observed), pairs, factors, arriving=_arriving_rows(observed))


class CommonNeighbours(_CountedNeighbours):
    r"""Number of common neighbours: :math:`|\Gamma(i) \cap \Gamma(j)|`.

    In a directed graph, the number of directed paths of two edges from i to j. With weights,
    :math:`\sum_k (w_{ik} + w_{kj}) / 2`.
    """

    id = "cn"
    title = "Common neighbours"
    reference = "Liben-Nowell and Kleinberg, The link-prediction problem for social networks, JASIST 58(7), 2007."

    def _factors(self, degree: IntArray | FloatArray) -> FloatArray:
        return np.ones(len(degree))


class AdamicAdar(_CountedNeighbours):
    r"""Common neighbours, with more weight on low degrees: :math:`\sum_{k \in \Gamma(i) \cap \Gamma(j)} 1 / \ln d_k`.

    A neighbour of degree 1, which only the pair (i, i) can share, counts 0. In a directed graph, the sum is over paths
    i -> k -> j, and :math:`d_k` counts the edges that leave k and those that arrive. With weights,
    :math:`\sum_k (w_{ik} + w_{kj}) / 2 \ln(1 + s_k)`, as strengths may be below 1.
    """

    id = "aa"
    title = "Adamic-Adar"
    reference = "Adamic and Adar, Friends and neighbors on the Web, Social Networks 25(3), 2003."

    def _degree(self, observed: Graph) -> IntArray:
        return observed.degree + observed.reversed.degree if observed.is_directed else observed.degree

    def _strength(self, observed: Graph) -> FloatArray:
        return observed.strength + observed.reversed.strength if observed.is_directed else observed.strength

    def _strength_factors(self, strength: FloatArray) -> FloatArray:
        return 1 / np.log1p(strength)

    def _factors(self, degree: IntArray | FloatArray) -> FloatArray:
        return np.where(degree > 1, 1 / np.log(np.maximum(degree, 2)), 0.0)


class ResourceAllocation(_CountedNeighbours):
    r"""Common neighbours, each sharing out one unit: :math:`\sum_{k \in \Gamma(i) \cap \Gamma(j)} 1 / d_k`.

    In a directed graph, the sum is over paths i -> k -> j, and k shares out its unit along the :math:`d_k` edges that
    leave it. With weights, :math:`\sum_k (w_{ik} + w_{kj}) / 2 s_k`.
    """

    id = "ra"
    title = "Resource allocation"
    reference = "Zhou, Lü and Zhang, Predicting missing links via local information, Eur. Phys. J. B 71, 2009."

    def _factors(self, degree: IntArray | FloatArray) -> FloatArray:
        return 1 / degree


class Jaccard(CommonNeighbours):
    r"""Share of the neighbours that are common: :math:`|\Gamma(i) \cap \Gamma(j)| / |\Gamma(i) \cup \Gamma(j)|`.

    0 if neither node has a neighbour. In a directed graph, the out-neighbours of i are compared with the in-neighbours
    of j. In a bipartite graph, the score is the sum of the similarities between j and the neighbours of i.
    With weights, the sum of the smaller weights by that of the larger ones:
    :math:`\sum_k \min(w_{ik}, w_{kj}) / \sum_k \max(w_{ik}, w_{kj})`, a missing edge having weight 0.
    """

    id = "jaccard"
    title = "Jaccard"
    reference = "Jaccard, Étude comparative de la distribution florale, Bull. Soc. Vaudoise Sci. Nat. 37, 1901."

    def evidence(self, observed: Graph) -> Evidence:
        """The shared neighbours or the paths, and the other links of the two nodes, which make up the union."""
        return Evidence.of("neighbours" if observed.part is None else "paths", "links")

    def _score(self, observed: Graph, factors: FloatArray, pairs: Pairs) -> Scores:
        if observed.part is not None:
            return similar_neighbours(observed, pairs)
        common = super()._score(observed, factors, pairs)
        union = _end_degrees(observed, pairs).sum(axis=1) - common
        return common / np.maximum(union, 1)

    def _row_scores(self, observed: Graph, factors: FloatArray, sources: IntArray) -> FloatArray:
        common = super()._row_scores(observed, factors, sources)
        union = observed.degree[sources][:, None] + observed.reversed.degree - common
        return common / np.maximum(union, 1)

    def _weighted_score(self, observed: Graph, factors: FloatArray, pairs: Pairs) -> Scores:
        if observed.part is not None:
            return similar_neighbours(observed, pairs)
        common = shared_weights(*_weighted_rows(observed), pairs, arriving=_arriving_rows(observed))
        return share_of_union(common, _end_strengths(observed, pairs))


class PreferentialAttachment(LinkModel):
    r"""Product of the degrees: :math:`d_i d_j`; in a directed graph, the out-degree of i times the in-degree of j.

    With weights, the product of the strengths, the sums of the weights at each node.
    """

    id = "pa"
    title = "Preferential attachment"
    reference = "Barabási and Albert, Emergence of scaling in random networks, Science 286, 1999."
    needs = Needs(directed=True, weights=True)

    def describe(self, observed: Graph) -> str:
        """Nothing is approximated."""
        return "exact"

    def evidence(self, observed: Graph) -> Evidence:
        """The links of the two nodes, shared or not."""
        return Evidence.of("links")

    def prepare(self, observed: Graph) -> Scorer:
        """Reads the degrees."""
        self.check(observed)
        return FormulaScorer(observed, partial(_products, observed), rows=partial(_product_rows, observed))


def _products(observed: Graph, pairs: Pairs) -> Scores:
    return _end_strengths(observed, pairs).prod(axis=1)


def _product_rows(observed: Graph, sources: IntArray) -> FloatArray:
    return np.multiply.outer(observed.strength[sources], observed.reversed.strength)


def _end_degrees(observed: Graph, pairs: Pairs) -> IntArray:
    """The degrees of both ends; in a directed graph, out of the first and into the second."""
    return np.stack([observed.degree[pairs[:, 0]], observed.reversed.degree[pairs[:, 1]]], axis=1)


def _end_strengths(observed: Graph, pairs: Pairs) -> FloatArray:
    """The strengths of both ends, or their degrees without weights."""
    return np.stack([observed.strength[pairs[:, 0]], observed.reversed.strength[pairs[:, 1]]], axis=1)


def _weighted_rows(observed: Graph) -> WeightedRows:
    weight = observed.relative_weight
    assert weight is not None
    return observed.rowptr, observed.col, weight


def _arriving_rows(observed: Graph) -> WeightedRows | None:
    return _weighted_rows(observed.reversed) if observed.is_directed else None
