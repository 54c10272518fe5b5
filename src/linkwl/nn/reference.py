"""The operators in plain torch: for every device and type, and as a reference for the kernels."""

from __future__ import annotations

import torch
from torch import Tensor

from linkwl.nn.adjacency import Adjacency
from linkwl.sparse import Triples
from linkwl.sparse.pna import MIN_VARIANCE, MessageRows


def join(a: Tensor, b: Tensor, triples: Triples) -> Tensor:
    """``out[s] = sum of a[left[k]] * b[right[k]] over k in ptr[s] .. ptr[s + 1]``."""
    ptr, left, right = (torch.from_numpy(array).to(a.device) for array in (triples.ptr, triples.left, triples.right))
    return segment_sum(a.index_select(0, left) * b.index_select(0, right), ptr)


def neighbour_sum(x: Tensor, adjacency: Adjacency) -> Tensor:
    """``out[p] = sum of x[q] over q in N(p)``, each with the weight of (p, q) if edges have weights."""
    messages = x.index_select(0, adjacency.col)
    if adjacency.weight is not None:
        messages = messages * adjacency.weight.to(x.dtype)[:, None]
    return segment_sum(messages, adjacency.rowptr)


def segment_sum(values: Tensor, ptr: Tensor) -> Tensor:
    """``out[s] = sum of values[k] over k in ptr[s] .. ptr[s + 1]``."""
    num_out = len(ptr) - 1
    segment = torch.repeat_interleave(torch.arange(num_out, device=ptr.device), ptr.diff(), output_size=len(values))
    return values.new_zeros(num_out, values.shape[1]).index_add(0, segment, values)


def pna(x: Tensor, boundary: Tensor, rows: MessageRows) -> Tensor:
    """Mean, maximum, minimum and standard deviation over ``x[col[k]]`` and the boundary's message."""
    ptr, col, at_source = (torch.from_numpy(array).to(x.device) for array in rows)
    num_rows, channels = rows.num_rows, x.shape[1]
    row = torch.repeat_interleave(torch.arange(num_rows, device=x.device), ptr.diff(), output_size=len(col))
    first = at_source[:, None] * boundary
    messages = torch.cat([first, x.index_select(0, col)])
    row = torch.cat([torch.arange(num_rows, device=x.device), row])
    count = (ptr.diff() + 1)[:, None]
    mean = x.new_zeros(num_rows, channels).index_add(0, row, messages) / count
    deviations = (messages - mean.index_select(0, row)).square()
    variance = x.new_zeros(num_rows, channels).index_add(0, row, deviations) / count
    place = row[:, None].expand_as(messages)
    largest, smallest = (
        x.new_zeros(num_rows, channels).scatter_reduce(0, place, messages, kind, include_self=False)
        for kind in ("amax", "amin")
    )
    return torch.cat([mean, largest, smallest, variance.clamp(min=MIN_VARIANCE).sqrt()], dim=1)
