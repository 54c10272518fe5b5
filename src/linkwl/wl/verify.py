"""Proves that a colouring is the stable one, without hashing."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from linkwl.errors import InputError
from linkwl.kernel import kernel
from linkwl.memory import check_memory
from linkwl.threads import run_ranges
from linkwl.typing import IntArray
from linkwl.wl.colouring import Colouring, NodeColouring, PairColouring
from linkwl.wl.exact import EXACT, Colours


def verify(*colourings: Colouring, memory_limit: float | None = None) -> bool:
    """Whether colourings of graphs refined together in one run are proved to be exactly the result of their test.

    The engines never separate equal units, so their classes are unions of the true classes. This function checks that
    the classes separate the initial colours and that all members of a class hear exactly the same. Then the classes
    are stable, and the true classes, which are the coarsest stable ones, are unions of them. So the two are equal.

    The multiset that a unit hears is written out, sorted and compared with that of the first member of its class. This
    takes O(m log n) for 1-WL, local 2-WL and 2-WL, O(n m log n) for local 2-FWL and O(n^3 log n) for 2-FWL.

    The proof assumes a colouring made by one of the engines: a stable colouring that is too fine would pass. For 1-WL,
    local 2-WL and 2-WL it covers the colours of nodes, which determine those of pairs.

    Args:
        colourings: The result of :func:`~linkwl.wl.refine_all`.
        memory_limit: Limit in bytes; by default the free memory.

    Raises:
        MemoryLimitError: If it would not fit into memory.
        InputError: If the test labels its targets, since the colours of nodes are not kept then.

    Example:
        >>> from linkwl.graph import Graph
        >>> from linkwl.wl.refine import refine
        >>> verify(refine(Graph.from_pairs([(0, 1), (1, 2)], num_nodes=3), "2-fwl"))
        True
    """
    if not colourings:
        raise ValueError("`verify` takes at least one colouring.")
    test = colourings[0].test
    if any(colouring.test != test for colouring in colourings):
        raise ValueError("`verify` takes colourings of one test.")
    nodes = [colouring for colouring in colourings if isinstance(colouring, NodeColouring)]
    if len(nodes) == len(colourings):
        return _nodes_are_stable(nodes, hears_all=test == "2-wl")
    pairs = [colouring for colouring in colourings if isinstance(colouring, PairColouring)]
    if colourings[0].unit == "link" or len(pairs) != len(colourings):
        raise InputError(f"there is no proof for {test}, whose runs are not kept; use the exact engine to be certain.")
    if test in ("2-wl", "local-2-wl"):
        return _pairs_are_stable_by_definition(pairs)
    num_pairs = sum(colouring.matrix.size for colouring in pairs)
    remedy = "skip the proof, or use a smaller graph"
    check_memory(64.0 * num_pairs, f"the proof for {num_pairs} pairs", remedy, limit=memory_limit)
    return _pairs_are_stable(pairs, is_local=test == "local-2-fwl")


def _nodes_are_stable(colourings: Sequence[NodeColouring], *, hears_all: bool) -> bool:
    colours = np.concatenate([colouring.colours for colouring in colourings])
    first = _first_of_class(colours)
    labels = np.concatenate([colouring.labels for colouring in colourings])
    if not np.array_equal(labels, labels[first]):
        return False
    if hears_all and not _histograms_agree([colouring.colours for colouring in colourings]):
        return False
    heard = np.concatenate([c.colours[c.graph.col] for c in colourings])
    degree = np.concatenate([c.graph.degree for c in colourings])
    rowptr = np.append(0, np.cumsum(degree))
    heard = heard[np.lexsort((heard, np.repeat(np.arange(len(degree)), degree)))]
    return bool(_rows_agree(rowptr, heard, first))


def _histograms_agree(colours: Sequence[IntArray]) -> bool:
    """Whether any two graphs that share a colour have the same number of nodes of every colour."""
    owner: dict[int, int] = {}  # the first graph with a colour
    histograms = [
        dict(zip(*(part.tolist() for part in np.unique(own, return_counts=True)), strict=True)) for own in colours
    ]
    for i, histogram in enumerate(histograms):
        owners = {owner.setdefault(colour, i) for colour in histogram}
        if any(histograms[k] != histogram for k in owners):
            return False
    return True


@kernel
def _rows_agree(rowptr, heard, first):  # type: ignore[no-untyped-def]
    for v in range(len(first)):
        mine, other = rowptr[v], rowptr[first[v]]
        if rowptr[v + 1] - mine != rowptr[first[v] + 1] - other:
            return False
        for k in range(rowptr[v + 1] - mine):
            if heard[mine + k] != heard[other + k]:
                return False
    return True


def _pairs_are_stable(colourings: Sequence[PairColouring], *, is_local: bool) -> bool:
    colours = np.concatenate([colouring.matrix.reshape(-1) for colouring in colourings])
    first = _first_of_class(colours)
    start = np.concatenate([_first_colours(colouring) for colouring in colourings])
    if not np.array_equal(start, start[first]):
        return False
    sizes = np.array([colouring.graph.num_nodes for colouring in colourings])
    rowptr = np.append(0, np.cumsum(np.concatenate([colouring.graph.degree for colouring in colourings])))
    col = np.concatenate([colouring.graph.col for colouring in colourings])
    node_start, pair_start = (np.append(0, np.cumsum(count)) for count in (sizes, sizes**2))
    # Members of a class are adjacent, so the multiset of its first member is written out once.
    others = np.flatnonzero(first != np.arange(len(first)))
    others = others[np.argsort(first[others], kind="stable")]
    num_colours = int(colours.max(initial=0)) + 1

    def agree(begin: int, end: int) -> bool:
        chosen = others[begin:end]
        return _pairs_agree(colours, first, chosen, rowptr, col, node_start, pair_start, num_colours, is_local)

    return all(run_ranges(agree, len(others), smallest=256))


def _pairs_are_stable_by_definition(colourings: Sequence[PairColouring]) -> bool:
    """The same for pairs that only the exact engine colours, with dictionaries."""
    known: dict[int, tuple[int, Hashable]] = {}
    for colouring in colourings:
        n = colouring.graph.num_nodes
        near = [set(colouring.graph.neighbours(v).tolist()) for v in range(n)]
        colours: Colours = {(p, q): int(colouring.matrix[p, q]) for p in range(n) for q in range(n)}
        for (pair, colour), start in zip(colours.items(), _first_colours(colouring).tolist(), strict=True):
            signature = (start, EXACT[colouring.test].hear(near, colours, pair))
            if known.setdefault(colour, signature) != signature:
                return False
    return True


def _first_colours(colouring: PairColouring) -> IntArray:
    """The colours of round 0 as numbers that agree across graphs."""
    graph, labels = colouring.graph, colouring.labels
    n = graph.num_nodes
    kind = np.zeros((n, n), dtype=np.int64)
    kind[np.repeat(np.arange(n), graph.degree), graph.col] = 1
    np.fill_diagonal(kind, 2)
    return ((labels[:, None] * (1 << 30) + labels[None, :]) * 3 + kind).reshape(-1)


def _first_of_class(colours: IntArray) -> IntArray:
    """For every position, the first position with the same colour."""
    first = np.empty(int(colours.max(initial=0)) + 1, dtype=np.int64)
    first[colours[::-1]] = np.arange(len(colours))[::-1]  # of several assignments, the last one wins
    return first[colours]


@kernel
def _pairs_agree(  # type: ignore[no-untyped-def]
    colours, first, members, rowptr, col, node_start, pair_start, num_colours, is_local
):
    width = 0
    for graph in range(len(node_start) - 1):
        width = max(width, node_start[graph + 1] - node_start[graph])
    mine, other = np.empty(width, dtype=np.int64), np.empty(width, dtype=np.int64)
    known, known_length = -1, 0
    for i in members:
        if first[i] != known:
            known = first[i]
            known_length = _write_out(colours, known, rowptr, col, node_start, pair_start, num_colours, is_local, other)
        length = _write_out(colours, i, rowptr, col, node_start, pair_start, num_colours, is_local, mine)
        if length != known_length:
            return False
        for k in range(length):
            if mine[k] != other[k]:
                return False
    return True


@kernel
def _write_out(  # type: ignore[no-untyped-def]
    colours, pair, rowptr, col, node_start, pair_start, num_colours, is_local, out
):
    """Writes the sorted multiset that a pair hears to ``out``, one number per (c(p, u), c(u, q)); returns its size."""
    graph = 0
    while pair >= pair_start[graph + 1]:
        graph += 1
    base, nodes = pair_start[graph], node_start[graph + 1] - node_start[graph]
    p, q = (pair - base) // nodes, (pair - base) % nodes
    if not is_local:
        for u in range(nodes):
            out[u] = colours[base + p * nodes + u] * num_colours + colours[base + u * nodes + q]
        out[:nodes].sort()
        return nodes
    i, end_i = rowptr[node_start[graph] + p], rowptr[node_start[graph] + p + 1]
    j, end_j = rowptr[node_start[graph] + q], rowptr[node_start[graph] + q + 1]
    length = 0
    while i < end_i or j < end_j:  # both rows ascend: iterate over their union
        if j == end_j or (i < end_i and col[i] <= col[j]):
            u = col[i]
            if j < end_j and col[j] == u:
                j += 1
            i += 1
        else:
            u = col[j]
            j += 1
        out[length] = colours[base + p * nodes + u] * num_colours + colours[base + u * nodes + q]
        length += 1
    out[:length].sort()
    return length
