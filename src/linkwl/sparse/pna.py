"""Mean, maximum, minimum and standard deviation of gathered rows in one pass, and their gradient."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.rows import parts_for_threads
from linkwl.threads import run_all
from linkwl.typing import BoolArray, FloatArray, IntArray

MIN_VARIANCE = 1e-6
"""The variance that the standard deviation is taken of at least; below it there is no gradient."""
_CHUNK = 8  # channels of the maxima and minima that one thread writes the gradient of


class MessageRows(NamedTuple):
    """Which messages each row of an aggregation receives, besides one more from the boundary."""

    ptr: IntArray
    """Row i receives the messages ``col[ptr[i] : ptr[i + 1]]``; int64."""
    col: IntArray
    """Indices of messages; int32."""
    at_source: BoolArray
    """Whether the message from the boundary is the boundary vector; else it is 0."""

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return len(self.at_source)


def aggregate(x: FloatArray, boundary: FloatArray, rows: MessageRows) -> tuple[FloatArray, IntArray]:
    r"""Mean, maximum, minimum and standard deviation over the messages of each row.

    With :math:`k` messages and the one from the boundary,
    :math:`\sigma = \sqrt{\max(\tfrac{1}{k + 1} \sum (m - \mu)^2, 10^{-6})}`. The deviations are summed in a second
    pass, while the messages are in the cache: the mean of squares minus the square of the mean would lose the digits
    that matter.

    Args:
        x: The messages.
        boundary: The message from the boundary.
        rows: Who receives what.

    Returns:
        The four aggregates side by side, and the positions within the row of the largest and smallest message, the
        first of equal ones; -1 for the boundary.

    Shape:
        - x: ``(num_messages, channels)``
        - boundary: ``(channels,)``
        - output: ``(num_rows, 4 * channels)``, ``(num_rows, 2 * channels)``
    """
    channels = x.shape[1]
    out = np.empty((rows.num_rows, 4 * channels), dtype=x.dtype)
    chosen = np.empty((rows.num_rows, 2 * channels), dtype=np.int32)
    parts = parts_for_threads(rows.ptr, 4 * channels)
    run_all(lambda part: _aggregate(x, boundary, *rows, out, chosen, *part), parts)
    return out, chosen


def aggregate_gradient(
    grad: FloatArray, x: FloatArray, boundary: FloatArray, rows: MessageRows, out: FloatArray, chosen: IntArray
) -> tuple[FloatArray, FloatArray]:
    """The gradients of the messages and of the boundary, given that of the output of :func:`aggregate`.

    The gradient of message m by the mean and the deviation of row i is ``constant[i] + slope[i] * m``. So a message
    needs the sums of both over the rows that receive it, which one thread gathers. The gradients of maxima and minima
    are added where they belong, some channels at a time, so that no two threads write to one place.

    Shape:
        - grad, out: ``(num_rows, 4 * channels)``
        - output: ``(num_messages, channels)``, ``(channels,)``
    """
    channels = x.shape[1]
    grad_x, grad_boundary = np.empty_like(x), np.zeros_like(boundary)
    lines = np.empty((rows.num_rows, 2 * channels), dtype=x.dtype)
    run_all(lambda part: _write_lines(grad, out, rows.ptr, lines, *part), parts_for_threads(rows.ptr, channels))
    ptr, receiver = _turn(rows.ptr, rows.col, len(x))
    parts = parts_for_threads(ptr, 2 * channels)
    run_all(lambda part: _gather_lines(lines, ptr, receiver, x, grad_x, *part), parts)
    chunks = [(start, min(start + _CHUNK, channels)) for start in range(0, channels, _CHUNK)]
    run_all(lambda chunk: _add_chosen(grad, lines, boundary, *rows, chosen, grad_x, grad_boundary, *chunk), chunks)
    return grad_x, grad_boundary


@kernel
def _aggregate(x, boundary, ptr, col, at_source, out, chosen, first, last):
    c = x.shape[1]
    # Arrays of their own: the compiler could not tell that rows of the output do not overlap with the input.
    mean, top, low, deviation = np.empty(c, x.dtype), np.empty(c, x.dtype), np.empty(c, x.dtype), np.empty(c, x.dtype)
    top_at, low_at = np.empty(c, np.int32), np.empty(c, np.int32)
    nothing = x.dtype.type(0)
    for i in range(first, last):
        start, stop = ptr[i], ptr[i + 1]
        for j in range(c):
            value = boundary[j] if at_source[i] else nothing
            mean[j], top[j], low[j] = value, value, value
            top_at[j], low_at[j] = -1, -1
        for k in range(start, stop):
            q, place = col[k], np.int32(k - start)
            for j in range(c):
                value = x[q, j]
                mean[j] += value
                is_top = value > top[j]
                top_at[j] = place if is_top else top_at[j]
                top[j] = value if is_top else top[j]
            for j in range(c):
                value = x[q, j]
                is_low = value < low[j]
                low_at[j] = place if is_low else low_at[j]
                low[j] = value if is_low else low[j]
        weight = x.dtype.type(1 / (stop - start + 1))
        for j in range(c):
            mean[j] *= weight
            value = (boundary[j] if at_source[i] else nothing) - mean[j]
            deviation[j] = value * value
        for k in range(start, stop):
            q = col[k]
            for j in range(c):
                value = x[q, j] - mean[j]
                deviation[j] += value * value
        for j in range(c):
            out[i, j], out[i, c + j], out[i, 2 * c + j] = mean[j], top[j], low[j]
            out[i, 3 * c + j] = np.sqrt(max(deviation[j] * weight, x.dtype.type(MIN_VARIANCE)))
            chosen[i, j], chosen[i, c + j] = top_at[j], low_at[j]


@kernel
def _write_lines(grad, out, ptr, lines, first, last):
    """Constant and slope of each row."""
    c = lines.shape[1] // 2
    smallest = np.sqrt(out.dtype.type(MIN_VARIANCE))
    for i in range(first, last):
        weight = out.dtype.type(1 / (ptr[i + 1] - ptr[i] + 1))
        for j in range(c):
            deviation = out[i, 3 * c + j]
            slope = weight * grad[i, 3 * c + j] / deviation if deviation > smallest else out.dtype.type(0)
            lines[i, j], lines[i, c + j] = weight * grad[i, j] - slope * out[i, j], slope


@kernel
def _turn(ptr, col, num_messages):
    """The rows that receive each message, ascending."""
    start = np.zeros(num_messages + 1, dtype=np.int64)
    for k in range(len(col)):
        start[col[k] + 1] += 1
    for q in range(num_messages):
        start[q + 1] += start[q]
    cursor, receiver = start[:-1].copy(), np.empty(len(col), dtype=np.int32)
    for i in range(len(ptr) - 1):
        for k in range(ptr[i], ptr[i + 1]):
            q = col[k]
            receiver[cursor[q]] = i
            cursor[q] += 1
    return start, receiver


@kernel
def _gather_lines(lines, ptr, receiver, x, grad_x, first, last):
    c = x.shape[1]
    total = np.empty(2 * c, dtype=x.dtype)
    for q in range(first, last):
        total[:] = 0
        for k in range(ptr[q], ptr[q + 1]):
            i = receiver[k]
            for j in range(2 * c):
                total[j] += lines[i, j]
        for j in range(c):
            grad_x[q, j] = total[j] + total[c + j] * x[q, j]


@kernel
def _add_chosen(grad, lines, boundary, ptr, col, at_source, chosen, grad_x, grad_boundary, first_channel, last_channel):
    c = grad_x.shape[1]
    for i in range(len(at_source)):
        for j in range(first_channel, last_channel):
            top_at, low_at = chosen[i, j], chosen[i, c + j]
            if top_at >= 0:
                grad_x[col[ptr[i] + top_at], j] += grad[i, c + j]
            if low_at >= 0:
                grad_x[col[ptr[i] + low_at], j] += grad[i, 2 * c + j]
        if at_source[i]:
            for j in range(first_channel, last_channel):
                grad_boundary[j] += lines[i, j] + lines[i, c + j] * boundary[j]
                if chosen[i, j] < 0:
                    grad_boundary[j] += grad[i, c + j]
                if chosen[i, c + j] < 0:
                    grad_boundary[j] += grad[i, 2 * c + j]
