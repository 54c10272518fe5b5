"""Every test with dictionaries: the definitions taken literally, without hashing, for small graphs.

A colour is an integer that represents exactly one signature; one dictionary per round serves all cases. This engine is
slow and obviously correct: the fast engine is checked against it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import ClassVar, TypeAlias

import numpy as np

from linkwl.typing import IntArray
from linkwl.wl.case import Case, Link
from linkwl.wl.drnl import drnl_labels
from linkwl.wl.refinement import Refinement

Unit: TypeAlias = Hashable
"""What has a colour: a node v, or a pair (p, q)."""

Colours: TypeAlias = dict[Unit, int]
Neighbours: TypeAlias = list[set[int]]
Hear: TypeAlias = Callable[[Neighbours, Colours, Unit], Hashable]


def multiset(colours: Iterable[Hashable]) -> Hashable:
    """{{ ... }}: the elements and their multiplicities, unordered."""
    return tuple(sorted(colours))  # type: ignore[type-var]


def hear_one_wl(near: Neighbours, c: Colours, v: int) -> Hashable:
    """{{c(u) : u in N(v)}}."""
    return multiset(c[u] for u in near[v])


def hear_two_wl(near: Neighbours, c: Colours, pair: Link) -> Hashable:
    """{{c(u, q) : u in V}} and {{c(p, v) : v in V}}."""
    p, q = pair
    nodes = range(len(near))
    return multiset(c[u, q] for u in nodes), multiset(c[p, v] for v in nodes)


def hear_local_two_wl(near: Neighbours, c: Colours, pair: Link) -> Hashable:
    """{{c(u, q) : u in N(q)}} and {{c(p, v) : v in N(p)}}."""
    p, q = pair
    return multiset(c[u, q] for u in near[q]), multiset(c[p, v] for v in near[p])


def hear_two_fwl(near: Neighbours, c: Colours, pair: Link) -> Hashable:
    """{{(c(u, q), c(p, u)) : u in V}}."""
    p, q = pair
    return multiset((c[u, q], c[p, u]) for u in range(len(near)))


def hear_local_two_fwl(near: Neighbours, c: Colours, pair: Link) -> Hashable:
    """{{(c(u, q), c(p, u)) : u in N(p) or N(q)}}."""
    p, q = pair
    return multiset((c[u, q], c[p, u]) for u in near[p] | near[q])


class ExactNodes(Refinement):
    """1-WL: nodes have colours, and a link has the colours of its ends."""

    id = "1-wl"
    unit = "node"
    hear: Hear = staticmethod(hear_one_wl)  # type: ignore[assignment]

    def __init__(self, cases: Sequence[Case]) -> None:
        super().__init__(cases)
        self._near = [[set(case.graph.neighbours(v).tolist()) for v in range(case.graph.num_nodes)] for case in cases]
        self._rename([self._start(case) for case in cases])

    def _start(self, case: Case) -> list[dict[Unit, Hashable]]:
        """Initial colours, one dictionary for every time the test is run on this case."""
        return [dict(enumerate(case.labels.tolist()))]

    def step(self) -> None:
        """One round by the definition."""
        self.round += 1
        self._rename(
            [
                [{unit: (c[unit], self.hear(near, c, unit)) for unit in c} for c in copies]
                for near, copies in zip(self._near, self._copies, strict=True)
            ]
        )

    def _rename(self, signatures: list[list[dict[Unit, Hashable]]]) -> None:
        """Numbers for signatures, the same number for the same signature in all cases."""
        name: dict[Hashable, int] = {}
        self._copies = [
            [{unit: name.setdefault(signature, len(name)) for unit, signature in copy.items()} for copy in copies]
            for copies in signatures
        ]
        self.num_classes = len(name)
        self.num_coloured = sum(len(copy) for copies in self._copies for copy in copies)

    def count(self, case: int) -> int:
        """Number of distinct colours in one case."""
        return len({colour for copy in self._copies[case] for colour in copy.values()})

    def links(self, case: int, *, masked: bool = False) -> IntArray:
        """The colours of both ends; they contain no edge, so there is nothing to mask."""
        c = self._copies[case][0]
        return self._codes((c[p], c[q]) for p, q in self.cases[case].links.tolist())

    def _codes(self, colours: Iterable[Link]) -> IntArray:
        """Two colours as one number."""
        return np.array([a * self.num_classes + b for a, b in colours], dtype=np.int64)

    def nodes(self, case: int) -> IntArray:
        """The colour of every node."""
        return np.array(list(self._copies[case][0].values()), dtype=np.int64)

    @classmethod
    def memory(cls, cases: Sequence[Case]) -> int:
        """Each node has a dictionary entry and a tuple of the colours it hears."""
        return sum(600 * case.graph.num_nodes + 100 * len(case.graph.col) for case in cases)


class ExactPairs(ExactNodes):
    """A test that colours all ordered pairs, including (v, v)."""

    unit = "pair"
    keeps_pairs = True
    is_local: ClassVar[bool] = False
    bytes_heard: ClassVar[int]
    """Bytes of what a pair hears from one node."""

    def __init__(self, cases: Sequence[Case]) -> None:
        super().__init__(cases)
        self._mask([[(case.labels[p], case.labels[q]) for p, q in case.links.tolist()] for case in cases])

    def _start(self, case: Case) -> list[dict[Unit, Hashable]]:
        graph, label = case.graph, case.labels.tolist()
        near = [set(graph.neighbours(v).tolist()) for v in range(graph.num_nodes)]
        nodes = range(graph.num_nodes)
        return [{(p, q): (label[p], label[q], q in near[p], p == q) for p in nodes for q in nodes}]

    def _mask(self, signatures: list[list[Hashable]]) -> None:
        """Numbers the colours of links that do not see their own edge."""
        name: dict[Hashable, int] = {}
        self._masked = [[name.setdefault(s, len(name)) for s in of_case] for of_case in signatures]

    def step(self) -> None:
        """One round; a masked link hides its own edge from itself, but not from the other pairs that it hears."""
        signatures: list[list[Hashable]] = []
        for case, near, copies, masked in zip(self.cases, self._near, self._copies, self._masked, strict=True):
            heard = [self.hear(near, copies[0], (p, q)) for p, q in case.links.tolist()]
            signatures.append(list(zip(masked, heard, strict=True)))
        self._mask(signatures)
        super().step()

    def links(self, case: int, *, masked: bool = False) -> IntArray:
        """The colours of the links; ``masked`` gives the colours that do not see the link's own edge."""
        if masked:
            return np.array(self._masked[case], dtype=np.int64)
        c = self._copies[case][0]
        return np.array([c[p, q] for p, q in self.cases[case].links.tolist()], dtype=np.int64)

    def nodes(self, case: int) -> IntArray:
        """The colours of the pairs (v, v)."""
        return np.diagonal(self.matrix(case)).copy()

    def matrix(self, case: int) -> IntArray:
        """The colours of all pairs, shape ``(n, n)``."""
        n = self.cases[case].graph.num_nodes
        return np.array(list(self._copies[case][0].values()), dtype=np.int64).reshape(n, n)

    @classmethod
    def memory(cls, cases: Sequence[Case]) -> int:
        """Each pair has a dictionary entry and a tuple of what it hears: from every node, or from its neighbours."""
        return sum(
            400 * case.graph.num_nodes**2
            + cls.bytes_heard
            * case.graph.num_nodes
            * (len(case.graph.col) if cls.is_local else case.graph.num_nodes**2)
            for case in cases
        )


class ExactTwoWL(ExactPairs):
    """2-WL."""

    id = "2-wl"
    bytes_heard = 32
    hear: Hear = staticmethod(hear_two_wl)  # type: ignore[assignment]


class ExactLocalTwoWL(ExactPairs):
    """Local 2-WL."""

    id = "local-2-wl"
    is_local = True
    bytes_heard = 64
    hear: Hear = staticmethod(hear_local_two_wl)  # type: ignore[assignment]


class ExactTwoFWL(ExactPairs):
    """2-FWL."""

    id = "2-fwl"
    bytes_heard = 130
    hear: Hear = staticmethod(hear_two_fwl)  # type: ignore[assignment]


class ExactLocalTwoFWL(ExactPairs):
    """Local 2-FWL."""

    id = "local-2-fwl"
    is_local = True
    bytes_heard = 260
    hear: Hear = staticmethod(hear_local_two_fwl)  # type: ignore[assignment]


class ExactZeroOne(ExactNodes):
    """1-WL run once per link, with its two ends marked."""

    id = "1-wl+01"
    unit = "link"

    def _start(self, case: Case) -> list[dict[Unit, Hashable]]:
        label = case.labels.tolist()
        return [
            {v: (label[v], mark) for v, mark in enumerate(self._marks(case, (p, q)))} for p, q in case.links.tolist()
        ]

    def _marks(self, case: Case, link: Link) -> list[int]:
        return [int(v in link) for v in range(case.graph.num_nodes)]

    def links(self, case: int, *, masked: bool = False) -> IntArray:
        """The colours of both ends in the link's own run."""
        copies, links = self._copies[case], self.cases[case].links.tolist()
        return self._codes((c[p], c[q]) for c, (p, q) in zip(copies, links, strict=True))

    def count(self, case: int) -> int:
        """Classes of links."""
        return len(set(self.links(case).tolist()))

    @classmethod
    def memory(cls, cases: Sequence[Case]) -> int:
        """As much as 1-WL, for every link."""
        return sum(len(case.links) * super(ExactZeroOne, cls).memory([case]) for case in cases)


class ExactDRNL(ExactZeroOne):
    """1-WL run once per link, with every node marked by its distances to the two ends."""

    id = "1-wl+drnl"

    def _marks(self, case: Case, link: Link) -> list[int]:
        return drnl_labels(case.graph, np.array([link]))[:, 0].tolist()


EXACT: dict[str, type[ExactNodes]] = {
    test.id: test
    for test in (ExactNodes, ExactLocalTwoWL, ExactTwoWL, ExactLocalTwoFWL, ExactTwoFWL, ExactZeroOne, ExactDRNL)
}
