"""The result of a test on a graph: the stable colours of its nodes, pairs or links."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwl.graph import Graph
from linkwl.memory import check_memory
from linkwl.typing import IntArray, Pairs
from linkwl.wl.case import Link


@dataclass(frozen=True, eq=False)
class Colouring(ABC):
    """The stable colours of one graph under one test.

    Colours are integers. They are comparable across graphs that were refined together.
    """

    test: str
    unit: str
    """What was coloured: ``node``, ``pair`` (ordered, including (v, v)) or ``link`` (ordered, two different ends)."""
    graph: Graph
    labels: IntArray
    """The node labels as integers."""
    history: tuple[int, ...]
    """Number of classes in this graph in each round; round 0 has the initial colours.

    It may stay constant before the end: other graphs refined together, or nodes in the runs of links, may still split.
    """
    error_bound: float
    """Probability that the colours are too coarse; they are never too fine. 0 for the exact engine."""

    @property
    def rounds(self) -> int:
        """The round in which the colours became stable, in all graphs refined together."""
        return len(self.history) - 1

    @property
    def num_classes(self) -> int:
        """Number of classes of the stable colouring."""
        return self.history[-1]

    @property
    @abstractmethod
    def nodes(self) -> IntArray:
        """The colour of every node."""

    @abstractmethod
    def pairs(self, pairs: Pairs | Sequence[Link]) -> IntArray:
        """The colours of ordered pairs of node indices, one number per pair."""

    @property
    @abstractmethod
    def class_sizes(self) -> IntArray:
        """How many nodes, pairs or links each class of this graph holds, largest first."""

    def __repr__(self) -> str:
        classes = f"{self.num_classes} class{'es' if self.num_classes != 1 else ''} of {self.unit}s"
        rounds = f"{self.rounds} round{'s' if self.rounds != 1 else ''}"
        return f"{type(self).__name__}({self.test!r}, {self.graph.name!r}, {classes} after {rounds})"


@dataclass(frozen=True, eq=False, repr=False)
class NodeColouring(Colouring):
    """Colours of nodes; the colour of a pair is computed from those of its ends, so there is no n x n array."""

    colours: IntArray
    num_colours: int
    """Number of colours in all graphs refined together."""

    @property
    def nodes(self) -> IntArray:
        """The colour of every node."""
        return self.colours

    def pairs(self, pairs: Pairs | Sequence[Link]) -> IntArray:
        """The colours of both ends as one number; a pair test adds whether the pair is an edge or one node twice."""
        pairs = self.graph.check_pairs(np.asarray(pairs))
        p, q = pairs.T
        ends = self.colours[p] * self.num_colours + self.colours[q]
        if self.unit == "node":
            return ends
        kind = np.where(p == q, 2, self.graph.has_edges(pairs))
        return kind * self.num_colours**2 + ends

    @cached_property
    def class_sizes(self) -> IntArray:
        """Sizes, largest first; a pair test may have as many classes as there are pairs."""
        if self.unit == "pair":
            remedy = "use `num_classes`, which counts them without a list"
            check_memory(24.0 * self.num_classes, f"a list of {self.num_classes} class sizes", remedy)
            return np.sort(pair_class_sizes(self.graph, self.colours))[::-1]
        sizes = np.bincount(self.colours)
        return np.sort(sizes[sizes > 0])[::-1]


@dataclass(frozen=True, eq=False, repr=False)
class PairColouring(Colouring):
    """Colours of pairs, or of links, in an n x n array; for links the diagonal is -1."""

    matrix: IntArray
    """The colour of (p, q) in row p and column q."""

    @property
    def nodes(self) -> IntArray:
        """The colours of the pairs (v, v)."""
        if self.unit == "link":
            raise ValueError(f"{self.test} colours the nodes afresh for every link; use `pairs` instead.")
        return np.diagonal(self.matrix)

    def pairs(self, pairs: Pairs | Sequence[Link]) -> IntArray:
        """The colours in the array."""
        p, q = self.graph.check_pairs(np.asarray(pairs)).T
        if self.unit == "link" and (p == q).any():
            raise ValueError(f"{self.test} colours only links, which have two different ends.")
        return self.matrix[p, q]

    @cached_property
    def class_sizes(self) -> IntArray:
        """Sizes, largest first."""
        _, sizes = np.unique(self.matrix[self.matrix >= 0], return_counts=True)
        return np.sort(sizes)[::-1]


def pair_class_sizes(graph: Graph, colours: IntArray) -> IntArray:
    """Sizes of the classes of pairs by (colour of p, colour of q, edge or not, same node or not), unordered."""
    _, colours = np.unique(colours, return_inverse=True)
    sizes = np.bincount(colours)
    edges, counts = _edge_classes(graph, colours, len(sizes))
    apart = np.multiply.outer(sizes, sizes)
    apart[np.diag_indices(len(sizes))] -= sizes
    apart.reshape(-1)[edges] -= counts
    return np.concatenate([sizes, counts, apart[apart > 0]])


def count_pair_classes(graph: Graph, colours: IntArray) -> int:
    """How many classes :func:`pair_class_sizes` has, without listing them."""
    _, colours = np.unique(colours, return_inverse=True)
    sizes = np.bincount(colours)
    edges, counts = _edge_classes(graph, colours, len(sizes))
    first, second = np.divmod(edges, max(len(sizes), 1))
    room = sizes[first] * sizes[second] - np.where(first == second, sizes[first], 0)
    apart = len(sizes) ** 2 - np.count_nonzero(sizes == 1) - np.count_nonzero(counts == room)
    return len(sizes) + len(edges) + int(apart)


def _edge_classes(graph: Graph, colours: IntArray, num_colours: int) -> tuple[IntArray, IntArray]:
    """The colour pairs of the edges, one number each, and the number of edges (in both directions) with each."""
    codes = np.repeat(colours, graph.degree) * num_colours + colours[graph.col]
    return np.unique(codes, return_counts=True)
