"""Pseudorandom 64-bit words for integers and for other words.

A word is a function of the value it encodes, so equal values always have equal words; different values share a word
only by a collision.
"""

from __future__ import annotations

from typing import TypeAlias

import numba
import numpy as np
from numpy.typing import NDArray

from linkwl.kernel import kernel
from linkwl.threads import run_ranges

Words: TypeAlias = NDArray[np.uint64]

COLLISION = 2.0**-64
"""Probability that two different values get the same word."""

_NUM_KEYS = 9
_SEED = 0x2D3C5F
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFT_30, _SHIFT_27, _SHIFT_31 = np.uint64(30), np.uint64(27), np.uint64(31)


@numba.njit(inline="always")
def mix(word):  # type: ignore[no-untyped-def]
    """A fixed permutation of the 64-bit words that destroys any pattern (the finaliser of SplitMix64)."""
    word = (word ^ (word >> _SHIFT_30)) * _FIRST
    word = (word ^ (word >> _SHIFT_27)) * _SECOND
    return word ^ (word >> _SHIFT_31)


def round_keys(number: int) -> Words:
    """Fresh random words for a round."""
    state = np.random.SeedSequence(_SEED, spawn_key=(number,)).generate_state(_NUM_KEYS, np.uint64)
    return state.astype(np.uint64, copy=False)


def mix_words(words: Words, key: np.uint64, out: Words | None = None) -> Words:
    """Every word mixed with a key, in a new array unless ``out`` is given."""
    words = np.ascontiguousarray(words)
    out = np.empty_like(words) if out is None else out
    flat, flat_out = words.reshape(-1), out.reshape(-1)
    run_ranges(lambda start, stop: _mix_range(flat[start:stop], key, flat_out[start:stop]), len(flat), smallest=1 << 17)
    return out


@kernel
def _mix_range(words, key, out):  # type: ignore[no-untyped-def]
    for i in range(len(words)):
        out[i] = mix(words[i] ^ key)


def join(*parts: NDArray[np.generic]) -> Words:
    """One word for each row of several columns of integers or words; it depends on the order of the columns."""
    total = np.zeros(len(parts[0]), dtype=np.uint64)
    for part, key in zip(parts, round_keys(0)[: len(parts)], strict=True):
        # A part may itself be a word made with the first key: the factor separates (a, word of b) from (b, word of a).
        total = mix_words(np.uint64(3) * total + part.astype(np.uint64), key)
    return total
