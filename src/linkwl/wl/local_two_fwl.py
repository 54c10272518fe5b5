"""Local 2-FWL by sparse products."""

from __future__ import annotations

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.wl.case import Case
from linkwl.wl.mixing import COLLISION, Words, mix, mix_words
from linkwl.wl.pair_words import PairWords

_TILE = 64


class FastLocalTwoFWL(PairWords):
    r"""Local 2-FWL: like 2-FWL, but only through nodes that are neighbours of one of the ends.

    .. math:: c'(p, q) = f\big(c(p, q), \{\!\{ (c(u, q), c(p, u)) : u \in N(p) \cup N(q) \}\!\}\big)

    Colours contain the edge indicator, so the multiset is equivalent to its two parts, over N(p) and over N(q). The
    colours of (p, q) and (q, p) determine each other, so the second part of (p, q) is equivalent to the first part of
    (q, p), and one is the transpose of the other. Each part is a sum of products of random words modulo 2^64, an entry
    of a sparse matrix times a dense one: O(n m) per round. Two different parts agree with probability at most
    33 D / 2^64 for largest degree D: two multiplicities differ by at most D, so at most a factor D of the modulus is
    lost, and a sum of products of random words with an odd coefficient among them is 0 modulo 2^k with probability at
    most (k / 2 + 1) / 2^k.
    """

    id = "local-2-fwl"
    num_scratch = 2

    def _refined(self, case: Case, words: Words, keys: Words) -> Words:
        graph = case.graph
        sent, heard = self._scratch_arrays(graph.num_nodes)
        mix_words(words, keys[1], out=sent)

        def hear(start: int, stop: int) -> None:
            _hear_rows(graph.rowptr, graph.col, words, sent, keys[2], start, stop, heard)

        run_ranges(hear, graph.num_nodes, smallest=16)
        run_ranges(lambda start, stop: _finish(words, heard, keys, start, stop), graph.num_nodes, smallest=_TILE)
        return words

    def _missed_split(self) -> float:
        return 33 * self._largest_degree() * COLLISION


@kernel
def _hear_rows(rowptr, col, words, sent, key, start, stop, heard):  # type: ignore[no-untyped-def]
    """``heard[p, q] = sum over u in N(p) of x(c(p, u)) * y(c(u, q))``."""
    num_nodes = len(words)
    for p in range(start, stop):
        total = heard[p]
        total[:] = 0
        for k in range(rowptr[p], rowptr[p + 1]):
            first, second = mix(words[p, col[k]] ^ key), sent[col[k]]
            for q in range(num_nodes):
                total[q] += first * second[q]


@kernel
def _finish(words, heard, keys, start, stop):  # type: ignore[no-untyped-def]
    """Computes the new words from both parts, in tiles so that the transposed reads stay in the cache."""
    num_nodes = len(words)
    for tile in range(0, num_nodes, _TILE):
        for p in range(start, stop):
            for q in range(tile, min(tile + _TILE, num_nodes)):
                both = mix(heard[p, q] ^ keys[3]) + mix(heard[q, p] ^ keys[4])
                words[p, q] = mix(words[p, q] ^ keys[0]) + both
