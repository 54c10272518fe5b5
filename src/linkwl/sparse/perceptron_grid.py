"""Perceptrons on every relation of many pairs, with a first layer that is a sum of shared parts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import BoolArray, FloatArray, IntArray

# The product of a chunk and a layer stays below the size from which BLAS starts threads of its own.
_CHUNK = 256


class FirstLayer(NamedTuple):
    """The first layer of perceptrons with C = members * hidden channels, before the ReLU, as a sum of parts."""

    head_rows: FloatArray
    """Of each head and relation: ``(num_heads, num_relations, C)``."""
    tail_rows: FloatArray
    """Of each tail and relation: ``(num_tails, num_relations, C)``."""
    pair_rows: FloatArray
    """Of each pair: ``(num_pairs, C)``."""
    head: IntArray
    """The head of each pair, an index of ``head_rows``; int64."""
    tail: IntArray
    """The tail of each pair, an index of ``tail_rows``; int64."""
    entries: FloatArray
    """Features of each triple that are mostly 0: ``(num_pairs, num_relations, num_features)``, float32."""
    entry_rows: FloatArray
    """The weights of these features: ``(num_features, C)``."""
    head_flag: BoolArray
    """``(num_heads, num_relations)``"""
    tail_flag: BoolArray
    """``(num_tails, num_relations)``"""
    flag_row: FloatArray
    """What is added if both flags are set: ``(C,)``."""


def first_rows(features: FloatArray, weights: FloatArray, base: FloatArray) -> FloatArray:
    """The part of the first layer that comes from the features of each end and relation, in the type of the weights.

    Shape:
        - features: ``(num_ends, num_relations, num_features)``
        - weights: ``(num_features, C)``
        - base: ``(num_relations, C)``, added to each end
        - output: ``(num_ends, num_relations, C)``
    """
    out = np.empty((*features.shape[:2], weights.shape[1]), dtype=weights.dtype)
    run_ranges(
        lambda start, stop: _write_rows(features[start:stop], weights, base, out[start:stop]), len(out), smallest=8
    )
    return out


@kernel
def _write_rows(features, weights, base, out):
    num_ends, num_relations, num_features = features.shape
    for e in range(num_ends):
        for r in range(num_relations):
            row = out[e, r]
            row[:] = base[r]
            for k in range(num_features):
                value = weights.dtype.type(features[e, r, k])
                if value != 0:
                    for c in range(len(row)):
                        row[c] += value * weights[k, c]


def add_perceptrons(first: FirstLayer, hidden: FloatArray, bias: FloatArray, last: FloatArray, out: FloatArray) -> None:
    r"""Adds :math:`\sum_m \mathbf{v}_m^\top \mathrm{relu}(W_m \mathrm{relu}(\mathbf{x}_m) + \mathbf{b}_m)` to entries.

    The first layer :math:`\mathbf{x}` of a triple is put together from its parts, so time is spent on the second one.

    Args:
        first: The parts.
        hidden: The second layer of each member.
        bias: Its bias.
        last: The third layer.
        out: The sums, to which is added.

    Shape:
        - hidden: ``(members, hidden, hidden)``
        - bias, last: ``(members, hidden)``
        - out: ``(num_pairs, num_relations)``
    """
    run_ranges(
        lambda start, stop: _add(first, hidden, bias, last, out, start, stop),
        len(out),
        smallest=max(1, 1024 // len(bias)),
    )


@kernel
def _add(first, hidden, bias, last, out, begin, end):
    members, width = bias.shape
    num_relations = out.shape[1]
    x = np.zeros((members, _CHUNK, width), dtype=hidden.dtype)
    y = np.empty((_CHUNK, width), dtype=hidden.dtype)
    for start in range(begin * num_relations, end * num_relations, _CHUNK):
        stop = min(start + _CHUNK, end * num_relations)
        for place in range(start, stop):
            _fill(first, place // num_relations, place % num_relations, x[:, place - start])
        for m in range(members):
            np.dot(x[m], hidden[m], y)
            for place in range(start, stop):
                row = y[place - start]
                total = hidden.dtype.type(0)
                for j in range(width):
                    total += max(row[j] + bias[m, j], 0) * last[m, j]
                out[place // num_relations, place % num_relations] += total


@kernel
def _fill(first, pair, relation, x):
    """The first layer of a triple after the ReLU: ``(members, hidden)``."""
    members, width = x.shape
    head, tail = first.head[pair], first.tail[pair]
    of_head, of_tail = first.head_rows[head, relation], first.tail_rows[tail, relation]
    of_pair, entries = first.pair_rows[pair], first.entries[pair, relation]
    has_both = first.head_flag[head, relation] and first.tail_flag[tail, relation]
    for m in range(members):
        for j in range(width):
            c = m * width + j
            x[m, j] = of_head[c] + of_tail[c] + of_pair[c]
        if has_both:
            for j in range(width):
                x[m, j] += first.flag_row[m * width + j]
    for k in range(len(entries)):
        value = entries[k]
        if value != 0:
            for m in range(members):
                for j in range(width):
                    x[m, j] += value * first.entry_rows[k, m * width + j]
    for m in range(members):
        for j in range(width):
            x[m, j] = max(x[m, j], 0)
