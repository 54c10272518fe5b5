"""Rows cut into parts of about the same work."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from linkwl.threads import num_threads
from linkwl.typing import IntArray

_SMALLEST_PART = 1 << 18  # operations; fewer are done before another thread has woken up


def parts_for_threads(ptr: IntArray, channels: int) -> list[tuple[int, int]]:
    """Ranges of rows for the threads: a few more than there are, so that uneven work evens out, and none very short."""
    work = (int(ptr[-1]) + len(ptr) - 1) * channels
    return equal_parts(ptr, min(4 * num_threads(), work // _SMALLEST_PART) if num_threads() > 1 else 1)


def equal_parts(ptr: IntArray, num_parts: int) -> list[tuple[int, int]]:
    """At most ``num_parts`` ranges of rows that cover all, with about as many entries each; at least one."""
    num_rows, num_entries = len(ptr) - 1, int(ptr[-1])
    if num_parts <= 1 or num_rows <= 1:
        return [(0, num_rows)]
    # Rows without entries cost a little, too: where there are many, they must not all go to one part.
    load = ptr + np.arange(num_rows + 1)
    inner = np.searchsorted(load, (num_entries + num_rows) * np.arange(1, num_parts) // num_parts)
    cuts = np.unique(np.concatenate([[0], inner, [num_rows]]))
    return list(pairwise(cuts.tolist()))
