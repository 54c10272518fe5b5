"""What attributes of nodes and pairs say about pairs, as one table; nothing in it is learned."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.graph.attributes import Attributes, CategoryColumn
from linkwl.models.near_pairs import sample_near_pairs
from linkwl.sparse.pair_places import pair_places
from linkwl.typing import FloatArray, Pairs

_PLACES = ("distance", "between", "closer", "rank_min", "rank_max", "turn_min", "turn_max", "longer_min", "longer_max")
_SHORTEST = 1e-6
"""Distances are at least this part of the typical distance of the nearest node: some nodes are at the same place."""
_SAMPLE = 4096
"""Number of edges in a sample."""
_PRIOR = 1.0
"""Number of edges between two categories that are imagined, at the rate of the whole graph."""


def evidence_names(attributes: Attributes | None, *, is_directed: bool = False) -> tuple[str, ...]:
    """The names of the columns of :class:`PairEvidence`; none without attributes."""
    if attributes is None:
        return ()
    names: list[str] = []
    for column in attributes.compared:
        kinds = ("gap", "sum", "known", *["rise"] * is_directed)
        names += [f"{column.name}.{kind}" for kind in kinds]
    names += [f"{c.name}.{kind}" for c in attributes.categories for kind in ("same", "rate", "known")]
    if attributes.positions is not None:
        names += [f"place.{kind}" for kind in (*_PLACES, "known")]
    if attributes.pairs is not None:
        names += [f"pair.{name}" for name in (*attributes.pairs.names, "known")]
    return tuple(names)


class PairEvidence:
    r"""A table of what the attributes of a graph say about pairs; reads the graph once, then answers from any thread.

    - *Numbers* z, in deviations from the mean: :math:`|z_p - z_q|` and :math:`z_p + z_q`; in a directed graph also
      :math:`z_q - z_p`.
    - *Categories*: whether they are the same, and the logarithm of the rate at which the observed edges join the two
      categories, over the rate at which they join any nodes.
    - *Places*: the logarithm of the distance; how many nodes lie between; the rank of each end among the nearest of the
      other; how close the direction is to that of an edge of the end; the distance over the mean length of the end's
      edges. See :func:`linkwl.sparse.pair_places.pair_places`.
    - *Pairs*: the numbers given for the pair; in an undirected graph those of the other order, if it is not listed.

    Each has a column that says whether the values are known; the others are 0 where they are not. In an undirected
    graph (p, q) and (q, p) have the same row. The rates and the edges at the ends come from the edges of the graph
    alone, so an edge that is hidden from it leaves no trace.

    Args:
        graph: A graph with attributes.
    """

    def __init__(self, graph: Graph) -> None:
        assert graph.attributes is not None
        self._attributes, self._is_directed = graph.attributes, graph.is_directed
        self.names = evidence_names(graph.attributes, is_directed=graph.is_directed)
        self._links = graph.links
        self._scaled = [column.scaled for column in self._attributes.compared]
        self._rates = [category_rates(graph, column) for column in self._attributes.categories]
        places = self._attributes.positions
        self._unit = 0.0
        if places is not None:
            nearest = places.nearest.distance[:, 0]
            typical = np.median(nearest[np.isfinite(nearest)]) if np.isfinite(nearest).any() else 0.0
            self._unit = _SHORTEST * (float(typical) or 1.0)

    def __call__(self, pairs: Pairs) -> FloatArray:
        """The table, float64, shape ``(num_pairs, len(names))``."""
        parts = (self._numbers, self._categories, self._places, self._listed)
        columns = [column for part in parts for column in part(pairs)]
        return np.stack(columns, axis=1) if columns else np.empty((len(pairs), 0))

    def _numbers(self, pairs: Pairs) -> Iterator[FloatArray]:
        for values in self._scaled:
            p, q = values[pairs].T
            is_known = ~np.isnan(p + q)
            yield np.where(is_known, np.abs(p - q), 0.0)
            yield np.where(is_known, p + q, 0.0)
            yield is_known.astype(np.float64)
            if self._is_directed:
                yield np.where(is_known, q - p, 0.0)

    def _categories(self, pairs: Pairs) -> Iterator[FloatArray]:
        for column, rates in zip(self._attributes.categories, self._rates, strict=True):
            p, q = column.codes[pairs].T
            is_known = (p >= 0) & (q >= 0)
            common = column.common_codes[pairs]
            yield (is_known & (p == q)).astype(np.float64)
            yield np.where(is_known, rates[common[:, 0], common[:, 1]], 0.0)
            yield is_known.astype(np.float64)

    def _places(self, pairs: Pairs) -> Iterator[FloatArray]:
        places = self._attributes.positions
        if places is None:
            return
        is_known, links = np.logical_and(*places.is_known[pairs].T), self._links
        known = np.ascontiguousarray(pairs[is_known])
        table = pair_places(places.points, *places.nearest, links.rowptr, links.col, known)
        distance, between, closer, *ends = table.T
        rank, turn, length = (np.stack(ends[k : k + 2], axis=1) for k in (0, 2, 4))
        log_distance = np.log(places.along_surface(distance) + self._unit)
        longer = log_distance[:, None] - np.log(places.along_surface(length) + self._unit)
        longer[length == 0] = 0.0  # no edge to compare with
        values = [log_distance, np.log1p(between), np.log1p(closer)]
        for both in (np.log(rank), turn, longer):
            values += list(both.T if self._is_directed else np.sort(both, axis=1).T)
        for value in values:
            out = np.zeros(len(pairs))
            out[is_known] = value
            yield out
        yield is_known.astype(np.float64)

    def _listed(self, pairs: Pairs) -> Iterator[FloatArray]:
        table = self._attributes.pairs
        if table is None:
            return
        pairs = pairs if self._is_directed else np.sort(pairs, axis=1)
        values, is_known = table.at(pairs)
        if not self._is_directed:  # the table may have been made for directed pairs
            turned, is_turned = table.at(pairs[:, ::-1])
            values = np.where(is_known[:, None], values, turned)
            is_known = is_known | is_turned
        yield from (values[:, k] for k in range(values.shape[1]))
        yield is_known.astype(np.float64)


def category_rates(graph: Graph, column: CategoryColumn) -> FloatArray:
    r"""The logarithm of the rate at which edges join two categories, over the rate of the whole graph.

    .. math::
        R_{ab} = \log \frac{m_{ab} + 1}{M_{ab}\,m / M + 1}

    where :math:`m_{ab}` of :math:`M_{ab}` pairs are edges, and :math:`m` of :math:`M` pairs of the whole graph. The
    last row and column are for rare and missing values. Symmetric in an undirected graph.
    """
    codes = column.common_codes
    size = column.num_distinguished + 1
    edges = codes[graph.edges]
    joined = np.bincount(edges[:, 0] * size + edges[:, 1], minlength=size * size).reshape(size, size).astype(np.float64)
    count = np.bincount(codes, minlength=size).astype(np.float64)
    possible = np.outer(count, count) - np.diag(count)
    if graph.part is not None:  # only pairs across the sides can be edges
        left = np.bincount(codes[graph.part == 0], minlength=size).astype(np.float64)
        possible = np.outer(left, count - left) + np.outer(count - left, left)
    if not graph.is_directed:
        joined = joined + joined.T
    expected = possible * (joined.sum() / max(possible.sum(), 1.0))
    return np.log((joined + _PRIOR) / (expected + _PRIOR))


def sample_evidence(observed: Graph, seed: int) -> FloatArray:
    """The evidence about some edges, hidden from the graph, about near pairs, and about as many others."""
    generator = np.random.default_rng(seed)
    edges = observed.edges[generator.permutation(observed.num_edges)[:_SAMPLE]]
    hidden = observed.without(edges)
    near = sample_near_pairs(hidden.links, observed.links, len(edges), generator).pairs
    others = generator.integers(observed.num_nodes, size=(len(edges), 2))
    others = others[others[:, 0] != others[:, 1]]
    return PairEvidence(hidden)(np.concatenate([edges, near, others]))


def check_evidence(model: str, num_columns: int, observed: Graph) -> None:
    """Raises InputError if the attributes of a graph do not give as many columns as a model was trained with."""
    found = len(evidence_names(observed.attributes, is_directed=observed.is_directed))
    if found != num_columns:
        raise InputError(
            f"{model} was trained with attributes of nodes or pairs that give {num_columns} columns, and "
            f"{observed.name} has {found or 'none'}; give it the same with --features and --pair-features."
        )
