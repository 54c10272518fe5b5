"""The likeliest missing links of every node."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, get_args

import numpy as np

from linkwl.engine import Engine, InlineEngine
from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.models import Scorer
from linkwl.predict.candidates import BLOCK, Part
from linkwl.predict.close_pairs import ClosePairs
from linkwl.sparse.hops import pairs_within
from linkwl.typing import IntArray, Pairs, Scores

Side: TypeAlias = Literal["left", "right"]
"""The first end of a link, or the second one."""

_NODES_PER_PART = 256


@dataclass(frozen=True, eq=False)
class NodeLinks:
    """The links to rank for every node: those that it could have and does not have.

    In a bipartite graph the left end of a link is on the first side and the right end on the second one; in a directed
    graph they are the source and the target. Without directions or sides, every node is a left end.
    """

    graph: Graph
    nodes: IntArray
    """The nodes, in the order of the result."""
    side: Side = "left"
    hops: int | None = None
    """The number of edges within which the other ends lie, unless they are close on a map; None for no limit."""

    @classmethod
    def of(
        cls, graph: Graph, nodes: IntArray | None = None, *, side: Side | None = None, hops: int | None = None
    ) -> NodeLinks:
        """The links of some nodes, or of all nodes of a side.

        Raises:
            InputError: If the graph has no sides, or a node is on the other side.
        """
        if side is not None and side not in get_args(Side):
            raise InputError(f"unknown side {side!r}; use 'left' or 'right'.")
        if side is not None and graph.part is None and not graph.is_directed:
            raise InputError(
                f"{graph.name} has neither directions nor sides; leave the side out, or read it as a directed or "
                "bipartite graph."
            )
        chosen: Side = side or "left"
        every = np.arange(graph.num_nodes)
        if graph.part is not None:
            every = np.flatnonzero(graph.part == get_args(Side).index(chosen))
        if nodes is None:
            return cls(graph, every, chosen, hops)
        if len(strangers := np.setdiff1d(nodes, every)):
            raise InputError(
                f"{graph.ids[int(strangers[0])]!r} is on the other side; ask for the {_other(chosen)} one."
            )
        return cls(graph, np.asarray(nodes), chosen, hops)

    @property
    def column(self) -> int:
        """The column of the nodes in a pair."""
        return get_args(Side).index(self.side)

    @cached_property
    def _close(self) -> ClosePairs:
        assert self.hops is not None
        return ClosePairs(self.graph, self.hops)

    def parts(self) -> list[Part]:
        """Ranges of the nodes, each with about a block of pairs."""
        step = _NODES_PER_PART if self.hops is not None else max(1, BLOCK // max(1, self.graph.num_nodes))
        return [Part(start, min(start + step, len(self.nodes))) for start in range(0, len(self.nodes), step)]

    def blocks(self, part: Part) -> Iterator[Pairs]:
        """The pairs of the nodes of a part, all pairs of a node in one block."""
        done = part.start
        while done < part.stop:
            nodes = self.nodes[done : part.stop]
            if self.hops is None:
                pairs, taken = self._all(nodes), len(nodes)
            else:
                links = self.graph.links
                pairs, taken = pairs_within(
                    *(links.rowptr, links.col, nodes, self.hops, BLOCK),
                    with_edges=self.graph.is_directed,  # the reverse of an edge may be missing
                    in_both_orders=True,
                )
                pairs = np.concatenate([pairs, self._close.of(nodes[:taken], in_both_orders=True)])
            done += taken
            pairs = pairs if self.side == "left" else pairs[:, ::-1]
            yield pairs[self._is_possible(pairs)]

    def scored(self, scorer: Scorer, part: Part) -> Iterator[tuple[Pairs, Scores]]:
        """The pairs of :meth:`blocks` with their scores: whole rows if a node comes first and all nodes second."""
        if self.hops is not None or self.side == "right":
            yield from ((pairs, scorer(pairs)) for pairs in self.blocks(part))
            return
        nodes = self.nodes[part.start : part.stop]
        pairs = self._all(nodes)
        possible = self._is_possible(pairs)
        yield pairs[possible], scorer.rows(nodes).ravel()[possible]

    def _all(self, nodes: IntArray) -> Pairs:
        others = np.arange(self.graph.num_nodes, dtype=np.int32)
        return np.stack([np.repeat(nodes.astype(np.int32), len(others)), np.tile(others, len(nodes))], axis=1)

    def _is_possible(self, pairs: Pairs) -> IntArray:
        """The places of the pairs that could be edges and are none."""
        first, second = pairs.T
        is_possible = first != second
        if self.graph.part is not None:
            is_possible &= self.graph.part[first] != self.graph.part[second]
        places = np.flatnonzero(is_possible)
        return places[~self.graph.has_edges(pairs[places])]


def rank_per_node(
    scorer: Scorer,
    links: NodeLinks,
    k: int,
    *,
    engine: Engine | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[Pairs, Scores]:
    """The ``k`` missing links with the highest scores of every node, best first; ties by ascending indices.

    Nodes with fewer possible links have fewer. The result does not depend on the engine.

    Args:
        scorer: A scorer of the same graph.
        links: The nodes and the links that are ranked for them.
        k: Number of links for each node.
        engine: The engine that scores the links; by default inline.
        on_progress: Called after every part with the number of finished nodes and of all nodes.
    """
    if k < 1:
        raise ValueError(f"`k` must be at least 1, got {k}.")
    parts = links.parts()
    best = []
    results = (InlineEngine() if engine is None else engine).map(_rank, parts, shared=(scorer, links, k))
    with closing(results):
        for part, found in zip(parts, results, strict=True):
            best.append(found)
            if on_progress is not None:
                on_progress(part.stop, len(links.nodes))
    return _joined(best)


def _rank(shared: tuple[Scorer, NodeLinks, int], part: Part) -> tuple[Pairs, Scores]:
    """The best links of the nodes of a part."""
    scorer, links, k = shared
    place = np.empty(links.graph.num_nodes, dtype=np.int64)
    place[links.nodes] = np.arange(len(links.nodes))
    best = []
    for block, found in links.scored(scorer, part):
        row = place[block[:, links.column]]
        order = np.lexsort((block[:, 1 - links.column], -found, row))
        starts = np.searchsorted(row[order], row[order])
        chosen = order[np.arange(len(order)) - starts < k]
        best.append((block[chosen], found[chosen]))
    return _joined(best)


def _joined(blocks: list[tuple[Pairs, Scores]]) -> tuple[Pairs, Scores]:
    if not blocks:
        return np.empty((0, 2), dtype=np.int32), np.empty(0)
    return np.concatenate([pairs for pairs, _ in blocks]), np.concatenate([scores for _, scores in blocks])


def _other(side: Side) -> Side:
    return "right" if side == "left" else "left"
