"""A graph without some of the evidence about a pair."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from linkwl.graph import Graph
from linkwl.graph.attributes import Attributes
from linkwl.graph.features import Features
from linkwl.graph.pair_numbers import PairNumbers
from linkwl.graph.positions import Positions
from linkwl.predict.groups import Group
from linkwl.typing import FloatArray, IntArray, Pairs

_SAMPLE = 501
"""Number of pairs of nodes among which a typical one is found."""


class Variants:
    """The graph with some groups of evidence present, and the others removed.

    Edges are removed. What is known about the two nodes cannot be removed without showing a model something that it has
    never seen, so they take the features, or the places, of two typical nodes: two that are as different, or as far
    apart, as the median of random pairs.

    Args:
        graph: The graph with all evidence.
        pair: The two nodes.
        groups: The groups.
    """

    def __init__(self, graph: Graph, pair: tuple[int, int], groups: Sequence[Group]) -> None:
        self._pair, self._groups = pair, groups
        # Each is built once, so that the nearest nodes of all places are found once.
        self._bases: dict[tuple[bool, bool], Graph] = {(True, True): graph}

    def __call__(self, present: Collection[int]) -> Graph:
        """The graph with these groups."""
        absent = [group for number, group in enumerate(self._groups) if number not in present]
        kinds = {group.kind for group in absent}
        graph = self._base("features" not in kinds, "places" not in kinds)
        edges = sorted({edge for group in absent for edge in group.edges})
        return graph.cut(np.array(edges, dtype=np.int32)) if edges else graph

    def _base(self, has_features: bool, has_places: bool) -> Graph:
        key = (has_features, has_places)
        if key not in self._bases:
            if has_features:
                self._bases[key] = with_typical_places(self._bases[True, True], self._pair)
            elif has_places:
                self._bases[key] = with_typical_features(self._bases[True, True], self._pair)
            else:
                graph, places = self._base(False, True), self._base(True, False).attributes
                assert graph.attributes is not None and places is not None
                attributes = replace(graph.attributes, positions=places.positions)
                self._bases[key] = replace(graph, attributes=attributes)
        return self._bases[key]


def with_typical_features(graph: Graph, pair: tuple[int, int]) -> Graph:
    """The graph whose two nodes have the features of two typical nodes, and no numbers of their pair."""
    known, features = graph.attributes, graph.features
    place = np.arange(graph.num_nodes)
    if features is not None:
        differences = partial(_differences, features)
        place[list(pair)] = _typical_pair(np.arange(graph.num_nodes), differences)
    if known is None:
        return graph.with_features(None if features is None else features[place])
    numbers = tuple(replace(column, values=column.values[place]) for column in known.numbers)
    categories = tuple(replace(column, codes=column.codes[place]) for column in known.categories)
    pairs = known.pairs
    if pairs is not None:
        is_other = ~np.isin(pairs.pairs, pair).all(axis=1)
        pairs = PairNumbers(pairs.names, pairs.pairs[is_other], pairs.values[is_other])
    changed = graph if features is None else graph.with_features(features[place])
    return changed.with_attributes(Attributes(numbers, categories, known.positions, pairs))


def with_typical_places(graph: Graph, pair: tuple[int, int]) -> Graph:
    """The graph whose two nodes are at the places of two typical nodes."""
    known = graph.attributes
    assert known is not None and known.positions is not None
    places = known.positions
    place = np.arange(graph.num_nodes)
    place[list(pair)] = _typical_pair(np.flatnonzero(places.is_known), places.distances)
    moved = Positions(places.coordinates[place], places.metric)
    return replace(graph, attributes=replace(known, positions=moved))


def _typical_pair(nodes: IntArray, distances: Callable[[Pairs], FloatArray]) -> IntArray:
    """Two of these nodes whose distance is the median of random pairs."""
    drawn = np.random.default_rng(0).choice(nodes, (_SAMPLE, 2))
    drawn = drawn[drawn[:, 0] != drawn[:, 1]]
    if not len(drawn):
        return np.resize(nodes, 2)
    order = np.argsort(distances(drawn), kind="stable")
    found: IntArray = drawn[order[len(order) // 2]]
    return found


def _differences(features: Features, pairs: Pairs) -> FloatArray:
    """How different the features of each pair are: one minus the cosine of sparse rows, the distance of dense ones."""
    if isinstance(features, np.ndarray):
        spread = features.std(axis=0)
        gaps = (features[pairs[:, 0]] - features[pairs[:, 1]]) / np.where(spread > 0, spread, 1.0)
        return np.asarray(np.linalg.norm(gaps, axis=1))
    first, second = features[pairs[:, 0]], features[pairs[:, 1]]
    norms = [np.sqrt(_row_sums(rows.multiply(rows))) for rows in (first, second)]
    return 1.0 - _row_sums(first.multiply(second)) / np.maximum(norms[0] * norms[1], 1e-12)


def _row_sums(rows: Any) -> FloatArray:
    return np.asarray(rows.sum(axis=1), dtype=np.float64)
