"""Columns of edges and nodes: weights, times, and the two sides of a bipartite graph."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from linkwl.errors import InputError
from linkwl.graph import csr
from linkwl.typing import BoolArray, FloatArray, IntArray

Merge: TypeAlias = Literal["sum", "last"]
"""The weight of an edge that is listed several times: the sum, or the weight of the last row."""

Times: TypeAlias = IntArray | FloatArray
"""int64 or float64."""


def merge(
    rowptr: IntArray,
    col: IntArray,
    source: IntArray,
    target: IntArray,
    is_directed: bool,
    *,
    weight: FloatArray | None,
    time: Times | None,
    rule: Merge,
) -> tuple[FloatArray | None, Times | None]:
    """Maps weights and times of rows ``source[i], target[i]`` to the entries of the compressed rows.

    Copies of an edge, and reversed copies of an undirected one, get one weight by the rule and the earliest time: an
    edge exists from then on.

    Raises:
        ValueError: If there is not one number per row.
        InputError: If the weights of duplicates add up to more than their type can hold.
    """
    if rule not in get_args(Merge):
        raise ValueError(f"`merge` must be one of {get_args(Merge)}, got {rule!r}.")
    if weight is None and time is None:
        return None, None
    weight = None if weight is None else _as_weights(weight, len(source))
    time = None if time is None else _as_times(time, len(source))
    is_edge = source != target
    ends = source[is_edge].astype(np.int32), target[is_edge].astype(np.int32)
    if not is_directed:
        ends = np.minimum(*ends), np.maximum(*ends)
    edge = csr.find(rowptr, col, np.stack(ends, axis=1))
    num_edges = len(col)
    if not is_directed:
        number = np.cumsum(csr.is_upper(rowptr, col)) - 1
        edge, num_edges = number[edge], num_edges // 2

    def at_entries(values: Any) -> Any:
        return values if is_directed else csr.labels_of_entries(rowptr, col, values)

    if weight is not None:
        weight = at_entries(_merge_weights(weight[is_edge], edge, num_edges, rule))
    if time is not None:
        time = at_entries(_earliest(time[is_edge], edge, num_edges))
    return weight, time


def _merge_weights(weight: FloatArray, edge: IntArray, num_edges: int, rule: Merge) -> FloatArray:
    merged = np.zeros(num_edges, dtype=weight.dtype)
    if rule == "last" or len(edge) == num_edges:
        merged[edge] = weight  # of several values for one edge, the last one wins
    elif num_edges:
        order = np.lexsort((weight, edge))  # so that the sum does not depend on the order of the rows
        starts = np.searchsorted(edge[order], np.arange(num_edges))
        with np.errstate(over="ignore", invalid="ignore"):
            merged[:] = np.add.reduceat(weight[order], starts)
        if np.isfinite(weight).all() and not np.isfinite(merged).all():
            raise InputError(f"the weights of an edge add up to more than {weight.dtype} can hold; scale them down.")
    return merged


def _earliest(time: Any, edge: IntArray, num_edges: int) -> Any:
    earliest = np.full(num_edges, time.max(initial=0), dtype=time.dtype)
    np.minimum.at(earliest, edge, time)
    return earliest


def _as_weights(values: Any, num_rows: int) -> FloatArray:
    array = np.asarray(values)
    if array.shape != (num_rows,) or array.dtype.kind not in "biuf":
        raise ValueError(f"`weight` must hold one number per row ({num_rows}), got {array.dtype} {array.shape}.")
    return array.astype(np.float32 if array.dtype.kind == "f" and array.dtype.itemsize == 4 else np.float64)


def _as_times(values: Any, num_rows: int) -> Times:
    array = np.asarray(values)
    if array.shape != (num_rows,) or array.dtype.kind not in "iuf":
        raise ValueError(f"`time` must hold one number per row ({num_rows}), got {array.dtype} {array.shape}.")
    if not np.isfinite(array).all():  # before the earliest of duplicates is kept
        raise ValueError("`time` must hold finite numbers.")
    return array.astype(np.float64) if array.dtype.kind == "f" else array.astype(np.int64)


def merge_notes(weight: FloatArray | None, time: Times | None, rule: Merge) -> list[str]:
    """How the columns of duplicates were merged, for the intake."""
    notes = []
    if weight is not None:
        notes.append("weights of copies added up" if rule == "sum" else "last weight of copies kept")
    if time is not None:
        notes.append("earliest time of copies kept")
    return notes


def kept(
    weight: FloatArray | None, time: Times | None, label: IntArray, is_kept: BoolArray
) -> tuple[FloatArray | None, Times | None]:
    """The columns at the entries whose label is kept; one label per entry, one flag per label."""
    if weight is None and time is None:
        return None, None
    entries = np.flatnonzero(is_kept[label])
    return None if weight is None else weight[entries], None if time is None else time[entries]


def extended(weight: FloatArray | None, time: Times | None, count: int) -> tuple[FloatArray | None, Times | None]:
    """The columns of edges, extended by ``count`` edges of weight 1 and the latest time."""
    if weight is not None:
        weight = np.append(weight, np.ones(count, dtype=weight.dtype))
    if time is not None:
        time = np.append(time, np.full(count, time.max() if len(time) else 0, dtype=time.dtype))
    return weight, time


def as_parts(part: Any) -> IntArray:
    """The sides of the nodes as int8.

    Raises:
        ValueError: If they are numbers other than 0 and 1.
    """
    array = np.asarray(part)
    if array.dtype.kind not in "biu" or not np.isin(array, (0, 1)).all():
        raise ValueError("`part` must hold 0 or 1 for each node.")
    return array.astype(np.int8)


def check(
    rowptr: IntArray,
    col: IntArray,
    weight: FloatArray | None,
    time: Times | None,
    part: IntArray | None,
) -> None:
    """Raises ValueError unless weights and times fit the entries, and every edge joins the two sides."""
    for name, values, dtypes in (("weight", weight, ("f4", "f8")), ("time", time, ("i8", "f8"))):
        if values is None:
            continue
        if values.shape != col.shape or values.dtype not in dtypes:
            raise ValueError(
                f"`{name}` must hold one number per entry of `col` ({len(col)}), got {values.dtype} {values.shape}."
            )
        if not np.isfinite(values).all():
            raise ValueError(f"`{name}` must hold finite numbers.")
    if part is None:
        return
    if part.shape != (len(rowptr) - 1,) or part.dtype != np.int8 or part.min(initial=0) < 0 or part.max(initial=0) > 1:
        raise ValueError(f"`part` must hold 0 or 1 for each node ({len(rowptr) - 1}), got {part.dtype} {part.shape}.")
    entry = csr.entry_on_one_side(rowptr, col, part)
    if entry >= 0:
        p, q = int(np.searchsorted(rowptr, entry, side="right")) - 1, int(col[entry])
        raise ValueError(f"nodes {p} and {q} are joined and both on side {part[p]}; an edge must join the two sides.")
