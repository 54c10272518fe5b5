"""1-WL with a labelled target: one run per link, all links in parallel."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from linkwl.graph import Graph
from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import IntArray, Pairs
from linkwl.wl.case import Case
from linkwl.wl.distinct import count_distinct
from linkwl.wl.drnl import drnl_labels
from linkwl.wl.mixing import COLLISION, Words, join, mix, mix_words
from linkwl.wl.words import WordRefinement

_BLOCK = 64  # links that are refined together


class LabelledOneWL(WordRefinement):
    """1-WL whose initial colours mark the nodes by their role for the link; a link has the colours of its ends.

    The runs of many links are the columns of one array with n rows: a round is one sparse product with it.
    """

    unit = "link"

    def __init__(self, cases: Sequence[Case]) -> None:
        self._run_of: list[IntArray] = []
        super().__init__(cases)

    def _first(self, case: Case) -> Words:
        links, run_of_link = _runs(case)
        self._run_of.append(run_of_link)
        marks = self._marks(case.graph, links)
        labels = np.broadcast_to(case.labels[:, None], marks.shape)
        return join(labels.reshape(-1), marks.reshape(-1)).reshape(marks.shape)

    def _refined(self, case: Case, words: Words, keys: Words) -> Words:
        graph = case.graph
        sent, out = mix_words(words, keys[0]), np.empty_like(words)

        def hear(start: int, stop: int) -> None:
            for block in range(start, stop):
                _hear_neighbours(graph.rowptr, graph.col, words, sent, keys, block * _BLOCK, out)

        run_ranges(hear, -(-words.shape[1] // _BLOCK), smallest=1)
        return out

    def _missed_split(self) -> float:
        return self._largest_degree() * COLLISION

    @property
    def error_bound(self) -> float:
        """The usual bound, plus the probability that the words of two links, each joined from two nodes, collide."""
        return super().error_bound + sum(len(case.links) for case in self.cases) ** 2 / 2 * COLLISION

    @abstractmethod
    def _marks(self, graph: Graph, links: Pairs) -> IntArray:
        """The mark of each node for each link, shape ``(num_nodes, num_links)``."""

    def count(self, case: int) -> int:
        """Number of classes of links."""
        return count_distinct([self.links(case)])

    def links(self, case: int, *, masked: bool = False) -> Words:
        """The words of both ends in the link's own run."""
        p, q = self.cases[case].links.T
        words, run = self._words[case], self._run_of[case]
        return join(words[p, run], words[q, run])

    @classmethod
    def memory(cls, cases: Sequence[Case]) -> int:
        """Labels, marks and the intermediate arrays of the first words, for every node in every run."""
        return 48 * sum(case.graph.num_nodes * len(_runs(case)[0]) for case in cases)


class FastZeroOne(LabelledOneWL):
    """1-WL with 0/1 labels: the two ends of the link are marked."""

    id = "1-wl+01"

    def _marks(self, graph: Graph, links: Pairs) -> IntArray:
        marks = np.zeros((graph.num_nodes, len(links)), dtype=np.int64)
        marks[links.T, np.arange(len(links))] = 1
        return marks


class FastDRNL(LabelledOneWL):
    """1-WL with DRNL labels: every node is marked by the unordered pair of its distances to the two ends."""

    id = "1-wl+drnl"

    def _marks(self, graph: Graph, links: Pairs) -> IntArray:
        return drnl_labels(graph, links)


def _runs(case: Case) -> tuple[Pairs, IntArray]:
    """The links that need a run (a link and its reverse share one), and the run of every link."""
    n = case.graph.num_nodes
    low, high = case.links.min(axis=1).astype(np.int64), case.links.max(axis=1)
    codes, run = np.unique(low * n + high, return_inverse=True)
    return np.stack(np.divmod(codes, max(n, 1)), axis=1), run


@kernel
def _hear_neighbours(rowptr, col, words, sent, keys, first, out):  # type: ignore[no-untyped-def]
    width = min(_BLOCK, words.shape[1] - first)
    heard = np.empty(width, dtype=np.uint64)
    for v in range(len(rowptr) - 1):
        heard[:] = 0
        for k in range(rowptr[v], rowptr[v + 1]):
            row = sent[col[k], first : first + width]
            for j in range(width):
                heard[j] += row[j]
        for j in range(width):
            out[v, first + j] = mix(words[v, first + j] ^ keys[1]) + mix(heard[j] ^ keys[2])
