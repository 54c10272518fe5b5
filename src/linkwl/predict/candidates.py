"""The queries that are ranked to find missing links or facts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from linkwl.graph import Graph, Observed
from linkwl.models import Scorer
from linkwl.predict.close_pairs import ClosePairs
from linkwl.sparse.hops import are_joined, pairs_within
from linkwl.typing import IntArray, Pairs, Queries, Scores

BLOCK = 1 << 18
"""Approximate number of queries per block."""
SAMPLE = 1000
NODES_PER_PART = 4096
NODES_PER_SAMPLE = 32


class Part(NamedTuple):
    """A part of the candidates, a range of the work."""

    start: int
    stop: int

    def __str__(self) -> str:
        return f"candidates {self.start} to {self.stop}"


class Scored(NamedTuple):
    """A block of candidates with their scores."""

    scores: Scores
    """One per place of the block; minus infinity for a place without a candidate."""
    queries: Callable[[IntArray], Queries]
    """The queries at some places."""
    num_left_out: int = 0
    """Number of candidates that were left out on purpose, such as second values of functional relations."""


class Candidates(ABC):
    """Distinct queries that are not observed.

    They are divided into parts that different processes can work on; a part yields its queries a block at a time, in
    bounded memory.
    """

    total: int
    """The total work, in the unit of :class:`Part`."""
    step: int
    """The work of one part."""
    num_queries: int | None = None
    """The number of queries, about, if it is known before they are listed."""
    most: int | None = None
    """Number of queries after which further parts are skipped; None for no limit."""

    def parts(self) -> list[Part]:
        """The parts, in order."""
        return [Part(start, min(start + self.step, self.total)) for start in range(0, self.total, self.step)]

    @abstractmethod
    def scored(self, scorer: Scorer, part: Part) -> Iterator[Scored]:
        """The queries of a part with their scores, a block at a time."""


class PairCandidates(Candidates):
    """Candidates of a graph of pairs, in ascending order, without (v, v)."""

    def scored(self, scorer: Scorer, part: Part) -> Iterator[Scored]:
        """Each block in one call of the scorer."""
        for queries in self.blocks(part):
            yield Scored(scorer(queries), queries.__getitem__)

    @abstractmethod
    def blocks(self, part: Part) -> Iterator[Pairs]:
        """The queries of a part, a block at a time."""


class AllPairs(PairCandidates):
    """Every pair that is not an edge."""

    def __init__(self, graph: Observed) -> None:
        self._graph = graph
        self.total, self.step = graph.num_absent, BLOCK
        self.num_queries = self.total

    def blocks(self, part: Part) -> Iterator[Pairs]:
        """One block."""
        yield self._graph.absent(np.arange(part.start, part.stop))


class OneNode(PairCandidates):
    """Every pair of one node that is not an edge; the node comes first, or in a bipartite graph the left one.

    In a directed graph, the pairs that it would be the target of come after those that it would be the source of.
    """

    def __init__(self, graph: Graph, node: int) -> None:
        self._pairs = _links_of(graph, node)
        self.total, self.step = len(self._pairs), BLOCK

    def blocks(self, part: Part) -> Iterator[Pairs]:
        """One block."""
        yield self._pairs[part.start : part.stop]


class SomeNodes(PairCandidates):
    """Every pair of at least one of some nodes that is not an edge, node by node; see :class:`OneNode`.

    Args:
        graph: The graph.
        nodes: Distinct nodes.
    """

    def __init__(self, graph: Graph, nodes: IntArray) -> None:
        self._graph, self._nodes = graph, nodes
        self._place = np.full(graph.num_nodes, len(nodes))
        self._place[nodes] = np.arange(len(nodes))
        self.total, self.step = len(nodes), max(1, BLOCK // max(graph.num_nodes, 1))

    def blocks(self, part: Part) -> Iterator[Pairs]:
        """The pairs of some nodes, except those with an earlier node."""
        links = [_links_of(self._graph, int(node)) for node in self._nodes[part.start : part.stop]]
        pairs = [found[self._place[found].min(axis=1) == part.start + k] for k, found in enumerate(links)]
        yield np.concatenate(pairs)


def _links_of(graph: Graph, node: int) -> Pairs:
    """The links that a node could have and does not have, in both directions or from left to right."""
    pairs = _pairs_of(graph, node)
    if graph.is_directed:
        return np.concatenate([pairs, _pairs_of(graph.reversed, node)[:, ::-1]])
    return pairs[:, ::-1] if graph.part is not None and graph.part[node] else pairs


def _pairs_of(graph: Graph, node: int) -> Pairs:
    """A node with every other one that could be its neighbour and is not."""
    is_other = np.ones(graph.num_nodes, dtype=np.bool_)
    is_other[graph.neighbours(node)] = False
    is_other[node] = False
    if graph.part is not None:
        is_other &= graph.part != graph.part[node]
    others = np.flatnonzero(is_other)
    return np.stack([np.full_like(others, node), others], axis=1)


class WithinHops(PairCandidates):
    """Every pair that is not an edge and is joined by a path of at most ``hops`` edges or, on a map, close.

    Pairs are close if one end is among the nearest of the other.

    The directions of the edges on a path do not matter. In a directed graph, both orders of a pair are candidates, and
    so is the reverse of an edge. In a bipartite graph only pairs across the sides are candidates.

    Args:
        graph: The graph.
        hops: Maximum number of edges.
        most: Number of pairs to stop at; then the pairs of some random nodes are given, and they do not ascend.
        seed: Seed of these nodes.
    """

    def __init__(self, graph: Graph, hops: int, *, most: int | None = None, seed: int = 0) -> None:
        if hops < 2:
            raise ValueError(f"`hops` must be at least 2, got {hops}.")
        self._graph, self._hops, self.most = graph, hops, most
        self._nodes: IntArray = np.arange(graph.num_nodes)
        self.total, self.step = graph.num_nodes, NODES_PER_PART
        self._close = ClosePairs(graph, hops)
        if most is not None:
            self._nodes = np.random.default_rng(seed).permutation(graph.num_nodes)
            self.step = NODES_PER_SAMPLE

    def share_of_links(self, seed: int = 0) -> float:
        """The share of the graph's own links, or of a thousand of them, that would be candidates if missing."""
        edges = self._graph.edges
        chosen = edges[np.random.default_rng(seed).permutation(len(edges))[:SAMPLE]]
        links = self._graph.links
        is_candidate = are_joined(links.rowptr, links.col, chosen, self._hops)
        if self._graph.is_directed:
            is_candidate |= self._graph.has_edges(chosen[:, ::-1])
        return float((is_candidate | self._close.contains(chosen)).mean())

    def blocks(self, part: Part) -> Iterator[Pairs]:
        """The pairs of some nodes, a block at a time."""
        done = part.start
        while done < part.stop:
            nodes = self._nodes[done : part.stop]
            links, is_directed = self._graph.links, self._graph.is_directed
            pairs, taken = pairs_within(links.rowptr, links.col, nodes, self._hops, BLOCK, with_edges=is_directed)
            pairs = np.concatenate([pairs, self._close.of(nodes[:taken])])
            done += taken
            if (part_of := self._graph.part) is not None:
                pairs = pairs[part_of[pairs[:, 0]] != part_of[pairs[:, 1]]]
            if is_directed:
                pairs = np.concatenate([pairs, pairs[:, ::-1]])
                pairs = pairs[~self._graph.has_edges(pairs)]
            for start in range(0, len(pairs), BLOCK):
                yield pairs[start : start + BLOCK]
