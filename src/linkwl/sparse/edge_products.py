"""Inner products of the vectors at both ends of every edge of subgraphs, for attention."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.rows import parts_for_threads
from linkwl.threads import run_all
from linkwl.typing import FloatArray, IntArray


def edge_products(
    graph_ptr: IntArray, rowptr: IntArray, col: IntArray, query: FloatArray, key: FloatArray
) -> FloatArray:
    """One number per entry and head: ``out[e, h] = sum of query[v, h] * key[col[e], h]`` for the entries e of row v.

    Args:
        graph_ptr: The nodes of subgraph i are ``graph_ptr[i] : graph_ptr[i + 1]``; no edge joins two subgraphs.
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours.
        query: Vectors of the first ends, contiguous.
        key: Vectors of the second ends, contiguous.

    Shape:
        - query, key: ``(num_nodes, heads, channels)``
        - output: ``(num_entries, heads)``
    """
    out = np.empty((len(col), query.shape[1]), dtype=query.dtype)
    parts = parts_for_threads(rowptr[graph_ptr], query.shape[1] * query.shape[2])
    run_all(lambda part: _products(graph_ptr, rowptr, col, query, key, out, *part), parts)
    return out


def edge_products_gradient(
    graph_ptr: IntArray, rowptr: IntArray, col: IntArray, query: FloatArray, key: FloatArray, grad: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The gradients of :func:`edge_products` by ``query`` and ``key``.

    A subgraph is computed by one thread, so the bits do not depend on their number.

    Shape:
        - grad: ``(num_entries, heads)``, contiguous
        - outputs: ``(num_nodes, heads, channels)``
    """
    by_query, by_key = np.zeros_like(query), np.zeros_like(key)
    parts = parts_for_threads(rowptr[graph_ptr], 2 * query.shape[1] * query.shape[2])
    run_all(lambda part: _gradient(graph_ptr, rowptr, col, query, key, grad, by_query, by_key, *part), parts)
    return by_query, by_key


@kernel(fastmath={"reassoc", "contract"})
def _products(graph_ptr, rowptr, col, query, key, out, first, last):
    heads, channels = query.shape[1:]
    for v in range(graph_ptr[first], graph_ptr[last]):
        for e in range(rowptr[v], rowptr[v + 1]):
            for h in range(heads):
                q, k = query[v, h], key[col[e], h]
                total = q[0] * 0
                for c in range(channels):
                    total += q[c] * k[c]
                out[e, h] = total


@kernel
def _gradient(graph_ptr, rowptr, col, query, key, grad, by_query, by_key, first, last):
    heads, channels = query.shape[1:]
    for v in range(graph_ptr[first], graph_ptr[last]):
        for e in range(rowptr[v], rowptr[v + 1]):
            for h in range(heads):
                g = grad[e, h]
                q, k = query[v, h], key[col[e], h]
                to_q, to_k = by_query[v, h], by_key[col[e], h]
                for c in range(channels):
                    to_q[c] += g * k[c]
                    to_k[c] += g * q[c]
