"""Compressed rows: builds sorted neighbour lists from rows of node indices, and looks up entries.

An edge (p, q) is encoded as the 64-bit key ``p, q, is_reversed``, most significant part first: sorting brings
duplicates together and keeps their directions distinguishable. Keys are first distributed to about a thousand blocks of
consecutive p, so that each block is radix-sorted within the processor's cache.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import num_threads, run_all, run_ranges
from linkwl.typing import BoolArray, IntArray

MAX_NODES = 2**31 - 1
"""Node indices have 31 bits, so that a key fits in 64."""
_SMALL = 1 << 15
_DIGIT_BITS = 11  # the counts of a digit fit in the first-level cache


def compressed_rows(
    source: IntArray, target: IntArray, num_nodes: int, is_directed: bool
) -> tuple[IntArray, IntArray, int, int]:
    """Sorted rows of the edges ``source[i] -> target[i]`` without loops and duplicates; undirected edges in both rows.

    Returns:
        The start of each row, the neighbours, the number of given rows that were loops, and the number of undirected
        edges given in both directions.
    """
    width = num_nodes.bit_length()
    # Few rows form one block, processed on the calling thread.
    shift, num_parts = (max(0, width - 10), num_threads()) if len(source) > _SMALL else (width, 1)
    ptr, keys = _deal(source, target, width, shift, num_nodes, is_directed, num_parts)
    # Each part is a range of blocks with about as many keys as the others.
    cuts = np.searchsorted(ptr, np.linspace(0, len(keys), (4 * num_parts if num_parts > 1 else 1) + 1)).tolist()
    cuts[0], cuts[-1] = 0, len(ptr) - 1
    parts = list(pairwise(cuts))
    rowptr = np.zeros(num_nodes + 1, dtype=np.int64)
    counts = run_all(lambda part: _sort_and_count(keys, ptr, *part, width, shift, rowptr[1:]), parts)
    np.cumsum(rowptr, out=rowptr)
    col = np.empty(rowptr[-1], dtype=np.int32)
    run_all(lambda part: _write_neighbours(keys, ptr, *part, width, shift, rowptr, col), parts)
    num_loops = len(source) - len(keys) // (1 if is_directed else 2)
    return rowptr, col, num_loops, 0 if is_directed else sum(counts)


def _deal(
    source: IntArray, target: IntArray, width: int, shift: int, num_nodes: int, is_directed: bool, num_parts: int
) -> tuple[IntArray, IntArray]:
    """The start of each block of ``p >> shift``, and the keys, block by block.

    Every part of the rows has its own range in every block, so that threads do not write to the same place.
    """
    cuts = np.linspace(0, len(source), num_parts + 1).astype(np.int64)
    counts = np.zeros(((num_nodes >> shift) + 1, num_parts), dtype=np.int64)

    def count(part: int) -> None:
        rows = slice(cuts[part], cuts[part + 1])
        _count_blocks(source[rows], target[rows], shift, is_directed, counts[:, part])

    def write(part: int) -> None:
        rows = slice(cuts[part], cuts[part + 1])
        _write_keys(source[rows], target[rows], width, shift, is_directed, starts[:, part].copy(), keys)

    run_all(count, range(num_parts))
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).reshape(counts.shape)
    keys = np.empty(counts.sum(), dtype=np.uint64)
    run_all(write, range(num_parts))
    return np.append(starts[:, 0], len(keys)), keys


@kernel
def _count_blocks(source, target, shift, is_directed, counts):
    for i in range(len(source)):
        p, q = source[i], target[i]
        if p != q:
            counts[p >> shift] += 1
            if not is_directed:
                counts[q >> shift] += 1


@kernel
def _write_keys(source, target, width, shift, is_directed, cursor, keys):
    one, wide, narrow = np.uint64(1), np.uint64(width), np.uint64(shift)
    for i in range(len(source)):
        p, q = np.uint64(source[i]), np.uint64(target[i])
        if p == q:
            continue
        block = p >> narrow
        keys[cursor[block]] = ((p << wide) | q) << one
        cursor[block] += 1
        if not is_directed:
            block = q >> narrow
            keys[cursor[block]] = (((q << wide) | p) << one) | one
            cursor[block] += 1


@kernel
def _sort_and_count(keys, ptr, first_block, last_block, width, shift, degree):
    """Sorts some blocks; counts the neighbours of their nodes, and the edges p < q given in both directions."""
    one, wide = np.uint64(1), np.uint64(width)
    mask = (one << wide) - one
    largest = 0
    for block in range(first_block, last_block):
        largest = max(largest, ptr[block + 1] - ptr[block])
    spare = np.empty(largest, dtype=np.uint64)
    both = 0
    for block in range(first_block, last_block):
        part = keys[ptr[block] : ptr[block + 1]]
        _sort_by_digits(part, spare[: len(part)], shift + width + 1)
        for i in range(len(part)):
            edge = part[i] >> one
            p = edge >> wide
            if i == 0 or edge != part[i - 1] >> one:
                degree[p] += 1
            elif part[i] != part[i - 1] and p < edge & mask:
                both += 1
    return both


@kernel
def _sort_by_digits(keys, spare, num_bits):
    """Radix sort by the lowest ``num_bits`` bits: a stable sort by each digit, the lowest first."""
    mask = np.uint64((1 << _DIGIT_BITS) - 1)
    current, buffer = keys, spare
    for low in range(0, num_bits, _DIGIT_BITS):
        start = np.zeros((1 << _DIGIT_BITS) + 1, dtype=np.int64)
        for key in current:
            start[((key >> np.uint64(low)) & mask) + np.uint64(1)] += 1
        for digit in range(1 << _DIGIT_BITS):
            start[digit + 1] += start[digit]
        for key in current:
            digit = (key >> np.uint64(low)) & mask
            buffer[start[digit]] = key
            start[digit] += 1
        current, buffer = buffer, current
    if (num_bits + _DIGIT_BITS - 1) // _DIGIT_BITS % 2 == 1:
        keys[:] = current


@kernel
def _write_neighbours(keys, ptr, first_block, last_block, width, shift, rowptr, col):
    one, wide = np.uint64(1), np.uint64(width)
    mask = (one << wide) - one
    count = rowptr[min(first_block << shift, len(rowptr) - 1)]
    for i in range(ptr[first_block], ptr[last_block]):
        if i == ptr[first_block] or keys[i] >> one != keys[i - 1] >> one:
            col[count] = (keys[i] >> one) & mask
            count += 1


@kernel
def upper_pairs(rowptr, col):
    """The entries (p, q), p < q, of symmetric rows, in order."""
    pairs = np.empty((len(col) // 2, 2), dtype=np.int32)
    count = 0
    for p in range(len(rowptr) - 1):
        for k in range(rowptr[p], rowptr[p + 1]):
            if col[k] > p:
                pairs[count, 0] = p
                pairs[count, 1] = col[k]
                count += 1
    return pairs


def is_upper(rowptr: IntArray, col: IntArray) -> BoolArray:
    """Whether each entry (p, q) has p < q: in symmetric rows, one of the two entries of an edge."""
    return np.repeat(np.arange(len(rowptr) - 1, dtype=np.int32), np.diff(rowptr)) < col


@kernel
def entry_on_one_side(rowptr, col, part):
    """The first entry (p, q) with both ends in the same part, or -1."""
    for p in range(len(rowptr) - 1):
        for k in range(rowptr[p], rowptr[p + 1]):
            if part[col[k]] == part[p]:
                return k
    return -1


@kernel
def _find(rowptr, col, pairs, entry):
    for i in range(len(pairs)):
        p, q = pairs[i, 0], pairs[i, 1]
        low, high = rowptr[p], rowptr[p + 1]
        while low < high:
            middle = (low + high) >> 1
            if col[middle] < q:
                low = middle + 1
            else:
                high = middle
        entry[i] = low if low < rowptr[p + 1] and col[low] == q else -1


def find(rowptr: IntArray, col: IntArray, pairs: IntArray) -> IntArray:
    """The entry of each pair (p, q), or -1; rows must be sorted."""
    entry = np.empty(len(pairs), dtype=np.int64)
    run_ranges(lambda start, stop: _find(rowptr, col, pairs[start:stop], entry[start:stop]), len(pairs))
    return entry


def contains(rowptr: IntArray, col: IntArray, pairs: IntArray) -> BoolArray:
    """Whether each pair (p, q) is an entry; rows must be sorted."""
    return find(rowptr, col, pairs) >= 0


def filter_rows(rowptr: IntArray, col: IntArray, label: IntArray, is_kept: BoolArray) -> tuple[IntArray, IntArray]:
    """The rows with only the entries whose label is kept; one label per entry, one flag per label."""
    kept_ptr = np.zeros(len(rowptr), dtype=np.int64)
    _count_kept(rowptr, label, is_kept, kept_ptr[1:])
    np.cumsum(kept_ptr, out=kept_ptr)
    kept_col = np.empty(kept_ptr[-1] + 1, dtype=col.dtype)
    _copy_kept(col, label, is_kept, kept_col)
    return kept_ptr, kept_col[:-1]


@kernel
def _count_kept(rowptr, label, is_kept, counts):
    for v in range(len(counts)):
        for k in range(rowptr[v], rowptr[v + 1]):
            counts[v] += is_kept[label[k]]


@kernel
def _copy_kept(col, label, is_kept, kept_col):
    count = 0
    for k in range(len(col)):
        kept_col[count] = col[k]  # overwritten by the next entry unless it is kept: avoids a branch
        count += is_kept[label[k]]


@kernel
def labels_of_entries(rowptr, col, label):
    """The labels of the undirected edges (p, q), p < q, at both entries of each edge."""
    out = np.empty(len(col), dtype=label.dtype)
    cursor = rowptr[:-1].copy()
    e = 0
    for p in range(len(rowptr) - 1):
        for k in range(cursor[p], rowptr[p + 1]):  # the rows of smaller neighbours have already advanced the cursor
            out[k] = label[e]
            q = col[k]
            out[cursor[q]] = label[e]
            cursor[q] += 1
            e += 1
    return out


@kernel
def non_edges(rowptr, col, ranks, is_directed):
    """The pairs that are not edges at the given ranks of their ascending order; ``ranks`` ascend.

    In row p the pair of rank r is found by skipping the neighbours before it: linear in rows and ranks.
    """
    n = len(rowptr) - 1
    pairs = np.empty((len(ranks), 2), dtype=np.int32)
    i, base = 0, 0
    for p in range(n):
        if i == len(ranks):
            break
        k = rowptr[p]
        if not is_directed:
            while k < rowptr[p + 1] and col[k] < p:
                k += 1
        start = 0 if is_directed else p + 1
        free = n - start - (rowptr[p + 1] - k) - (1 if is_directed else 0)
        skipped, is_past_loop = 0, not is_directed
        while i < len(ranks) and ranks[i] < base + free:
            q = start + ranks[i] - base + skipped
            while True:
                if k < rowptr[p + 1] and col[k] <= q and (is_past_loop or col[k] < p):
                    k += 1
                elif not is_past_loop and p <= q:
                    is_past_loop = True
                else:
                    break
                skipped += 1
                q += 1
            pairs[i, 0] = p
            pairs[i, 1] = q
            i += 1
        base += free
    return pairs


@kernel
def non_edges_across(rowptr, col, ranks, is_directed, part):
    """Like :func:`non_edges`, for the pairs whose ends are in different parts, 0 and 1.

    Nodes are numbered within their part, so row p is a row of such numbers in the other part.
    """
    n = len(rowptr) - 1
    members = np.empty((2, n), dtype=np.int32)
    place = np.empty(n, dtype=np.int32)
    size = np.zeros(2, dtype=np.int64)
    for v in range(n):
        place[v] = size[part[v]]
        members[part[v], place[v]] = v
        size[part[v]] += 1
    passed = np.zeros(2, dtype=np.int64)  # nodes before p, in each part
    pairs = np.empty((len(ranks), 2), dtype=np.int32)
    i, base = 0, 0
    for p in range(n):
        if i == len(ranks):
            break
        other = 1 - part[p]
        k, start = rowptr[p], 0
        if not is_directed:
            start = passed[other]
            while k < rowptr[p + 1] and col[k] < p:
                k += 1
        free = size[other] - start - (rowptr[p + 1] - k)
        skipped = 0
        while i < len(ranks) and ranks[i] < base + free:
            q = start + ranks[i] - base + skipped
            while k < rowptr[p + 1] and place[col[k]] <= q:
                k += 1
                skipped += 1
                q += 1
            pairs[i, 0] = p
            pairs[i, 1] = members[other, q]
            i += 1
        base += free
        passed[part[p]] += 1
    return pairs


def is_well_formed(rowptr: IntArray, col: IntArray, is_directed: bool) -> bool:
    """Whether these are rows of a graph: ascending nodes other than the row's own, in both rows of an undirected edge.

    Every index that a kernel could follow is checked here, for arrays that come from outside.
    """
    if len(rowptr) < 1 or rowptr[0] != 0 or rowptr[-1] != len(col) or (np.diff(rowptr) < 0).any():
        return False
    return bool(_has_ascending_rows(rowptr, col)) and (is_directed or bool(_is_symmetric(rowptr, col)))


@kernel
def _has_ascending_rows(rowptr, col):
    num_nodes = len(rowptr) - 1
    for p in range(num_nodes):
        before = -1
        for k in range(rowptr[p], rowptr[p + 1]):
            q = col[k]
            if q <= before or q >= num_nodes or q == p:
                return False
            before = q
    return True


@kernel
def _is_symmetric(rowptr, col):
    """Rows are visited in order, so that the entries of row q are met in order as well: one cursor per row."""
    cursor = rowptr[:-1].copy()
    for p in range(len(rowptr) - 1):
        for k in range(rowptr[p], rowptr[p + 1]):
            q = col[k]
            if cursor[q] >= rowptr[q + 1] or col[cursor[q]] != p:
                return False
            cursor[q] += 1
    return True


@kernel
def labels_are_symmetric(rowptr, col, labels):
    """Whether both entries of every edge have the same label, in symmetric rows."""
    cursor = rowptr[:-1].copy()
    for p in range(len(rowptr) - 1):
        for k in range(rowptr[p], rowptr[p + 1]):
            q = col[k]
            if labels[cursor[q]] != labels[k]:
                return False
            cursor[q] += 1
    return True
