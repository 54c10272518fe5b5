"""Classical scores of pairs: what was known about link prediction before networks learned it, as one table."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy.sparse as sp

from linkwl.graph import Graph
from linkwl.memory import check_memory
from linkwl.models.edge_values import edge_values, value_channels
from linkwl.models.node_scores import NODE_SCORES, node_scores
from linkwl.models.pair_evidence import PairEvidence, evidence_names
from linkwl.models.spectral import leading_adjacency, leading_smoothing, row_products
from linkwl.nn.weighted_walks import LONGEST, WeightedWalks
from linkwl.sparse.page_rank_push import page_rank_push
from linkwl.sparse.pair_distances import pair_distances
from linkwl.sparse.short_walks import short_walks
from linkwl.typing import FloatArray, Pairs

LOCAL = (
    *("common", "adamic_adar", "resource_allocation", "jaccard", "salton", "hub_promoted", "hub_depressed", "lhn"),
    *("attachment", "paths3", "paths3_by_degree", "smooth2", "smooth3", "smooth4"),
)
GLOBAL = ("ppr_sum", "ppr_max", "ppr_min", "closeness", "low_a", "low_s", "low_s8", "spread_s")
ENDS = tuple(f"{name}_{which}" for name in NODE_SCORES for which in ("min", "max"))
SMOOTHINGS = 3
FEATURES = tuple(f"cosine{step}" for step in range(SMOOTHINGS))

MAX_DENSE_NODES = 500
"""Up to this size eigenvectors are found densely."""
_FEW = 8
_ALPHA, _EPSILON = 0.85, 1e-5
_TINY = 1e-30


def column_names(
    *, has_features: bool, evidence: tuple[str, ...] = (), values: Mapping[str, int] | None = None
) -> tuple[str, ...]:
    """The names of the columns of :class:`ClassicalScores`."""
    weighted = tuple(f"weighted{k}" for k in range(value_channels(values or {}, LONGEST)))
    return LOCAL + GLOBAL + ENDS + (FEATURES if has_features else ()) + evidence + weighted


class ClassicalScores:
    r"""A table of classical scores, one row per pair; reads the graph once, then answers from any thread.

    With :math:`c = |\Gamma(p) \cap \Gamma(q)|` and degrees d, the columns are

    - *common neighbours*: c, Adamic-Adar, resource allocation, and c by the union (Jaccard),
      :math:`\sqrt{d_p d_q}` (Salton), the smaller degree (hub promoted), the larger (hub depressed) and
      :math:`d_p d_q` (Leicht, Holme and Newman);
    - *degrees*: :math:`\log d_p d_q`;
    - *walks*: the number of walks of three edges, and the sum of :math:`1 / \sqrt{d_u d_v}` over their inner nodes;
      :math:`\log S^2, \log S^3, \log S^4` with :math:`S = D^{-1/2} A D^{-1/2}`;
    - *random walks with restart*: :math:`\log` of the sum, larger and smaller of :math:`\pi_p(q)` and :math:`\pi_q(p)`;
    - *distance* l: :math:`1 / (1 + l)`, 0 between components;
    - *low rank*: entries of A and S from their leading eigenvectors, and squared distances of those of S; see
      :func:`linkwl.models.spectral.leading_smoothing`;
    - *ends*: the smaller and the larger of each of :func:`linkwl.models.node_scores.node_scores`;
    - *features*: cosines of the rows of :math:`((I + S) / 2)^t F`, t = 0, 1, 2;
    - *attributes*: see :class:`linkwl.models.pair_evidence.PairEvidence`;
    - *weights and times*: walks by weight and by recency, and the strength and last edge of the ends; see
      :class:`linkwl.nn.weighted_walks.WeightedWalks` and :func:`linkwl.models.edge_values.edge_values`.

    The row of a pair does not depend on the other rows, nor on the order of the pair. Values are rounded to float32:
    two equal numbers whose sums were taken in different orders stay equal. No array has n x n entries.

    Args:
        graph: An undirected graph.
        rank: Number of eigenvectors of A and of S; 0 for none.
        use_features: Whether to compare the nodes' features and attributes, if there are any.
        max_dense_nodes: Largest number of nodes for a dense eigenvalue problem.
        values: Which of weights and times are read, see :func:`linkwl.models.edge_values.values_shape`.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        rank: int = 32,
        use_features: bool = True,
        max_dense_nodes: int = MAX_DENSE_NODES,
        values: Mapping[str, int] | None = None,
    ) -> None:
        has_features = use_features and graph.features is not None
        _check_memory(graph, rank, has_features)
        attributes = graph.attributes if use_features else None
        self._evidence = None if attributes is None else PairEvidence(graph)
        self.names = column_names(has_features=has_features, evidence=evidence_names(attributes), values=values)
        known = edge_values(graph, values or {})
        self._weighted = None if known is None else WeightedWalks(known, LONGEST)
        self._graph = graph
        self._ends = node_scores(graph)
        self._adjacency = leading_adjacency(graph, rank, max_dense_nodes)
        self._smoothing = leading_smoothing(graph, rank, max_dense_nodes)
        self._features = _smoothed_features(graph) if has_features else []
        degree = np.maximum(graph.degree, 1).astype(np.float64)
        adamic_adar = np.where(degree > 1, 1 / np.log(np.maximum(degree, 2)), 0.0)
        self._weights = np.stack([np.ones_like(degree), adamic_adar, degree**-0.5, 1 / degree], axis=1)

    def __call__(self, pairs: Pairs) -> FloatArray:
        """The table, float32, shape ``(num_pairs, len(names))``."""
        parts = (
            self._local,
            self._restarts,
            self._distances,
            self._low_rank,
            self._of_ends,
            self._cosines,
            self._known,
        )
        columns = [column for part in parts for column in part(pairs)]
        if self._weighted is not None:
            columns += list(self._weighted.at(pairs).T)
        out = np.empty((len(pairs), len(self.names)), dtype=np.float32)
        for place, column in enumerate(columns):
            out[:, place] = column
        return out

    def _local(self, pairs: Pairs) -> list[FloatArray]:
        graph = self._graph
        walks = short_walks(graph.rowptr, graph.col, pairs, self._weights)
        common, adamic_adar, _, resource = walks[:, 0].T
        degree = graph.degree[pairs].astype(np.float64)
        low, high = np.maximum(degree.min(axis=1), 1), np.maximum(degree.max(axis=1), 1)
        product, root = low * high, np.sqrt(low * high)
        return [
            common,
            adamic_adar,
            resource,
            common / np.maximum(degree.sum(axis=1) - common, 1),
            common / root,
            common / low,
            common / high,
            common / product,
            np.log1p(degree.prod(axis=1)),
            walks[:, 1, 0],
            walks[:, 1, 2],
            *(_log(walks[:, step, 3] / root) for step in range(3)),
        ]

    def _restarts(self, pairs: Pairs) -> list[FloatArray]:
        both = np.concatenate([pairs, pairs[:, ::-1]])
        rank = page_rank_push(self._graph.rowptr, self._graph.col, both, _ALPHA, _EPSILON).reshape(2, -1)
        return [_log(rank.sum(axis=0)), _log(rank.max(axis=0)), _log(rank.min(axis=0))]

    def _distances(self, pairs: Pairs) -> list[FloatArray]:
        distance = pair_distances(self._graph.rowptr, self._graph.col, pairs)
        return [np.where(distance < 0, 0.0, 1 / (1 + np.maximum(distance, 0)))]

    def _low_rank(self, pairs: Pairs) -> list[FloatArray]:
        matrices = (self._adjacency, self._smoothing, self._smoothing.leading(_FEW))
        products = [low_rank.products(pairs) for low_rank in matrices]
        return [_cleaned(column) for column in (*products, self._smoothing.distances(pairs))]

    def _of_ends(self, pairs: Pairs) -> list[FloatArray]:
        ends = np.sort(self._ends[pairs], axis=1)  # (num_pairs, 2, 7)
        return [ends[:, which, name] for name in range(ends.shape[2]) for which in range(2)]

    def _cosines(self, pairs: Pairs) -> list[FloatArray]:
        return [_cleaned(row_products(rows, pairs)) for rows in self._features]

    def _known(self, pairs: Pairs) -> list[FloatArray]:
        return [] if self._evidence is None else list(self._evidence(pairs).T)


def _smoothed_features(graph: Graph) -> list[FloatArray]:
    """The unit rows of ((I + S) / 2)^t F for t = 0, 1, 2."""
    assert graph.features is not None
    features = graph.features if isinstance(graph.features, np.ndarray) else graph.features.toarray()
    scale = sp.diags_array(np.maximum(graph.degree, 1).astype(np.float64) ** -0.5)
    step = (sp.eye_array(graph.num_nodes) + scale @ graph.to_scipy() @ scale) / 2
    rows = np.asarray(features, dtype=np.float64)
    smoothed: list[FloatArray] = []
    for _ in range(SMOOTHINGS):
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        smoothed.append(rows / np.where(length > 0, length, 1))
        rows = step @ rows
    return smoothed


def _log(x: FloatArray) -> FloatArray:
    return np.log(np.maximum(x, _TINY))


def _cleaned(x: FloatArray) -> FloatArray:
    """Without the rounding errors of numbers that are 0."""
    return np.where(np.abs(x) < 1e-10, 0.0, x)


def _check_memory(graph: Graph, rank: int, has_features: bool) -> None:
    n = graph.num_nodes
    vectors = 8.0 * n * (2 * rank + 1) * 4  # Lanczos vectors, and the kept ones of both matrices
    features = 8.0 * n * graph.num_features * (SMOOTHINGS + 2) if has_features else 0.0
    what = f"reading classical scores of {graph.name}"
    check_memory(vectors + features + 64.0 * len(graph.col), what, "lower 'rank' or set features=false")
