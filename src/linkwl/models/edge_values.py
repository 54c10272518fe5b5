"""The weights and times of edges, as numbers for models that learn from them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.nn.directed_weighted_walks import DirectedValues
from linkwl.nn.weighted_walks import EdgeValues, weighted_channels
from linkwl.typing import FloatArray

ALONG = "has_directed_values"
"""The entry of a shape that says that walks by weight follow directions; earlier releases did not have it."""
_QUANTILES = (0.1, 0.5)
"""The half-lives, as quantiles of the ages of the edges."""


def values_shape(graph: Graph) -> dict[str, int]:
    """Which columns the edges have, and whether along a direction, as a part of a model's shape; empty if none."""
    columns = {"has_weights": graph.weight, "has_times": graph.time}
    known = {name: 1 for name, column in columns.items() if column is not None}
    return known | {ALONG: 1} if known and graph.is_directed else known


def num_values(shape: Mapping[str, int]) -> int:
    """Number of kinds of weights that a model of this shape reads."""
    return shape.get("has_weights", 0) + len(_QUANTILES) * shape.get("has_times", 0)


def value_channels(shape: Mapping[str, int], steps: int) -> int:
    """Width of what is read of weights and times, for a model of this shape."""
    count, is_directed = num_values(shape), bool(shape.get(ALONG))
    return weighted_channels(count, count + shape.get("has_times", 0), steps, is_directed=is_directed)


def edge_values(graph: Graph, shape: Mapping[str, int]) -> EdgeValues | None:
    r"""The weights and the recency of the edges of a graph, those that a model of this shape reads.

    The recency of an edge of age a is :math:`2^{-a / h}`: a is the time between it and the latest edge, and h, the
    half-life, a quantile of the ages. Numbers of a node are the sums of each kind of weight, for recency a number of
    recent edges, and with times the age of its latest edge. Directed edges also keep their directions, if a model of
    this shape reads them.
    """
    along = None
    if graph.is_directed and shape.get(ALONG):
        along = DirectedValues(graph.rowptr, graph.col, _positive(_columns(graph, shape)))
    graph = graph.links
    columns = _columns(graph, shape)
    if not columns:
        return None
    age = edge_ages(graph) if shape.get("has_times") else None
    row = np.repeat(np.arange(graph.num_nodes), graph.degree)
    numbers = [np.log1p(np.bincount(row, column, graph.num_nodes)) for column in columns]
    if age is not None:
        unit = half_lives(age)[-1]
        youngest = np.full(graph.num_nodes, age.max(initial=0.0))
        np.minimum.at(youngest, row, age)
        numbers.append(np.log1p(youngest / unit))
    return EdgeValues(graph.rowptr, graph.col, _positive(columns), np.stack(numbers, axis=1), along)


def _columns(graph: Graph, shape: Mapping[str, int]) -> list[FloatArray]:
    """The weights of each entry of ``col``, and its recency by each half-life."""
    columns: list[FloatArray] = []
    if shape.get("has_weights"):
        assert graph.relative_weight is not None
        columns.append(graph.relative_weight)
    if shape.get("has_times"):
        age = edge_ages(graph)
        columns += [np.exp2(-age / half_life) for half_life in half_lives(age)]
    return columns


def _positive(columns: list[FloatArray]) -> FloatArray:
    return np.maximum(np.stack(columns, axis=1), np.finfo(np.float32).tiny)


def edge_ages(graph: Graph) -> FloatArray:
    """The time from each entry of ``col`` to the latest edge."""
    assert graph.time is not None
    return (
        (graph.time.max(initial=graph.time.min(initial=0)) - graph.time).astype(np.float64)
        if len(graph.time)
        else np.zeros(0)
    )


def half_lives(age: FloatArray) -> list[float]:
    """The half-lives of recency, above 0; one time unit if all edges are of the same age."""
    positive = age[age > 0]
    return [float(np.quantile(positive, q)) if len(positive) else 1.0 for q in _QUANTILES]


def check_values(model: str, shape: Mapping[str, int], graph: Graph) -> None:
    """Raises InputError if a graph lacks weights or times that a model of this shape reads."""
    missing = shape.keys() & {"has_weights", "has_times"} - values_shape(graph).keys()
    for what in sorted(name.removeprefix("has_") for name in missing):
        of_matrix = " (--weight yes for the values of a matrix)" if what == "weights" else ""
        raise InputError(
            f"{model} was trained with the {what} of the edges, and {graph.name} has none; name the column that holds "
            f"them, with --{what[:-1]}{of_matrix}."
        )
