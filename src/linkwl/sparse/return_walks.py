"""First returns of random walks to the ends of a pair, in the subgraph around it."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.rows import parts_for_threads
from linkwl.threads import run_all
from linkwl.typing import FloatArray, IntArray


def first_returns(
    node_ptr: IntArray, ends: IntArray, rowptr: IntArray, col: IntArray, weight: FloatArray, length: int
) -> FloatArray:
    r"""Weights of the walks between the ends i, j of a pair, or from one back to itself, with no end in between.

    .. math::
        F_\tau[a, b] = \sum_{a \to r_1 \to \cdots \to r_{\tau - 1} \to b}
            w_{a r_1} w_{r_1 r_2} \cdots w_{r_{\tau - 1} b}, \qquad r_k \notin \{i, j\}

    Two vectors are propagated, so the time of each head is that of ``2 * length`` products of the subgraph with a
    vector. A pair is computed by one thread, so the bits depend neither on the other pairs nor on the number of
    threads.

    Args:
        node_ptr: The nodes of pair i are ``node_ptr[i] : node_ptr[i + 1]``.
        ends: The two ends of each pair, among its nodes; shape ``(num_pairs, 2)``. If they are the same node, all four
            numbers of a length are equal.
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours; those of a node belong to the same pair.
        weight: Weights of the entries of ``col``, contiguous; each head has its own.
        length: The longest walk, at least 1.

    Shape:
        - weight: ``(num_entries, heads)``
        - output: ``(num_pairs, heads, length, 2, 2)``, walks of one step first
    """
    out = np.zeros((len(ends), weight.shape[1], length, 2, 2), dtype=weight.dtype)
    parts = parts_for_threads(rowptr[node_ptr], 2 * length * weight.shape[1])
    run_all(lambda part: _first_returns(node_ptr, ends, rowptr, col, weight, out, *part), parts)
    return out


def first_returns_gradient(
    node_ptr: IntArray, ends: IntArray, rowptr: IntArray, col: IntArray, weight: FloatArray, grad: FloatArray
) -> FloatArray:
    """The gradient of :func:`first_returns` by ``weight``; the walks are computed again rather than stored.

    Shape:
        - weight, output: ``(num_entries, heads)``
        - grad: ``(num_pairs, heads, length, 2, 2)``, contiguous
    """
    out = np.zeros_like(weight)
    parts = parts_for_threads(rowptr[node_ptr], 6 * grad.shape[2] * weight.shape[1])
    run_all(lambda part: _gradient(node_ptr, ends, rowptr, col, weight, grad, out, *part), parts)
    return out


@kernel
def _walk(rowptr, col, weight, head, start, size, i, j, h, returns):
    """Writes the first returns, and in ``h[t, v]`` the weights of walks of t steps from v to either end."""
    h[0, :size] = 0
    h[0, i, 0] = 1
    h[0, j, 1] = 1
    for t in range(len(returns)):
        for v in range(size):
            to_i, to_j = h[0, 0, 0] * 0, h[0, 0, 0] * 0
            for e in range(rowptr[start + v], rowptr[start + v + 1]):
                u = col[e] - start
                to_i += weight[e, head] * h[t, u, 0]
                to_j += weight[e, head] * h[t, u, 1]
            h[t + 1, v, 0], h[t + 1, v, 1] = to_i, to_j
        returns[t, 0] = h[t + 1, i]
        returns[t, 1] = h[t + 1, j]
        h[t + 1, i] = 0  # a walk ends where it meets an end
        h[t + 1, j] = 0


@kernel
def _first_returns(node_ptr, ends, rowptr, col, weight, out, first, last):
    h = _vectors(node_ptr, weight, out.shape[2], first, last)
    for k in range(first, last):
        start, size = node_ptr[k], node_ptr[k + 1] - node_ptr[k]
        i, j = ends[k, 0] - start, ends[k, 1] - start
        for head in range(weight.shape[1]):
            _walk(rowptr, col, weight, head, start, size, i, j, h, out[k, head])


@kernel
def _gradient(node_ptr, ends, rowptr, col, weight, grad, out, first, last):
    length = grad.shape[2]
    h = _vectors(node_ptr, weight, length, first, last)
    y, x = np.empty_like(h[0]), np.empty_like(h[0])  # the gradients by h[t + 1] and by h[t]
    returns = np.empty((length, 2, 2), dtype=weight.dtype)
    for k in range(first, last):
        start, size = node_ptr[k], node_ptr[k + 1] - node_ptr[k]
        i, j = ends[k, 0] - start, ends[k, 1] - start
        for head in range(weight.shape[1]):
            _walk(rowptr, col, weight, head, start, size, i, j, h, returns)
            y[:size] = 0
            for t in range(length - 1, -1, -1):
                y[i] = 0
                y[j] = 0
                y[i] += grad[k, head, t, 0]
                y[j] += grad[k, head, t, 1]
                x[:size] = 0
                for v in range(size):
                    for e in range(rowptr[start + v], rowptr[start + v + 1]):
                        u, w = col[e] - start, weight[e, head]
                        out[e, head] += y[v, 0] * h[t, u, 0] + y[v, 1] * h[t, u, 1]
                        x[u, 0] += w * y[v, 0]
                        x[u, 1] += w * y[v, 1]
                y, x = x, y


@kernel
def _vectors(node_ptr, weight, length, first, last):
    """Room for the vectors of the largest subgraph."""
    most = 0
    for k in range(first, last):
        most = max(most, node_ptr[k + 1] - node_ptr[k])
    return np.empty((length + 1, most, 2), dtype=weight.dtype)
