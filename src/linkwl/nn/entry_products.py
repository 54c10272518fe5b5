"""Entries of a matrix product: only those that are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from linkwl.nn.kernels import has_kernels
from linkwl.sparse import entry_sums, weighted_row_sums
from linkwl.sparse.rows import starts
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray

_SMALLEST = 1024  # entries; for fewer, starting another thread does not pay


@dataclass(frozen=True, eq=False)
class Entries:
    """Rows and columns of the entries; both int64."""

    row: IntArray
    col: IntArray
    num_rows: int
    num_columns: int

    @cached_property
    def by_row(self) -> tuple[IntArray, IntArray]:
        """The start of each row's entries, and the entries by ascending row."""
        return starts(np.bincount(self.row, minlength=self.num_rows)), np.argsort(self.row, kind="stable")

    @cached_property
    def by_column(self) -> tuple[IntArray, IntArray]:
        """The start of each column's entries, and the entries by ascending column."""
        return starts(np.bincount(self.col, minlength=self.num_columns)), np.argsort(self.col, kind="stable")


def entry_products(z: Tensor, weight: Tensor, entries: Entries) -> Tensor:
    """Entries of ``z @ weight.T``: ``out[k] = sum of z[row[k]] * weight[col[k]]``.

    The other entries are never computed, nor are the chosen rows copied, forward or backward.

    Shape:
        - z: ``(num_rows, channels)``
        - weight: ``(num_columns, channels)``
        - output: ``(num_entries,)``
    """
    if not has_kernels(z) or z.dtype != weight.dtype:
        row, col = (torch.from_numpy(index).to(z.device) for index in (entries.row, entries.col))
        return (z[row] * weight[col]).sum(1)
    return _EntryProducts.apply(z, weight, entries)  # type: ignore[no-untyped-call]


class _EntryProducts(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, z: Tensor, weight: Tensor, entries: Entries) -> Tensor:
        ctx.save_for_backward(z, weight)
        ctx.entries = entries
        out = np.empty(len(entries.row), dtype=_array(z).dtype)
        arrays = _array(z), _array(weight), entries.row, entries.col, out
        run_ranges(lambda start, stop: entry_sums(*arrays, start, stop), len(out), smallest=_SMALLEST)
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        (z, weight), entries = ctx.saved_tensors, ctx.entries
        grad = _array(grad_outputs[0])
        needs_z, needs_weight, _ = ctx.needs_input_grad
        return (
            _scatter(grad, _array(weight), entries.by_row, entries.col) if needs_z else None,
            _scatter(grad, _array(z), entries.by_column, entries.row) if needs_weight else None,
            None,
        )


def _array(x: Tensor) -> FloatArray:
    return x.detach().contiguous().numpy()


def _scatter(grad: FloatArray, x: FloatArray, groups: tuple[IntArray, IntArray], other: IntArray) -> Tensor:
    """For each group of entries the sum of the gradient times the other factor."""
    ptr, order = groups
    out = np.empty((len(ptr) - 1, x.shape[1]), dtype=x.dtype)
    index, value = other[order], grad[order]
    run_ranges(lambda start, stop: weighted_row_sums(ptr, index, value, x, start, stop, out), len(out), smallest=64)
    return torch.from_numpy(out)
