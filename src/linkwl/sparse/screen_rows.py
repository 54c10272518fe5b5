"""Inputs of whole rows of pairs in single precision, and a small perceptron that reads them.

Sixteen sources are taken together: their numbers, in single precision, fill a line of the processor's cache. The bits
of a pair do not depend on the other pairs or on the number of threads.
"""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.typing import FloatArray

LANES = 16
"""Number of sources whose rows are computed together."""
SMALLEST = np.float32(1e-7)
"""Added to numbers before their logarithm is taken."""
_UNIT = np.float32(1 / (1 << 23))
_TILE = 8  # targets whose pairs with all sources are read together


def log_scale(x: FloatArray) -> FloatArray:
    """The logarithm to base 2 of numbers that are not negative, about, plus 127; in single precision.

    The bits of a float, read as an integer, are its logarithm, with straight lines between the powers of 2. That is
    monotone and continuous, and takes hardly any time.
    """
    return (np.asarray(x, dtype=np.float32) + SMALLEST).view(np.int32).astype(np.float32) * _UNIT


@kernel(fastmath={"contract"})
def fill_walks(rowptr, col, weight, steps, sources, out, channel):
    """``out[v, channel + k, i]`` = the walks of k edges from ``sources[i]`` to v, for k = 0 .. ``steps``.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: The nodes from which a step leads to v.
        weight: The weights of these steps.
        steps: Length of the longest walks.
        sources: At most :data:`LANES` nodes.
        out: To be written, ``(num_nodes, channels, LANES)``.
        channel: The first of the channels to write.
    """
    total = np.zeros(LANES, dtype=np.float32)
    for v in range(len(out)):
        for lane in range(LANES):
            out[v, channel, lane] = 0
    for i in range(len(sources)):
        out[sources[i], channel, i] = 1
    for k in range(channel + 1, channel + steps + 1):
        for v in range(len(out)):
            for lane in range(LANES):
                total[lane] = 0
            for e in range(rowptr[v], rowptr[v + 1]):
                u, w = col[e], weight[e]
                for lane in range(LANES):
                    total[lane] += w * out[u, k - 1, lane]
            for lane in range(LANES):
                out[v, k, lane] = total[lane]


@kernel(fastmath={"contract"})
def fill_products(vectors, sources, first, out, channel):
    """``out[v, channel, i]`` = the product of the vectors of v and ``sources[i]``, for v from ``first`` on."""
    own = np.zeros((vectors.shape[1], LANES), dtype=np.float32)
    for i in range(len(sources)):
        own[:, i] = vectors[sources[i]]
    for v in range(first, len(vectors)):
        for lane in range(LANES):
            out[v, channel, lane] = 0
        for r in range(vectors.shape[1]):
            z = vectors[v, r]
            for lane in range(LANES):
                out[v, channel, lane] += z * own[r, lane]


@kernel(fastmath={"contract"})
def fill_squares(vectors, sources, first, out, channel):
    """``out[v, channel, i]`` = the squared distance of the vectors of v and ``sources[i]``."""
    own = np.zeros((vectors.shape[1], LANES), dtype=np.float32)
    for i in range(len(sources)):
        own[:, i] = vectors[sources[i]]
    for v in range(first, len(vectors)):
        for lane in range(LANES):
            out[v, channel, lane] = 0
        for r in range(vectors.shape[1]):
            z = vectors[v, r]
            for lane in range(LANES):
                out[v, channel, lane] += (z - own[r, lane]) ** 2


@kernel(fastmath={"contract"})
def perceive(
    inputs, chosen, is_log, pair_weight, at_source, at_target, middle_weight, middle_bias, last_weight, first, out
):
    r"""The scores of rows: :math:`w \cdot \text{relu}(V \text{relu}(U x_{pq} + a_p + b_q) + c)`.

    Args:
        inputs: Numbers of the pairs, ``(num_nodes, channels, LANES)``, float32, contiguous.
        chosen: The channels that make up :math:`x_{pq}`.
        is_log: Of each of these, whether its logarithm is read.
        pair_weight: U, transposed, ``(len(chosen), width)``.
        at_source: The vectors a of the sources, ``(width, LANES)``.
        at_target: The vectors b of all nodes, ``(num_nodes, width)``.
        middle_weight: V, ``(width, width)``; the width is a multiple of 4.
        middle_bias: c.
        last_weight: w.
        first: The first target.
        out: To be written, ``(LANES, num_nodes)``; targets before the first are left out.
    """
    channels, width = pair_weight.shape
    size = _TILE * LANES
    x = np.zeros((channels, size), dtype=np.float32)
    bits = x.view(np.int32)
    a, b, total = (
        np.zeros((width, size), dtype=np.float32),
        np.zeros(size, dtype=np.float32),
        np.zeros(size, dtype=np.float32),
    )
    for start in range(first, len(inputs), _TILE):
        count = min(_TILE, len(inputs) - start)
        for t in range(count):
            for c in range(channels):
                for lane in range(LANES):
                    x[c, t * LANES + lane] = inputs[start + t, chosen[c], lane]
        for c in range(channels):
            if is_log[c]:
                for i in range(size):
                    x[c, i] += SMALLEST
                for i in range(size):
                    x[c, i] = np.float32(bits[c, i]) * _UNIT
        for j in range(width):
            for t in range(count):
                here = at_target[start + t, j]
                for lane in range(LANES):
                    a[j, t * LANES + lane] = here + at_source[j, lane]
            for c in range(channels):
                w = pair_weight[c, j]
                for i in range(size):
                    a[j, i] += w * x[c, i]
            for i in range(size):
                a[j, i] = max(a[j, i], np.float32(0))
        total[:] = 0
        for j in range(width):
            b[:] = middle_bias[j]
            for k in range(0, width, 4):
                w0, w1 = middle_weight[j, k], middle_weight[j, k + 1]
                w2, w3 = middle_weight[j, k + 2], middle_weight[j, k + 3]
                for i in range(size):
                    b[i] += w0 * a[k, i] + w1 * a[k + 1, i] + w2 * a[k + 2, i] + w3 * a[k + 3, i]
            w = last_weight[j]
            for i in range(size):
                total[i] += w * max(b[i], np.float32(0))
        for t in range(count):
            for lane in range(LANES):
                out[lane, start + t] = total[t * LANES + lane]
