"""Which pairs are asked about when missing links are ranked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.sparse.hops import are_joined, pairs_within
from linkwl.typing import Pairs

BLOCK = 1 << 18
"""Pairs at a time, about."""
_SAMPLE = 1000


class Block(NamedTuple):
    """Some candidates, and how far one has come: parts done, of all of them."""

    pairs: Pairs
    done: int


class Candidates(ABC):
    """Non-edges of a graph in ascending order, a block at a time; no pair twice, never (v, v)."""

    total: int
    """Parts of the work, for progress."""

    @abstractmethod
    def __iter__(self) -> Iterator[Block]: ...


class AllPairs(Candidates):
    """Every pair that is no edge."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.total = graph.num_non_edges

    def __iter__(self) -> Iterator[Block]:
        for start in range(0, self.total, BLOCK):
            stop = min(start + BLOCK, self.total)
            yield Block(self._graph.non_edges(np.arange(start, stop)), stop)


class OneNode(Candidates):
    """Every pair of one node that is no edge; the node comes first."""

    def __init__(self, graph: Graph, node: int) -> None:
        is_other = np.ones(graph.num_nodes, dtype=np.bool_)
        is_other[graph.neighbours(node)] = False
        is_other[node] = False
        self._node, self._others = node, np.flatnonzero(is_other)
        self.total = len(self._others)

    def __iter__(self) -> Iterator[Block]:
        for start in range(0, self.total, BLOCK):
            others = self._others[start : start + BLOCK]
            yield Block(np.stack([np.full_like(others, self._node), others], axis=1), start + len(others))


class WithinHops(Candidates):
    """Every pair that is no edge and that at most so many edges join.

    Args:
        graph: The graph.
        hops: The most edges.
        most: If so many pairs are enough: those of some nodes, drawn at random, are given. They do not ascend then.
        seed: Of the draw.
    """

    def __init__(self, graph: Graph, hops: int, *, most: int | None = None, seed: int = 0) -> None:
        if hops < 2:
            raise ValueError(f"`hops` must be at least 2, got {hops}.")
        self._graph, self._hops, self._most = graph, hops, most
        self._nodes = np.arange(graph.num_nodes)
        if most is not None:
            self._nodes = np.random.default_rng(seed).permutation(graph.num_nodes)
        self.total = graph.num_nodes

    def share_of_links(self, seed: int = 0) -> float:
        """The share of the graph's own links, or of a thousand of them, that would be candidates if missing."""
        edges = self._graph.edges
        chosen = np.random.default_rng(seed).permutation(len(edges))[:_SAMPLE]
        return float(are_joined(self._graph.rowptr, self._graph.col, edges[chosen], self._hops).mean())

    def __iter__(self) -> Iterator[Block]:
        graph, done, count = self._graph, 0, 0
        while done < self.total and (self._most is None or count < self._most):
            pairs, taken = pairs_within(graph.rowptr, graph.col, self._nodes[done:], self._hops, BLOCK)
            done, count = done + taken, count + len(pairs)
            for start in range(0, len(pairs), BLOCK):
                yield Block(pairs[start : start + BLOCK], done)
        yield Block(np.empty((0, 2), dtype=np.int32), self.total)


def find_candidates(graph: Graph, text: str) -> Candidates:
    """The candidates that a text names: ``all``, or ``hops:3`` for pairs that at most three edges join.

    Raises:
        InputError: If it names none.
    """
    if text == "all":
        return AllPairs(graph)
    kind, _, number = text.partition(":")
    if kind == "hops" and number.isdecimal() and 2 <= int(number) <= 99:
        return WithinHops(graph, int(number))
    raise InputError(f"unknown candidates {text!r}; use 'all', or 'hops:3' for pairs that at most three edges join.")
