"""Training pairs whose edges are hidden from the graph that scores them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from linkwl.graph import Graph
from linkwl.graph.among import among_nodes
from linkwl.models.near_pairs import sample_near_pairs
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

    @property
    def pairs(self) -> Pairs:
        """The edges, then the other pairs."""
        return np.concatenate([self.links, self.others])

    @property
    def labels(self) -> FloatArray:
        """1 for the edges and 0 for the other pairs."""
        return np.repeat([1.0, 0.0], [len(self.links), len(self.others)])


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
            uniform.
        max_edges: Stop after about this many edges; by default, every edge is in one fold.
    """
    observed, positives, reserved = data.train.observed, data.train.positives, data.reserved
    assert isinstance(observed, Graph)
    assert isinstance(reserved, Graph)
    if data.is_in_time:
        yield from _time_folds(observed, reserved, generator, folds, negatives, near_share, max_edges)
        return
    wanted = len(positives) if max_edges is None else min(max_edges, len(positives))
    order = generator.permutation(len(positives))
    for part in np.array_split(order, min(folds, len(order))) if len(order) else []:
        if wanted <= 0:
            return
        hidden = observed.without(positives[part])
        links = positives[part[:wanted]]
        wanted -= len(links)
        yield EdgeFold(hidden, links, _others(hidden, reserved, round(negatives * len(links)), near_share, generator))


def _time_folds(
    observed: Graph,
    reserved: Graph,
    generator: np.random.Generator,
    folds: int,
    negatives: float,
    near_share: float,
    max_edges: int | None,
) -> Iterator[EdgeFold]:
    """Windows of time, the latest first."""
    wanted = observed.num_edges if max_edges is None else max_edges
    for before, chosen in TimeWindows.divided(observed, folds):
        links = observed.edges[generator.permutation(chosen)[:wanted]]
        wanted -= len(links)
        if len(links) == 0:
            return
        known = among_nodes(reserved, np.unique(before.edges))
        yield EdgeFold(before, links, _others(before, known, round(negatives * len(links)), near_share, generator))


def labelled_rows(
    folds: Iterable[EdgeFold], table: Callable[[Graph, Pairs], FloatArray], num_columns: int
) -> tuple[FloatArray, FloatArray]:
    """The rows and labels of all folds, the pairs of each read on its own graph.

    Args:
        folds: The folds, maybe none.
        table: Gives every pair about a graph a row.
        num_columns: The width of a row.
    """
    rows: list[FloatArray] = []
    labels: list[FloatArray] = []
    for fold in folds:
        rows.append(table(fold.observed, fold.pairs))
        labels.append(fold.labels)
    if not rows:
        return np.empty((0, num_columns)), np.empty(0)
    return np.concatenate(rows), np.concatenate(labels)


def balancing_offset(labels: FloatArray) -> float:
    """What turns log-odds among these labels into log-odds among as many links as non-links."""
    num_links = labels.sum()
    return float(np.log(max(len(labels) - num_links, 1) / max(num_links, 1)))


def _others(hidden: Graph, reserved: Graph, count: int, near_share: float, generator: np.random.Generator) -> Pairs:
    """Non-edges, some of them with a common neighbour in the graph without the fold."""
    num_near = round(near_share * count)
    near = sample_near_pairs(hidden, reserved, 2 * num_near, generator).pairs[:num_near] if num_near else None
    if near is None:
        return sample_negatives(reserved, min(count, reserved.num_absent), generator)
    uniform = sample_negatives(reserved, min(count - len(near), reserved.num_absent), generator)
    return np.concatenate([near, uniform])
