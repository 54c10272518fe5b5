"""2-FWL by exact matrix products."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.wl.case import Case
from linkwl.wl.mixing import Words, mix
from linkwl.wl.pair_words import PairWords

_GOAL = 2.0**-60  # probability of a missed split that determines the number of sketches


class FastTwoFWL(PairWords):
    r"""2-FWL: a pair hears, for every node, the two pairs that join its ends through that node.

    .. math:: c'(p, q) = f\big(c(p, q), \{\!\{ (c(u, q), c(p, u)) : u \in V \}\!\}\big)

    Give every colour two random numbers x and y. Then :math:`\sum_u x(c(p, u))\, y(c(u, q))` is one entry of a matrix
    product and a polynomial of degree 2 whose coefficients are the multiset; two different multisets agree in it with
    probability at most 2 / 2^b for numbers of b bits. The numbers are integers, small enough that no partial sum
    exceeds 2^53, so float64 computes the product exactly. The number of independent products is chosen so that a split
    is missed with probability below 2^-60: three up to 8192 nodes. O(n^3) per round, at the speed of matrix products.
    """

    id = "2-fwl"
    num_scratch = 4

    def _refined(self, case: Case, words: Words, keys: Words) -> Words:
        n = case.graph.num_nodes
        heard, *rest = self._scratch_arrays(n)
        x, y, product = (array.view(np.float64) for array in rest)
        bits, sketches = self._plan
        own_key, draw_keys, heard_keys = keys[0], keys[1 : 1 + sketches], keys[-sketches:]
        heard[:] = 0
        for draw_key, heard_key in zip(draw_keys, heard_keys, strict=True):
            _in_rows(n, _draw, words, draw_key, bits, x, y)
            np.matmul(x, y, out=product)
            _in_rows(n, _absorb, product, heard_key, heard)
        _in_rows(n, _finish, words, own_key, heard)
        return words

    def _missed_split(self) -> float:
        bits, sketches = self._plan
        return (2 / 2**bits) ** sketches

    @cached_property
    def _plan(self) -> tuple[int, int]:
        return plan_sketches(max((case.graph.num_nodes for case in self.cases), default=0))


def plan_sketches(num_nodes: int) -> tuple[int, int]:
    """The number of bits of the random numbers, and the number of products that then reach the goal."""
    bits = (53 - math.ceil(math.log2(max(num_nodes, 2)))) // 2 + 1  # signed, so one bit more
    return bits, math.ceil(math.log(_GOAL) / math.log(2 / 2**bits))


def _in_rows(num_nodes: int, compiled: Callable[..., None], *arguments: Any) -> None:
    """Runs a kernel on blocks of rows, several at a time."""
    run_ranges(lambda start, stop: compiled(start, stop, *arguments), num_nodes, smallest=32)


@kernel
def _draw(start, stop, words, key, bits, x, y):  # type: ignore[no-untyped-def]
    """Two signed numbers of ``bits`` bits for every word, as floats."""
    drop, half = np.uint64(64 - bits), np.int64(1) << np.int64(bits - 1)
    for p in range(start, stop):
        for q in range(words.shape[1]):
            word = mix(words[p, q] ^ key)
            x[p, q] = np.int64(word >> drop) - half
            y[p, q] = np.int64((word << np.uint64(bits)) >> drop) - half


@kernel
def _absorb(start, stop, product, key, heard):  # type: ignore[no-untyped-def]
    for p in range(start, stop):
        for q in range(product.shape[1]):
            heard[p, q] += mix(np.uint64(np.int64(product[p, q])) ^ key)


@kernel
def _finish(start, stop, words, key, heard):  # type: ignore[no-untyped-def]
    for p in range(start, stop):
        for q in range(words.shape[1]):
            words[p, q] = mix(words[p, q] ^ key) + heard[p, q]
