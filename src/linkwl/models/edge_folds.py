"""Training pairs whose edges are hidden from the graph that scores them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from linkwl.graph import Graph
from linkwl.graph.among import among_nodes
from linkwl.models.near_pairs import num_listings, num_nearest, positions_of, sample_near_pairs, sample_nearest
from linkwl.models.time_windows import TimeWindows
from linkwl.protocols import TrainingData
from linkwl.splits import sample_negatives
from linkwl.typing import FloatArray, Pairs


class EdgeFold(NamedTuple):
    """Some train edges and non-edges, and the graph to score them on."""

    observed: Graph
    """The train graph without the edges of this fold."""
    links: Pairs
    others: Pairs
    """Pairs that are neither train edges nor held-out targets."""
    close: Pairs = np.empty((0, 2), dtype=np.int32)
    """More such pairs, close on a map, if nodes have places: uniform pairs are far apart, and hardly compete."""
    excess: float = 0.0
    """How many times more often a pair is drawn for each of its ends that has the other among its nearest."""

    @property
    def pairs(self) -> Pairs:
        """The edges, then the other pairs."""
        return np.concatenate([self.links, self.others, self.close])

    @property
    def labels(self) -> FloatArray:
        """1 for the edges and 0 for the other pairs."""
        return np.repeat([1.0, 0.0], [len(self.links), len(self.others) + len(self.close)])

    @property
    def shift(self) -> FloatArray:
        """What drawing close pairs more often adds to the log-odds of each pair."""
        return -np.log1p(self.excess * num_listings(self.observed, self.pairs))


class LabelledRows(NamedTuple):
    """The rows of all folds."""

    rows: FloatArray
    labels: FloatArray
    shift: FloatArray | None
    """What the choice of pairs adds to the log-odds of each row; None if pairs were not chosen by their places."""
    offset: float
    """What turns log-odds among the rows, without the shift, into log-odds among as many links as non-links."""


def edge_folds(
    data: TrainingData,
    generator: np.random.Generator,
    *,
    folds: int,
    negatives: float,
    near_share: float = 0.0,
    max_edges: int | None = None,
) -> Iterator[EdgeFold]:
    """Divides the train edges into folds, each with non-edges and with the graph from which it has been removed.

    If the future is to be predicted, the folds are windows of time, each on the graph before it; the edges before all
    windows are in none.

    Args:
        data: The train fold, and the pairs that negatives must avoid.
        generator: Draws the folds and the negatives.
        folds: Number of folds; each hides this part of the edges.
        negatives: Number of non-edges for each edge.
        near_share: The share of the negatives that have a common neighbour, where there are enough; the others are
            uniform. If nodes have places, there are as many again that are close.
        max_edges: Stop after about this many edges; by default, every edge is in one fold.
    """
    observed, positives, reserved = data.train.observed, data.train.positives, data.reserved
    assert isinstance(observed, Graph)
    assert isinstance(reserved, Graph)
    if data.is_in_time:
        yield from _time_folds(data, generator, folds, negatives, near_share, max_edges)
        return
    wanted = len(positives) if max_edges is None else min(max_edges, len(positives))
    order = generator.permutation(len(positives))
    for part in np.array_split(order, min(folds, len(order))) if len(order) else []:
        if wanted <= 0:
            return
        hidden = observed.without(positives[part])
        links = positives[part[:wanted]]
        wanted -= len(links)
        others = _others(data, hidden, reserved, round(negatives * len(links)), near_share, generator)
        yield _with_close(hidden, reserved, links, others, generator)


def _time_folds(
    data: TrainingData,
    generator: np.random.Generator,
    folds: int,
    negatives: float,
    near_share: float,
    max_edges: int | None,
) -> Iterator[EdgeFold]:
    """Windows of time, the latest first."""
    observed, reserved = data.train.observed, data.reserved
    assert isinstance(observed, Graph)
    assert isinstance(reserved, Graph)
    wanted = observed.num_edges if max_edges is None else max_edges
    for before, chosen in TimeWindows.divided(observed, folds):
        links = observed.edges[generator.permutation(chosen)[:wanted]]
        wanted -= len(links)
        if len(links) == 0:
            return
        known = among_nodes(reserved, np.unique(before.edges))
        others = _others(data, before, known, round(negatives * len(links)), near_share, generator)
        yield _with_close(before, reserved, links, others, generator)


def _with_close(
    hidden: Graph, reserved: Graph, links: Pairs, others: Pairs, generator: np.random.Generator
) -> EdgeFold:
    """The fold; if nodes have places, with as many pairs that are close on the map as it has other ones."""
    places = positions_of(hidden)
    if places is None:
        return EdgeFold(hidden, links, others)
    close = sample_nearest(hidden, reserved, len(others), generator)
    return EdgeFold(hidden, links, others, close, reserved.num_absent / max(num_nearest(places), 1))


def labelled_rows(
    folds: Iterable[EdgeFold], table: Callable[[Graph, Pairs], FloatArray], num_columns: int
) -> LabelledRows:
    """The rows and labels of all folds, the pairs of each read on its own graph.

    Args:
        folds: The folds, maybe none.
        table: Gives every pair about a graph a row.
        num_columns: The width of a row.
    """
    done = [(table(fold.observed, fold.pairs), fold.labels, fold.shift, fold) for fold in folds]
    if not done:
        return LabelledRows(np.empty((0, num_columns)), np.empty(0), None, balancing_offset(np.empty(0)))
    rows, labels, shift = (np.concatenate([part[k] for part in done]) for k in range(3))
    has_places = any(len(fold.close) for *_, fold in done)
    by_chance = np.concatenate([fold.labels[: len(fold.labels) - len(fold.close)] for *_, fold in done])
    return LabelledRows(rows, labels, shift if has_places else None, balancing_offset(by_chance))


def balancing_offset(labels: FloatArray) -> float:
    """What turns log-odds among these labels into log-odds among as many links as non-links."""
    num_links = labels.sum()
    return float(np.log(max(len(labels) - num_links, 1) / max(num_links, 1)))


def _others(
    data: TrainingData, hidden: Graph, reserved: Graph, count: int, near_share: float, generator: np.random.Generator
) -> Pairs:
    """Non-edges, rejected ones among them, and some with a common neighbour in the graph without the fold."""
    num_near = round(near_share * count)
    near = sample_near_pairs(hidden, reserved, 2 * num_near, generator).pairs[:num_near] if num_near else None
    if near is None:
        return sample_negatives(reserved, min(count, reserved.num_absent), generator, known=data.rejected)
    num_uniform = min(count - len(near), reserved.num_absent)
    uniform = sample_negatives(reserved, num_uniform, generator, known=data.rejected)
    return np.concatenate([near, uniform])
