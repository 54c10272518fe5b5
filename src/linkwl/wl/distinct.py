"""Counts and numbers distinct words, faster than by sorting them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numba
import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import num_threads, run_all, run_ranges
from linkwl.typing import IntArray
from linkwl.wl.mixing import mix

_BUCKET = 1 << 12  # words per bucket, so that they and their table fit the second-level cache
_MAX_BITS = 10


def count_distinct(arrays: Sequence[np.ndarray], scratch: np.ndarray | None = None) -> int:
    """The number of distinct 64-bit words in all arrays together.

    A few are found in one pass. Many are first distributed to buckets by their leading bits: words look random, so the
    buckets are even, and equal words share a bucket. Each bucket is then counted with a hash table that fits the cache.

    Args:
        arrays: The words, uint64.
        scratch: A one-dimensional array with room for all words, which is overwritten; allocated if not given.
    """
    flat = [array.reshape(-1) for array in arrays]
    total = sum(map(len, flat))
    few = [found for array in flat for found in run_ranges(partial(_find_few, array), len(array), smallest=1 << 16)]
    if all(found[0] for found in few):
        return len(np.unique(np.concatenate([words for _, words in few]))) if few else 0
    bits = max(1, min((total // _BUCKET).bit_length(), _MAX_BITS))  # a shift by all 64 bits would be undefined
    dealt = np.empty(total, dtype=np.uint64) if scratch is None else scratch.reshape(-1)[:total]
    cuts = _deal(flat, np.uint64(64 - bits), 1 << bits, dealt)
    return sum(run_ranges(lambda start, stop: int(_count_buckets(dealt, cuts, start, stop)), 1 << bits, smallest=1))


@kernel
def _find_few(words, start, stop):  # type: ignore[no-untyped-def]
    """Whether ``words[start:stop]`` holds at most half a bucket of distinct words, and those words."""
    table, found = np.zeros(2 * _BUCKET, dtype=np.uint64), np.empty(_BUCKET // 2, dtype=np.uint64)
    count, has_zero = 0, False
    for i in range(start, stop):
        word = words[i]
        if word == 0:  # marks a free slot
            if has_zero:
                continue
            has_zero = True
        else:
            place = _place(table, word)
            if table[place] == word:
                continue
            table[place] = word
        if count == len(found):
            return False, found
        found[count] = word
        count += 1
    return True, found[:count]


def _deal(arrays: list[np.ndarray], shift: np.uint64, num_buckets: int, out: np.ndarray) -> IntArray:
    """Orders the words by their leading bits; returns where the buckets begin and end."""
    parts = [
        array[start:stop]
        for array in arrays
        for start, stop in pairwise(np.linspace(0, len(array), 1 + _num_parts(len(array))).astype(np.int64))
    ]
    sizes = np.stack(run_all(lambda part: _bucket_sizes(part, shift, num_buckets), parts))
    ends = np.cumsum(sizes.T).reshape(sizes.T.shape).T  # bucket by bucket, and within a bucket part by part
    slots = ends - sizes
    run_all(lambda k: _put(parts[k], shift, slots[k].copy(), out), range(len(parts)))
    return np.append(slots[0], len(out))


def _num_parts(size: int) -> int:
    """Number of threads; for few words, starting a thread takes longer than its work."""
    return num_threads() if size >= 1 << 19 else 1


@kernel
def _bucket_sizes(words, shift, num_buckets):  # type: ignore[no-untyped-def]
    sizes = np.zeros(num_buckets, dtype=np.int64)
    for word in words:
        sizes[word >> shift] += 1
    return sizes


@kernel
def _put(words, shift, slots, out):  # type: ignore[no-untyped-def]
    for word in words:
        bucket = word >> shift
        out[slots[bucket]] = word
        slots[bucket] += 1


@kernel
def _count_buckets(words, cuts, start, stop):  # type: ignore[no-untyped-def]
    """Number of distinct words in the buckets ``start .. stop``, which reuse one hash table."""
    total, table = 0, np.empty(4 * _BUCKET, dtype=np.uint64)
    for bucket in range(start, stop):
        found, table = _count(words[cuts[bucket] : cuts[bucket + 1]], table)
        total += found
    return total


@kernel
def _count(words, table):  # type: ignore[no-untyped-def]
    """Number of distinct words, and the table; it grows with the distinct words, not with their copies."""
    table[:] = 0  # marks a free slot
    found, has_zero = 0, 0
    for word in words:
        if word == 0:
            has_zero = 1
            continue
        place = _place(table, word)
        if table[place] == 0:
            table[place] = word
            found += 1
            if 2 * found > len(table):
                small, table = table, np.zeros(4 * len(table), dtype=np.uint64)
                for other in small:
                    table[_place(table, other)] = other
    return found + has_zero, table


@numba.njit(inline="always")
def _place(table, word):  # type: ignore[no-untyped-def]
    """The slot of a word, or the free slot where it belongs; words look random, so their last bits suffice."""
    last = np.uint64(len(table) - 1)
    place = word & last
    while table[place] != 0 and table[place] != word:
        place = (place + np.uint64(1)) & last
    return place


def number_classes(arrays: Sequence[np.ndarray], *, num_classes: int = 0, overwrite: bool = False) -> list[IntArray]:
    """The classes of equal values named 0, 1, ... in the order in which they first appear in all arrays together.

    Args:
        arrays: Values of 8 bytes, of any shapes.
        num_classes: How many classes there are, if that is known.
        overwrite: Whether a single array may be overwritten with the numbers, to save memory.
    """
    if not arrays:
        return []
    flat = [array.reshape(-1) for array in arrays]
    values = (flat[0] if overwrite and len(flat) == 1 else np.concatenate(flat)).view(np.uint64)
    if num_classes == len(values):
        values[:] = np.arange(len(values))
    else:
        size = 1 << max(8, (num_classes + num_classes // 2).bit_length())
        _number(values, np.full(size, -1, dtype=np.int32 if len(values) < 1 << 31 else np.int64))
    parts = np.split(values.view(np.int64), np.cumsum([array.size for array in arrays])[:-1])
    return [part.reshape(array.shape) for part, array in zip(parts, arrays, strict=True)]


@kernel
def _number(values, table):  # type: ignore[no-untyped-def]
    """Replaces values by numbers; an open hash table holds the numbers, and ``first`` their values."""
    first, found = np.empty(len(values), dtype=np.uint64), 0
    for i in range(len(values)):
        place = _find(table, first, values[i])
        if table[place] < 0:
            table[place], first[found] = found, values[i]
            found += 1
            if 3 * found > 2 * len(table):
                table = np.full(4 * len(table), -1, dtype=table.dtype)
                for number in range(found):
                    table[_find(table, first, first[number])] = number
                place = _find(table, first, values[i])
        values[i] = table[place]


@numba.njit(inline="always")
def _find(table, first, value):  # type: ignore[no-untyped-def]
    """The slot of a value, or the free slot where it belongs."""
    last = np.uint64(len(table) - 1)
    place = mix(value) & last
    while table[place] >= 0 and first[table[place]] != value:
        place = (place + np.uint64(1)) & last
    return place
