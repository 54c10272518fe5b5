"""Converts node labels of any kind to integers that agree across graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.typing import IntArray

Labels: TypeAlias = ArrayLike | Mapping[Any, Any]
"""One label per node: numbers or strings, or rows of them; in node order, or by node name."""


def shared_labels(graphs: Sequence[Graph], labels: Sequence[Labels | None]) -> list[IntArray]:
    """One integer per node of each graph; all zero if no graph has labels.

    Raises:
        InputError: If labels do not fit their graph or each other.
    """
    if len(graphs) != len(labels):
        raise InputError(f"there are {len(graphs)} graphs and {len(labels)} sets of labels; give one for each graph.")
    if all(own is None for own in labels):
        return [np.zeros(graph.num_nodes, dtype=np.int64) for graph in graphs]
    tables = [_table(graph, own) for graph, own in zip(graphs, labels, strict=True)]
    if len({(_are_numbers(table), table.shape[1]) for table in tables}) > 1:
        raise InputError("the graphs' labels differ in kind or width; label all graphs alike, by numbers or by texts.")
    types = {table.dtype for table in tables}
    if len(types) == 1 and types <= {np.dtype(np.int64), np.dtype(np.bool_)}:
        _, numbers = np.unique(np.concatenate(tables), axis=0, return_inverse=True)
    else:  # Python's comparison does not round numbers
        number: dict[tuple[Any, ...], int] = {}
        rows = [tuple(row) for table in tables for row in table.tolist()]
        numbers = np.array([number.setdefault(row, len(number)) for row in rows], dtype=np.int64)
    return np.split(numbers.reshape(-1), np.cumsum([len(table) for table in tables])[:-1])


def _table(graph: Graph, labels: Labels | None) -> NDArray[Any]:
    """One row of labels per node."""
    if labels is None:
        raise InputError(
            f"{graph.name} has no node labels but another graph has; give labels for all graphs or for none."
        )
    if isinstance(labels, Mapping):
        try:
            labels = [labels[name] for name in graph.ids]
        except KeyError as error:
            raise InputError(f"node {error} of {graph.name} has no label; give one label per node.") from None
    array = np.asarray(labels)
    if array.ndim not in (1, 2) or len(array) != graph.num_nodes:
        count = len(array) if array.ndim else 1
        raise InputError(f"{graph.name} has {graph.num_nodes} nodes and {count} labels; give one label per node.")
    if array.dtype.kind in "fO" and (array != array).any():
        raise InputError(f"{graph.name} has a label that is not a number (NaN); choose a label for nodes without one.")
    return array if array.ndim == 2 else array[:, None]


def _are_numbers(table: NDArray[Any]) -> bool:
    if table.dtype.kind == "O":
        return all(not isinstance(value, str | bytes) for value in table.flat)
    return table.dtype.kind in "biuf"
