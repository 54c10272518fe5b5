"""The triples that are ranked to find missing facts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from linkwl.graph import KnowledgeGraph
from linkwl.models import Scorer
from linkwl.predict import candidates
from linkwl.predict.candidates import Candidates, Part, Scored
from linkwl.sparse.hops import are_joined, pairs_within
from linkwl.typing import IntArray, Pairs, Queries

_MOST_PARTS = 100_000


class TripleCandidates(Candidates):
    """Triples that are not facts: pairs of a head and a tail, with one relation or with all.

    Triples from a node to itself are candidates only if the graph has such facts. The relations of a pair are scored
    together, so that a model computes what they have in common once.

    Args:
        graph: The facts.
        relation: The relation; None for all.
    """

    def __init__(self, graph: KnowledgeGraph, relation: int | None = None) -> None:
        self._graph, self._relation = graph, relation
        self._width = graph.num_relations if relation is None else 1

    @property
    def _block(self) -> int:
        """Number of pairs whose triples make a block."""
        return max(1, candidates.BLOCK // max(self._width, 1))

    def _scored_pairs(self, scorer: Scorer, pairs: Pairs) -> Iterator[Scored]:
        if not self._graph.has_loops:
            pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        for start in range(0, len(pairs), self._block):
            yield self._score(scorer, np.ascontiguousarray(pairs[start : start + self._block], dtype=np.int32))

    def _score(self, scorer: Scorer, pairs: Pairs) -> Scored:
        owner, relation = self._graph.facts_between(pairs)
        if self._relation is None:
            scores = scorer.relations(pairs)
        else:
            scores = scorer(self._triples(pairs, np.arange(len(pairs)))).reshape(-1, 1)
            owner = owner[relation == self._relation]
            relation = np.zeros_like(owner)
        scores[owner, relation] = -np.inf
        return Scored(scores.reshape(-1), lambda places: self._triples(pairs, places))

    def _triples(self, pairs: Pairs, places: IntArray) -> Queries:
        pair, place = np.divmod(places, self._width)
        relation = place if self._relation is None else np.full_like(place, self._relation)
        return np.stack([pairs[pair, 0], relation, pairs[pair, 1]], axis=1).astype(np.int32)


class _Tiles:
    """A grid of heads and tails, divided into tiles of about equally many of both."""

    def __init__(self, heads: IntArray, tails: IntArray, num_pairs: int) -> None:
        self._heads, self._tails = heads, tails
        self._height = max(1, min(len(heads), math.isqrt(num_pairs)))
        self._width = max(1, min(len(tails), num_pairs // self._height))
        self._height = max(1, min(len(heads), num_pairs // self._width))
        self._per_row = -(-len(tails) // self._width)

    def __len__(self) -> int:
        return -(-len(self._heads) // self._height) * self._per_row

    def __getitem__(self, tile: int) -> Pairs:
        row, column = divmod(tile, self._per_row)
        heads = self._heads[row * self._height : (row + 1) * self._height]
        tails = self._tails[column * self._width : (column + 1) * self._width]
        return np.stack([np.repeat(heads, len(tails)), np.tile(tails, len(heads))], axis=1)


class TripleGrid(TripleCandidates):
    """Every triple with a head and a tail from given nodes that is not a fact.

    Blocks are of some heads with some tails, so that a model reads each of them for many pairs.

    Args:
        graph: The facts.
        grids: Heads and tails: each head with each tail, in several disjoint grids; by default all nodes.
        relation: The relation; None for all.
    """

    def __init__(
        self,
        graph: KnowledgeGraph,
        grids: Sequence[tuple[IntArray, IntArray]] | None = None,
        relation: int | None = None,
    ) -> None:
        super().__init__(graph, relation)
        everyone = np.arange(graph.num_nodes)
        wanted = [(everyone, everyone)] if grids is None else grids
        self._grids = [_Tiles(heads, tails, self._block) for heads, tails in wanted]
        self._ends = np.cumsum([len(grid) for grid in self._grids])
        self.total = int(self._ends[-1]) if graph.num_relations else 0
        self.step = max(1, -(-self.total // _MOST_PARTS))
        self.num_queries: int = self._width * sum(len(heads) * len(tails) for heads, tails in wanted)

    def scored(self, scorer: Scorer, part: Part) -> Iterator[Scored]:
        """A block for each tile."""
        for tile in range(part.start, part.stop):
            grid = int(np.searchsorted(self._ends, tile, side="right"))
            start = int(self._ends[grid]) - len(self._grids[grid])
            yield from self._scored_pairs(scorer, self._grids[grid][tile - start])


class TriplesOfRoles(Candidates):
    """Every triple that is not a fact and whose head and tail are known as a head and a tail of its relation.

    Args:
        graph: The facts.
        relation: The relation; None for all.
    """

    def __init__(self, graph: KnowledgeGraph, relation: int | None = None) -> None:
        self._graph = graph
        self._grids = []
        for asked in np.unique(graph.triples[:, 1]) if relation is None else [relation]:
            facts = graph.triples[graph.triples[:, 1] == asked]
            self._grids.append(TripleGrid(graph, [(np.unique(facts[:, 0]), np.unique(facts[:, 2]))], int(asked)))
        self._ends = np.cumsum([0, *(grid.total for grid in self._grids)])
        self.total = int(self._ends[-1])
        self.step = max(1, -(-self.total // _MOST_PARTS))
        self.num_queries: int = sum(grid.num_queries for grid in self._grids)

    def share_of_links(self, seed: int = 0) -> float:
        """The share of the facts that would be candidates if missing: both ends have another fact in their role."""
        head, relation, tail = self._graph.triples.astype(np.int64).T
        shares = []
        for end in (head, tail):
            _, place, count = np.unique(
                end * self._graph.num_relations + relation, return_inverse=True, return_counts=True
            )
            shares.append(count[place.reshape(-1)] > 1)
        return float((shares[0] & shares[1]).mean()) if len(head) else 0.0

    def scored(self, scorer: Scorer, part: Part) -> Iterator[Scored]:
        """The blocks of the relations, one after the other."""
        for grid, start, stop in zip(self._grids, self._ends[:-1], self._ends[1:], strict=True):
            first, last = max(part.start, start), min(part.stop, stop)
            if first < last:
                yield from grid.scored(scorer, Part(int(first - start), int(last - start)))


class TriplesWithinHops(TripleCandidates):
    """Every triple that is not a fact and whose nodes are joined by a path of at most ``hops`` facts.

    Facts of a path count in either direction. Nodes that a fact joins already are among them: other relations between
    them, and facts in the other direction, are the likeliest missing ones.

    Args:
        graph: The facts.
        hops: Maximum number of facts of a path.
        relation: The relation; None for all.
        most: Number of triples to stop at; then the triples of some random nodes are given.
        seed: Seed of these nodes.
    """

    def __init__(
        self,
        graph: KnowledgeGraph,
        hops: int,
        relation: int | None = None,
        *,
        most: int | None = None,
        seed: int = 0,
    ) -> None:
        if hops < 1:
            raise ValueError(f"`hops` must be at least 1, got {hops}.")
        super().__init__(graph, relation)
        self._hops, self.most = hops, most
        self._nodes: IntArray = np.arange(graph.num_nodes)
        self.total, self.step = graph.num_nodes, max(1, candidates.NODES_PER_PART // 16)
        if most is not None:
            self._nodes = np.random.default_rng(seed).permutation(graph.num_nodes)
            self.step = candidates.NODES_PER_SAMPLE

    def share_of_links(self, seed: int = 0) -> float:
        """The share of the facts, or of a thousand of them, that would be candidates if missing."""
        graph = self._graph
        facts = graph.triples[graph.triples[:, 0] != graph.triples[:, 2]]
        chosen = facts[np.random.default_rng(seed).permutation(len(facts))[: candidates.SAMPLE]]
        pairs = np.ascontiguousarray(chosen[:, [0, 2]])
        owner, _ = graph.facts_between(np.concatenate([pairs, pairs[:, ::-1]]))
        has_other = np.bincount(owner % max(len(pairs), 1), minlength=len(pairs)) > 1
        return float((has_other | are_joined(graph.links.rowptr, graph.links.col, pairs, self._hops)).mean())

    def scored(self, scorer: Scorer, part: Part) -> Iterator[Scored]:
        """The pairs of some nodes, with those after them, in both directions."""
        links, done = self._graph.links, part.start
        while done < part.stop:
            nodes = self._nodes[done : part.stop]
            pairs, taken = pairs_within(links.rowptr, links.col, nodes, self._hops, self._block, with_edges=True)
            same = np.repeat(nodes[:taken, None], 2, axis=1).astype(np.int32)
            yield from self._scored_pairs(scorer, np.concatenate([same, pairs, pairs[:, ::-1]]))
            done += taken
