"""A linear map of sparse rows, and their principal axes; the cost depends on the stored entries, not the width."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
import torch
from scipy.sparse.linalg import LinearOperator, eigsh
from torch import Tensor, nn
from torch.autograd.function import FunctionCtx

from linkwl.nn.kernels import has_kernels
from linkwl.nn.norms import dropout
from linkwl.sparse import weighted_row_sums
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray

# As a fraction of the largest singular value; smaller ones are rounding errors.
_SMALLEST = 1e-6


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Node features in compressed rows; the kernels' view of a SciPy CSR array."""

    rowptr: IntArray
    col: IntArray
    value: FloatArray
    num_columns: int

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return len(self.rowptr) - 1

    @cached_property
    def row(self) -> IntArray:
        """The row of every entry."""
        return np.repeat(np.arange(self.num_rows, dtype=np.int32), np.diff(self.rowptr))

    @cached_property
    def transposed(self) -> tuple[IntArray, IntArray, IntArray]:
        """Compressed columns: their boundaries, the row of each entry, and the entry's position in :attr:`value`."""
        order = np.argsort(self.col, kind="stable")
        ends = np.concatenate([[0], np.cumsum(np.bincount(self.col, minlength=self.num_columns))])
        return ends.astype(np.int64), self.row[order], order


class SparseLinear(nn.Module):
    r"""Linear layer for sparse rows, with dropout on their entries: :math:`\mathbf{y}_v = W f_v + \mathbf{b}`.

    Time grows with the stored entries. Other devices and types use a plain torch product.

    Args:
        in_channels: Width of the sparse rows.
        out_channels: Width of the result.
        dropout: Probability that an entry is dropped in a training step.
        bias: Whether there is one.

    Shape:
        - rows: ``num_rows`` rows of width ``in_channels``
        - output: ``(num_rows, out_channels)``
    """

    def __init__(self, in_channels: int, out_channels: int, dropout: float = 0.0, *, bias: bool = True) -> None:
        super().__init__()
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.dropout = dropout
        # Transposed, so that the weights of an input channel are contiguous.
        self.weight = nn.Parameter(torch.empty(in_channels, out_channels))
        self.bias = nn.Parameter(torch.empty(out_channels)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Glorot weights, no bias."""
        nn.init.xavier_uniform_(self.weight)
        if self.bias is not None:
            nn.init.zeros_(self.bias)

    @torch.no_grad()
    def start_at_principal_axes(self, rows: SparseRows, seed: int) -> None:
        """Initialises the map as latent semantic analysis: projection on the leading axes of the weighted rows.

        Entries of rare columns have more weight. With random weights, a few thousand links would have to show which
        columns are related, although the rows themselves show it.
        """
        axes = min(self.out_channels, self.in_channels - 1, rows.num_rows - 1)
        if axes < 1:
            return
        rarity = np.log(rows.num_rows / np.maximum(np.bincount(rows.col, minlength=self.in_channels), 1))
        matrix = sp.csr_array((rows.value * rarity[rows.col], rows.col, rows.rowptr), (rows.num_rows, self.in_channels))
        if not matrix.data.any():  # no column distinguishes rows
            return
        weight = rarity[:, None] * principal_axes(matrix, axes, seed) * np.sqrt(self.in_channels)
        self.weight[:, : weight.shape[1]] = torch.from_numpy(weight).to(self.weight)

    def forward(self, rows: SparseRows) -> Tensor:
        """Maps every row."""
        if rows.num_columns != self.in_channels:
            raise ValueError(f"`rows` must have {self.in_channels} columns, got {rows.num_columns}.")
        value = torch.tensor(rows.value, dtype=self.weight.dtype, device=self.weight.device)
        value = dropout(value, self.dropout, self.training)
        out = weighted_rows(self.weight, value, rows)
        return out if self.bias is None else out + self.bias

    def extra_repr(self) -> str:
        """Both widths and the dropout."""
        return f"{self.in_channels}, {self.out_channels}, dropout={self.dropout}"


def sparse_rows_times(rows: SparseRows, matrix: Tensor) -> Tensor:
    """The product of sparse rows with a constant matrix."""
    value = torch.tensor(rows.value, dtype=matrix.dtype, device=matrix.device)
    if has_kernels(matrix):
        return torch.from_numpy(_row_sums(rows.rowptr, rows.col, value.numpy(), matrix.contiguous().numpy()))
    return sparse_product(matrix, value, rows)


def weighted_rows(x: Tensor, value: Tensor, rows: SparseRows) -> Tensor:
    """Weighted sums of rows: ``out[i] = sum of value[k] * x[col[k]]`` over the entries k of row i.

    On the CPU, in float32 and float64, the products are never stored, and the bits do not depend on the number of
    threads. Entries are data there: only ``x`` has a gradient.

    Args:
        x: The rows that are summed.
        value: The weight of every entry, in place of ``rows.value``.
        rows: The entries.

    Shape:
        - x: ``(num_columns, channels)``
        - value: ``(num_entries,)``
        - output: ``(num_rows, channels)``
    """
    if has_kernels(x):
        out: Tensor = _SparseProduct.apply(x, value, rows)  # type: ignore[no-untyped-call]
        return out
    return sparse_product(x, value, rows)


def sparse_product(weight: Tensor, value: Tensor, rows: SparseRows) -> Tensor:
    """The plain version: ``out[row] += value * weight[column]`` for every entry."""
    row, col = (torch.from_numpy(index.astype(np.int64)).to(weight.device) for index in (rows.row, rows.col))
    out = weight.new_zeros(rows.num_rows, weight.shape[1])
    return out.index_add(0, row, value[:, None] * weight[col])


class _SparseProduct(torch.autograd.Function):
    """:func:`sparse_product` with kernels; entries are data, so only the weights have a gradient."""

    @staticmethod
    def forward(ctx: FunctionCtx, weight: Tensor, value: Tensor, rows: SparseRows) -> Tensor:
        ctx.value, ctx.rows = value.numpy(), rows  # type: ignore[attr-defined]
        return torch.from_numpy(_row_sums(rows.rowptr, rows.col, value.numpy(), weight.detach().contiguous().numpy()))

    @staticmethod
    def backward(ctx: FunctionCtx, *gradients: Tensor) -> tuple[Tensor, None, None]:
        ends, row, order = ctx.rows.transposed  # type: ignore[attr-defined]
        gradient = gradients[0].contiguous().numpy()
        return torch.from_numpy(_row_sums(ends, row, ctx.value[order], gradient)), None, None  # type: ignore[attr-defined]


def _row_sums(rowptr: IntArray, col: IntArray, value: FloatArray, x: FloatArray) -> FloatArray:
    out = np.empty((len(rowptr) - 1, x.shape[1]), dtype=x.dtype)
    run_ranges(lambda start, stop: weighted_row_sums(rowptr, col, value, x, start, stop, out), len(out), smallest=256)
    return out


def principal_axes(matrix: sp.csr_array, count: int, seed: int) -> FloatArray:
    """The leading right singular vectors of a matrix, as columns; the same bits for the same seed.

    Args:
        matrix: Real, with more than one row and column.
        count: Maximum number of vectors, less than the numbers of rows and columns; a lower rank gives fewer.
        seed: Seed of the start vector.

    Shape:
        - output: ``(num_columns, axes)``
    """
    num_rows, num_columns = matrix.shape
    rows = matrix if num_columns <= num_rows else matrix.T.tocsr()
    turned, size = rows.T.tocsr(), rows.shape[1]
    generator = np.random.default_rng(seed)
    product = LinearOperator((size, size), matvec=lambda x: turned @ (rows @ x), dtype=np.float64)
    # On a matrix of low rank the search restarts from random numbers, which must be seeded as well.
    _, vectors = eigsh(product, k=count, v0=generator.standard_normal(size), tol=0, rng=generator)
    basis, _ = np.linalg.qr(vectors)
    left, values, inner = np.linalg.svd(rows @ basis, full_matrices=False)
    is_kept = values > _SMALLEST * values.max(initial=0)
    axes = basis @ inner.T if rows is matrix else left
    return axes[:, is_kept]
